// Which stacks hold memory: after an event, and within a range of events; and which ones go through a function or a file.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { rangeStatsSchema, type StackShare, stackShareSchema } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { numberOf } from './row.ts'

const nativeShareSchema = stackShareSchema.omit({ title: true, place: true })
const nativeRangeSchema = rangeStatsSchema.extend({ topStacks: z.array(nativeShareSchema) })
type NativeShare = z.output<typeof nativeShareSchema>

async function withTitles(capture: OpenCapture, shares: readonly NativeShare[]): Promise<Result<StackShare[]>> {
  const titles = await capture.titles.of(shares.map(({ stackId }) => stackId))
  return titles.ok ? ok(shares.map((share) => ({ ...share, ...titles.value(share.stackId) }))) : titles
}

export const topStacks: QueryHandler<'stacks.top'> = async (capture, { device, event, limit }) => {
  const answer = await jsonOf(capture, 'SELECT top_stacks(?, ?, ?) AS answer', [device, event, limit])
  if (!answer.ok) return answer
  const stacks = await withTitles(capture, z.array(nativeShareSchema).parse(answer.value))
  return stacks.ok ? ok({ stacks: stacks.value }) : stacks
}

export const timelineRange: QueryHandler<'timeline.range'> = async (capture, { device, fromEvent, toEvent }) => {
  const answer = await jsonOf(capture, 'SELECT range_stats(?, ?, ?) AS answer', [device, fromEvent, toEvent])
  if (!answer.ok) return answer
  const range = nativeRangeSchema.parse(answer.value)
  const stacks = await withTitles(capture, range.topStacks)
  return stacks.ok ? ok({ ...range, topStacks: stacks.value }) : stacks
}

/** More than this are no selection any more. */
const maxFound = 100_000

export const findStacks: QueryHandler<'stacks.find'> = async (capture, { text }) => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await capture.store.all(
    `SELECT stack_id, count(*) OVER () AS total FROM
       (SELECT DISTINCT stack_id FROM stack_frame
        WHERE frame_id IN (SELECT frame_id FROM frame WHERE name LIKE ?1 ESCAPE '\\' OR filename LIKE ?1 ESCAPE '\\'))
     ORDER BY stack_id LIMIT ?2`,
    [pattern, maxFound],
  )
  if (!rows.ok) return rows
  const [first] = rows.value
  return ok({ stackIds: rows.value.map((row) => numberOf(row, 'stack_id')), count: first ? numberOf(first, 'total') : 0 })
}
