// Which stacks hold memory: after an event, and within a range of events.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { StackShare } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import type { QueryHandler } from './query.ts'
import { textOf } from './row.ts'

const shareSchema = z.object({ stack_id: z.number(), slot: z.number(), count: z.number(), bytes: z.number() })
const curveSchema = z
  .object({ min: z.number(), min_event: z.number(), mean: z.number(), max: z.number(), max_event: z.number() })
  .transform((curve) => ({ min: curve.min, minEvent: curve.min_event, mean: curve.mean, max: curve.max, maxEvent: curve.max_event }))
const rangeSchema = z.object({
  from_event: z.number(),
  to_event: z.number(),
  from_time_ns: z.number().nullable(),
  to_time_ns: z.number().nullable(),
  curves: z.object({ allocated: curveSchema, active: curveSchema, reserved: curveSchema, requested: curveSchema }),
  allocated_count: z.number(),
  allocated_bytes: z.number(),
  freed_count: z.number(),
  freed_bytes: z.number(),
  net_bytes: z.number(),
  top_stacks: z.array(shareSchema),
})

async function nativeJson(capture: OpenCapture, sql: string, parameters: readonly number[]): Promise<Result<unknown>> {
  const row = await capture.store.get(sql, parameters)
  return row.ok ? ok(row.value ? (JSON.parse(textOf(row.value, 'answer')) as unknown) : null) : row
}

async function withTitles(capture: OpenCapture, shares: readonly z.output<typeof shareSchema>[]): Promise<Result<StackShare[]>> {
  const titles = await capture.titles.of(shares.map((share) => share.stack_id))
  if (!titles.ok) return titles
  return ok(shares.map(({ stack_id: stackId, slot, count, bytes }) => ({ stackId, slot, count, bytes, ...titles.value(stackId) })))
}

export const topStacks: QueryHandler<'stacks.top'> = async (capture, { device, event, limit }) => {
  const answer = await nativeJson(capture, 'SELECT top_stacks(?, ?, ?) AS answer', [device, event, limit])
  if (!answer.ok) return answer
  const stacks = await withTitles(capture, z.array(shareSchema).parse(answer.value))
  return stacks.ok ? ok({ stacks: stacks.value }) : stacks
}

export const timelineRange: QueryHandler<'timeline.range'> = async (capture, { device, fromEvent, toEvent }) => {
  const answer = await nativeJson(capture, 'SELECT range_stats(?, ?, ?) AS answer', [device, fromEvent, toEvent])
  if (!answer.ok) return answer
  const range = rangeSchema.parse(answer.value)
  const topStacksInRange = await withTitles(capture, range.top_stacks)
  if (!topStacksInRange.ok) return topStacksInRange
  return ok({
    fromEvent: range.from_event,
    toEvent: range.to_event,
    fromTimeNs: range.from_time_ns,
    toTimeNs: range.to_time_ns,
    curves: range.curves,
    allocatedCount: range.allocated_count,
    allocatedBytes: range.allocated_bytes,
    freedCount: range.freed_count,
    freedBytes: range.freed_bytes,
    netBytes: range.net_bytes,
    topStacks: topStacksInRange.value,
  })
}
