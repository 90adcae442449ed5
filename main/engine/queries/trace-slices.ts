// Slices of a trace as rows, and the questions that find them.
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { EngineOutput, SliceRow, SliceSort } from '../../../preload/contract/queries.ts'
import type { SqlParameter } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, numberOrNull, textOf } from './row.ts'
import { rangesInTime } from './trace-lanes.ts'
import { sliceLinksSchema } from './trace-links.ts'

/** The slices of these ids, in that order; ids without one are left out. Errors: as the store. */
export async function readSlices(capture: OpenCapture, sliceIds: readonly number[]): Promise<Result<SliceRow[]>> {
  const lanes = await capture.lanes()
  if (!lanes.ok) return lanes
  // The cross join asks the relation id by id instead of reading all of it.
  const rows = await capture.store.all(
    `SELECT slice_id, track_id, ${cutText("coalesce(name, '')")} AS name, ${cutText("coalesce(category, '')")} AS category, start_ns, dur_ns,
            depth, is_unfinished
     FROM json_each(?) AS wanted CROSS JOIN slice ON slice_id = wanted.value ORDER BY wanted.key`,
    [JSON.stringify(sliceIds)],
  )
  if (!rows.ok) return rows
  return ok(
    rows.value.map((row) => ({
      sliceId: numberOf(row, 'slice_id'),
      trackId: numberOf(row, 'track_id'),
      laneId: lanes.value.laneOf(numberOf(row, 'slice_id')),
      depth: numberOf(row, 'depth'),
      name: textOf(row, 'name'),
      category: textOf(row, 'category'),
      startNs: numberOf(row, 'start_ns'),
      durNs: numberOf(row, 'dur_ns'),
      isUnfinished: numberOf(row, 'is_unfinished') === 1,
    })),
  )
}

/** The slice that `SELECT f(…) AS slice_id` names, or null. Errors: as the function reports. */
async function sliceOf(
  capture: OpenCapture,
  sql: string,
  parameters: readonly SqlParameter[],
): Promise<Result<{ slice: SliceRow | null }>> {
  const row = await capture.store.get(sql, parameters)
  if (!row.ok) return row
  const sliceId = row.value ? numberOrNull(row.value, 'slice_id') : null
  if (sliceId === null) return ok({ slice: null })
  const slices = await readSlices(capture, [sliceId])
  return slices.ok ? ok({ slice: slices.value[0] ?? null }) : slices
}

/** JSON of a list of ids for the native library; '' = all. */
const listOf = (ids: readonly number[] | null): string => (ids === null ? '' : JSON.stringify(ids))

export const tracePick: QueryHandler<'trace.pick'> = (capture, { laneId, timeNs, toleranceNs }) =>
  sliceOf(capture, 'SELECT trace_pick(?, ?, ?) AS slice_id', [laneId, timeNs, toleranceNs])

/** Goes on from a time alone: before all slices that begin then. */
const beforeAll = -1

export const traceNext: QueryHandler<'trace.next'> = (capture, { names, tracks, timeNs, sliceId, forward }) =>
  sliceOf(capture, 'SELECT trace_next(?, ?, ?, ?, ?) AS slice_id', [
    listOf(names),
    listOf(tracks),
    timeNs,
    sliceId ?? beforeAll,
    forward ? 1 : 0,
  ])

const orders: Readonly<Record<SliceSort, string>> = {
  start: 'start_ns, slice_id',
  longest: 'dur_ns DESC, slice_id',
  shortest: 'dur_ns, slice_id',
}

/** SQL: slices of the ranges ?1 that overlap [?2, ?3) and have one of the names ?4 (NULL = any). A slice without length lies where it starts. */
export const slicesInRange = `json_each(?1) AS stretch
  CROSS JOIN slice ON slice_id >= stretch.value ->> 0 AND slice_id < stretch.value ->> 1
  WHERE start_ns < ?3 AND (start_ns >= ?2 OR start_ns + dur_ns > ?2)
    AND (?4 IS NULL OR name IN (SELECT text FROM json_each(?4) AS wanted JOIN string ON string_id = wanted.value))`

/** The arguments of `slicesInRange`. Errors: `query/bad_argument`, as the store. */
export async function argumentsOfRange(
  capture: OpenCapture,
  { tracks, names, fromNs, toNs }: { tracks: readonly number[] | null; names: readonly number[] | null; fromNs: number; toNs: number },
): Promise<Result<SqlParameter[]>> {
  if (!(fromNs < toNs)) return fail('query/bad_argument', 'The range ends before it begins.')
  const lanes = await capture.lanes()
  if (!lanes.ok) return lanes
  const all = lanes.value.lanesOf(tracks).map((laneId) => lanes.value.slicesOf(laneId))
  const ranges = await rangesInTime(capture.store, all, fromNs, toNs)
  if (!ranges.ok) return ranges
  const stretches = JSON.stringify(ranges.value.map(({ from, to }) => [from, to]))
  return ok([stretches, fromNs, toNs, names === null ? null : JSON.stringify(names)])
}

export const traceSlices: QueryHandler<'trace.slices'> = async (capture, { sort, offset, limit, ...range }) => {
  const given = await argumentsOfRange(capture, range)
  if (!given.ok) return given
  const counted = await capture.store.get(`SELECT count(*) AS total FROM ${slicesInRange}`, given.value)
  if (!counted.ok) return counted
  const found = await capture.store.all(`SELECT slice_id FROM ${slicesInRange} ORDER BY ${orders[sort]} LIMIT ?5 OFFSET ?6`, [
    ...given.value,
    limit,
    offset,
  ])
  if (!found.ok) return found
  const rows = await readSlices(
    capture,
    found.value.map((row) => numberOf(row, 'slice_id')),
  )
  return rows.ok ? ok({ rows: rows.value, total: counted.value ? numberOf(counted.value, 'total') : 0 }) : rows
}

interface Link {
  readonly from: number
  readonly to: number
  readonly flow: { readonly name: string; readonly category: string }
}

export const traceFlowsOf: QueryHandler<'trace.flowsOf'> = async (capture, { sliceIds }) => {
  const links = new Map<string, Link>()
  for (const sliceId of new Set(sliceIds)) {
    const answer = await jsonOf(capture, 'SELECT slice_links(?) AS answer', [sliceId])
    if (!answer.ok) return answer
    if (answer.value === null) continue
    const { out, in: incoming } = sliceLinksSchema.parse(answer.value)
    // A flow between two of the slices is met at both.
    for (const flow of out) links.set(`${sliceId} ${flow.sliceId} ${flow.name}`, { from: sliceId, to: flow.sliceId, flow })
    for (const flow of incoming) links.set(`${flow.sliceId} ${sliceId} ${flow.name}`, { from: flow.sliceId, to: sliceId, flow })
  }
  return placed(capture, [...links.values()])
}

async function placed(capture: OpenCapture, links: readonly Link[]): Promise<Result<EngineOutput<'trace.flowsOf'>>> {
  const ends = await readSlices(capture, [...new Set(links.flatMap(({ from, to }) => [from, to]))])
  if (!ends.ok) return ends
  const byId = new Map(ends.value.map((slice) => [slice.sliceId, slice]))
  const flows = links.flatMap(({ from, to, flow }) => {
    const [first, second] = [byId.get(from), byId.get(to)]
    return first && second ? [{ name: flow.name, category: flow.category, from: first, to: second }] : []
  })
  return ok({ flows })
}
