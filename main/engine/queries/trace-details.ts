// Everything about one slice or one instant of a trace: for the drawer.
import { type ErrorCode, type Failure, fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { AllocationRow, EngineOutput, InstantRow, SliceDetails, SliceRow } from '../../../preload/contract/queries.ts'
import type { SqlParameter, SqlRow } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { readFrom } from '../trace-source.ts'
import { allocationColumns, toAllocations } from './allocation-rows.ts'
import { splitArguments } from './args-text.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, numberOrNull, textOf, textOrNull } from './row.ts'
import { rangesInTime } from './trace-lanes.ts'
import { sliceLinksSchema } from './trace-links.ts'
import { eventsBetween, memoryBetween } from './trace-memory.ts'
import { readSlices } from './trace-slices.ts'
import { trackTitles } from './trace-tracks.ts'

/** Of one event's arguments; what is beyond is cut off. */
const maxArgsLength = 4_000_000
/** Children and memory events beyond this are not added up one by one. */
const maxAdded = 200_000
/** Allocations of a slice that are named one by one. */
const maxLargest = 10

type Args = Pick<SliceDetails, 'args' | 'argsFailure'>

/** Why the arguments are not there; another failure is that of the question. */
const sourceCodes: readonly ErrorCode[] = ['file/not_found', 'file/unreadable', 'file/unsupported_container', 'trace/source_changed']

/** The arguments of a row of `slice` or `instant`, read from the source. Errors: as the store. */
async function argsOf(capture: OpenCapture, relation: 'slice' | 'instant', id: number): Promise<Result<Args>> {
  const unchanged = await capture.source?.check()
  if (unchanged?.ok === false) return ok(withoutArgs(unchanged.error))
  const kept = await argsText(capture, relation, id)
  if (!kept.ok || kept.value !== null) return kept.ok ? ok(withArgs(kept.value)) : kept
  if (capture.source === null)
    return ok(withoutArgs({ code: 'file/not_found', message: 'The trace from which this index was made is not known.' }))
  // Nothing came: the event has no arguments, or the source went away or changed, or is back again.
  const source = await readFrom(capture.store, capture.source.path)
  if (!source.ok) return sourceCodes.includes(source.error.code) ? ok(withoutArgs(source.error)) : source
  const again = await argsText(capture, relation, id)
  return again.ok ? ok(withArgs(again.value)) : again
}

async function argsText(capture: OpenCapture, relation: 'slice' | 'instant', id: number): Promise<Result<string | null>> {
  const row = await capture.store.get(`SELECT substr(args, 1, ${maxArgsLength}) AS args FROM ${relation} WHERE ${relation}_id = ?`, [id])
  if (!row.ok) return row
  return ok(row.value ? textOrNull(row.value, 'args') : null)
}

const withArgs = (text: string | null): Args => ({ args: text === null ? [] : splitArguments(text), argsFailure: null })

const withoutArgs = (failure: Failure): Args => ({ args: null, argsFailure: failure })

/** Time of a slice that its children do not cover; null where they are too many. Errors: as the store. */
async function selfTimeOf(capture: OpenCapture, slice: SliceRow): Promise<Result<number | null>> {
  const lanes = await capture.lanes()
  if (!lanes.ok) return lanes
  // The children of a slice on a spill lane lie above it.
  const others = lanes.value.lanesOf([slice.trackId]).filter((laneId) => laneId !== slice.laneId)
  const all = others.map((laneId) => lanes.value.slicesOf(laneId))
  const ranges = await rangesInTime(capture.store, all, slice.startNs, slice.startNs + slice.durNs)
  if (!ranges.ok) return ranges
  if (ranges.value.reduce((sum, { from, to }) => sum + to - from, 0) > maxAdded) return ok(null)
  const row = await capture.store.get(
    `SELECT coalesce(sum(dur_ns), 0) AS covered FROM json_each(?) AS stretch
     CROSS JOIN slice ON slice_id >= stretch.value ->> 0 AND slice_id < stretch.value ->> 1 WHERE parent_id = ?`,
    [JSON.stringify(ranges.value.map(({ from, to }) => [from, to])), slice.sliceId],
  )
  if (!row.ok) return row
  // Children that overlap each other on spill lanes can add up to more than their parent.
  return ok(row.value ? Math.max(0, slice.durNs - numberOf(row.value, 'covered')) : null)
}

/** Memory events of the slice's own track while it ran. Errors: as the store. */
async function ownMemoryOf(capture: OpenCapture, { trackId, startNs, durNs }: SliceRow): Promise<Result<SliceDetails['ownMemory']>> {
  const lanes = await capture.lanes()
  if (!lanes.ok) return lanes
  const found: NonNullable<SliceDetails['ownMemory']> = []
  for (const { device } of capture.summary.devices) {
    const events = await eventsBetween(capture, device, startNs, startNs + durNs + 1)
    if (!events.ok) return events
    const { from, to } = events.value
    if (to - from > maxAdded) return ok(null)
    if (from >= to) continue
    const rows = await capture.store.all(
      'SELECT event, bytes, slice_id FROM memory_event WHERE device = ? AND event >= ? AND event < ? AND slice_id IS NOT NULL',
      [device, from, to],
    )
    if (!rows.ok) return rows
    const own = rows.value.filter((row) => lanes.value.trackOf(lanes.value.laneOf(numberOf(row, 'slice_id'))) === trackId)
    const sizes = own.map((row) => numberOf(row, 'bytes'))
    const [allocated, freed] = [sizes.filter((bytes) => bytes > 0), sizes.filter((bytes) => bytes < 0)]
    if (sizes.length === 0) continue
    const largest = await largestOf(capture, device, own)
    if (!largest.ok) return largest
    found.push({
      device,
      allocatedBytes: sum(allocated),
      allocatedCount: allocated.length,
      freedBytes: -sum(freed),
      freedCount: freed.length,
      largest: largest.value,
    })
  }
  return ok(found)
}

/** The largest allocations that these memory events made, of equal ones the first made first. Errors: as the store. */
async function largestOf(capture: OpenCapture, device: number, rows: readonly SqlRow[]): Promise<Result<AllocationRow[]>> {
  const made = rows.map((row) => ({ event: numberOf(row, 'event'), bytes: numberOf(row, 'bytes') })).filter(({ bytes }) => bytes > 0)
  const events = made.sort((a, b) => b.bytes - a.bytes || a.event - b.event).slice(0, maxLargest)
  const found = await capture.store.all(
    `SELECT ${allocationColumns} FROM json_each(?) AS wanted CROSS JOIN allocation ON device = ? AND alloc_event = wanted.value ORDER BY wanted.key`,
    [JSON.stringify(events.map(({ event }) => event)), device],
  )
  return found.ok ? toAllocations(capture, found.value) : found
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Facts of a slice that no picture needs. Errors: as the store. */
async function factsOf(capture: OpenCapture, sliceId: number) {
  const row = await capture.store.get(
    `SELECT external_id, correlation, (SELECT string_id FROM string WHERE text = slice.name) AS name_id FROM slice WHERE slice_id = ?`,
    [sliceId],
  )
  if (!row.ok) return row
  const fact = (column: string) => (row.value ? numberOrNull(row.value, column) : null)
  return ok({ externalId: fact('external_id'), correlation: fact('correlation'), nameId: fact('name_id') })
}

const noLinks = { out: [], in: [], ancestors: [], launch: null, op: null }

async function linksOf(capture: OpenCapture, sliceId: number) {
  const answer = await jsonOf(capture, 'SELECT slice_links(?) AS answer', [sliceId])
  if (!answer.ok) return answer
  const { out, in: incoming, ...rest } = sliceLinksSchema.parse(answer.value ?? noLinks)
  return ok({ flowsOut: out, flowsIn: incoming, ...rest })
}

export const traceSlice: QueryHandler<'trace.slice'> = async (capture, { sliceId }) => {
  const found = await readSlices(capture, [sliceId])
  if (!found.ok) return found
  const [slice] = found.value
  if (!slice) return fail('query/bad_argument', `There is no slice ${sliceId}.`)
  const parts = await allOf({
    facts: () => factsOf(capture, sliceId),
    titles: () => trackTitles(capture, slice.trackId),
    links: () => linksOf(capture, sliceId),
    args: () => argsOf(capture, 'slice', sliceId),
    selfNs: () => selfTimeOf(capture, slice),
    // The last moment of a slice still belongs to it.
    memory: () => memoryBetween(capture, slice.startNs, slice.startNs + slice.durNs + 1),
    ownMemory: () => ownMemoryOf(capture, slice),
  })
  if (!parts.ok) return parts
  const { facts, titles, links, args, selfNs, memory, ownMemory } = parts.value
  return ok({ ...slice, ...facts, ...titles, ...links, ...args, selfNs, memory, ownMemory })
}

type Questions = Readonly<Record<string, () => Promise<Result<unknown>>>>
type Answers<Q extends Questions> = { [K in keyof Q]: Extract<Awaited<ReturnType<Q[K]>>, { ok: true }>['value'] }

/** The answers to all questions, asked one after the other; the first failure ends it. */
async function allOf<Q extends Questions>(questions: Q): Promise<Result<Answers<Q>>> {
  const answers: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(questions)) {
    const answer = await ask()
    if (!answer.ok) return answer
    answers[name] = answer.value
  }
  return ok(answers as Answers<Q>)
}

const instantColumns = `instant_id, track_id, ${cutText("coalesce(name, '')")} AS name, ${cutText("coalesce(category, '')")} AS category, time_ns`

const instantOf = (row: SqlRow): InstantRow => ({
  instantId: numberOf(row, 'instant_id'),
  trackId: numberOf(row, 'track_id'),
  name: textOf(row, 'name'),
  category: textOf(row, 'category'),
  timeNs: numberOf(row, 'time_ns'),
})

export const traceInstant: QueryHandler<'trace.instant'> = async (capture, { instantId }) => {
  const row = await capture.store.get(`SELECT ${instantColumns} FROM instant WHERE instant_id = ?`, [instantId])
  if (!row.ok) return row
  if (!row.value) return fail('query/bad_argument', `There is no instant ${instantId}.`)
  const args = await argsOf(capture, 'instant', instantId)
  return args.ok ? ok({ ...instantOf(row.value), ...args.value }) : args
}

/** SQL: instants at ?1 ≤ time < ?2 of the tracks ?3 (NULL = all). */
export const instantsInRange =
  'instant WHERE time_ns >= ?1 AND time_ns < ?2 AND (?3 IS NULL OR track_id IN (SELECT value FROM json_each(?3)))'

/** The arguments of `instantsInRange`. Errors: `query/bad_argument`. */
export function argumentsOfInstants({
  tracks,
  fromNs,
  toNs,
}: {
  readonly tracks: readonly number[] | null
  readonly fromNs: number
  readonly toNs: number
}): Result<SqlParameter[]> {
  if (!(fromNs < toNs)) return fail('query/bad_argument', 'The range ends before it begins.')
  return ok([fromNs, toNs, tracks === null ? null : JSON.stringify(tracks)])
}

export const traceInstants: QueryHandler<'trace.instants'> = async (capture, { offset, limit, ...given }) => {
  const range = argumentsOfInstants(given)
  if (!range.ok) return range
  const counted = await capture.store.get(`SELECT count(*) AS total FROM ${instantsInRange}`, range.value)
  if (!counted.ok) return counted
  const rows = await capture.store.all(`SELECT ${instantColumns} FROM ${instantsInRange} ORDER BY time_ns, instant_id LIMIT ?4 OFFSET ?5`, [
    ...range.value,
    limit,
    offset,
  ])
  if (!rows.ok) return rows
  const answer: EngineOutput<'trace.instants'> = {
    rows: rows.value.map(instantOf),
    total: counted.value ? numberOf(counted.value, 'total') : 0,
  }
  return ok(answer)
}
