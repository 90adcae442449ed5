// Memory over a stretch of a trace: what a device did between two moments, by op and by step.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { type MemoryChange, opMemorySchema, traceStepSchema } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { numberOf } from './row.ts'

/** Events [from, to) of a device. */
export interface EventRange {
  readonly from: number
  readonly to: number
}

/** The events of a device at fromNs ≤ time < toNs. Errors: as the store. */
export async function eventsBetween(capture: OpenCapture, device: number, fromNs: number, toNs: number): Promise<Result<EventRange>> {
  // Times are whole: the last event before `t` is the last one at or before ⌈t⌉ − 1.
  const row = await capture.store.get('SELECT event_at_time(?1, ?2) + 1 AS first, event_at_time(?1, ?3) + 1 AS end', [
    device,
    Math.ceil(fromNs) - 1,
    Math.ceil(toNs) - 1,
  ])
  if (!row.ok) return row
  return ok(row.value ? { from: numberOf(row.value, 'first'), to: numberOf(row.value, 'end') } : { from: 0, to: 0 })
}

const statsSchema = z.object({
  curves: z.object({ allocated: z.object({ max: z.number(), maxEvent: z.number() }) }),
  allocatedCount: z.number(),
  allocatedBytes: z.number(),
  freedCount: z.number(),
  freedBytes: z.number(),
  netBytes: z.number(),
})

/** What each device did at fromNs ≤ time < toNs; devices without an event there are left out. Errors: as the store. */
export async function memoryBetween(capture: OpenCapture, fromNs: number, toNs: number): Promise<Result<MemoryChange[]>> {
  const changes: MemoryChange[] = []
  for (const { device } of capture.summary.devices) {
    const events = await eventsBetween(capture, device, fromNs, toNs)
    if (!events.ok) return events
    const { from, to } = events.value
    if (from >= to) continue
    const answer = await jsonOf(capture, 'SELECT range_stats(?, ?, ?) AS answer', [device, from, to])
    if (!answer.ok) return answer
    const { curves, ...counts } = statsSchema.parse(answer.value)
    changes.push({ device, fromEvent: from, toEvent: to, peakBytes: curves.allocated.max, peakEvent: curves.allocated.maxEvent, ...counts })
  }
  return ok(changes)
}

export const traceOpMemory: QueryHandler<'trace.opMemory'> = async (capture, { device, fromEvent, toEvent, limit }) => {
  const answer = await jsonOf(capture, 'SELECT op_memory(?, ?, ?, ?) AS answer', [device, fromEvent, toEvent, limit])
  return answer.ok ? ok(opMemorySchema.parse(answer.value)) : answer
}

export const traceSteps: QueryHandler<'trace.steps'> = async (capture, { device }) => {
  const answer = await jsonOf(capture, 'SELECT trace_steps(?) AS answer', [device])
  return answer.ok ? ok({ steps: z.array(traceStepSchema).parse(answer.value) }) : answer
}
