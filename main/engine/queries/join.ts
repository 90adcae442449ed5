// Questions about two open captures of one run. They ask one capture after the other, never one while they hold the other.
import { areJoinable } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { EngineMethod, EngineOutput, JoinCandidate } from '../../../preload/contract/queries.ts'
import type { JoinSide, Twin } from '../joined-allocations.ts'
import { type Ask, commonTime, type Join, type Joins, recordedOn } from '../joins.ts'
import type { OpenCapture } from '../open-capture.ts'
import { allocationDetails } from './details.ts'
import { joinedOp } from './joined-op.ts'
import type { CheckedInput, JoinMethod } from './query.ts'
import { numberOf, numberOrNull } from './row.ts'

/** What the questions need beside their input. */
export interface JoinContext {
  readonly joins: Joins
  /** An open capture. Errors: `query/unknown_capture`. */
  readonly get: (captureId: string) => Result<OpenCapture>
  /** Those of the window that asks. */
  readonly openedHere: () => readonly string[]
  readonly ask: Ask
}

type JoinHandler<M extends JoinMethod> = (context: JoinContext, input: CheckedInput<M>) => Promise<Result<EngineOutput<M>>>

const joinCandidates: JoinHandler<'join.candidates'> = async ({ get, openedHere }, { captureId }) => {
  const capture = get(captureId)
  if (!capture.ok) return capture
  const others = openedHere().flatMap((id) => {
    const other = get(id)
    return other.ok && other.value.summary.kind !== capture.value.summary.kind ? [other.value] : []
  })
  const candidates = others.flatMap((other) => candidateOf(capture.value, other))
  return ok({ candidates: candidates.sort((a, b) => b.overlapNs - a.overlapNs) })
}

function candidateOf({ summary: own }: OpenCapture, { summary: other }: OpenCapture): JoinCandidate[] {
  const common = own.devices.flatMap(({ device }) => {
    const [here, there] = [recordedOn(own, device), recordedOn(other, device)]
    if (typeof here === 'string' || typeof there === 'string') return []
    const { fromNs, toNs } = commonTime(here, there)
    return toNs >= fromNs ? [{ device, overlapNs: toNs - fromNs }] : []
  })
  const [longest, ...more] = common.sort((a, b) => b.overlapNs - a.overlapNs)
  if (!longest) return []
  const { captureId, kind, sourceName } = other
  return [{ captureId, kind, sourceName, devices: [longest, ...more].map(({ device }) => device), overlapNs: longest.overlapNs }]
}

/** Two captures of which one is a snapshot and one a trace; `own` is the one that is asked about. */
interface Asked {
  readonly own: OpenCapture
  readonly partner: OpenCapture
  readonly side: JoinSide // of own
}

function pairOf({ get }: JoinContext, captureId: string, partnerId: string): Result<Asked> {
  const [own, partner] = [get(captureId), get(partnerId)]
  if (!own.ok) return own
  if (!partner.ok) return partner
  if (!areJoinable(own.value.summary.kind, partner.value.summary.kind))
    return fail('query/bad_argument', 'A snapshot joins a trace, no other pair.')
  return ok({ own: own.value, partner: partner.value, side: own.value.summary.kind === 'torch_snapshot' ? 'snapshot' : 'trace' })
}

function joinOf({ joins, ask }: JoinContext, { own, partner, side }: Asked, device: number): Promise<Result<Join>> {
  const [snapshot, trace] = side === 'snapshot' ? [own, partner] : [partner, own]
  return joins.of({ snapshot, trace, device }, ask)
}

/** Whether the two may be taken for one run. */
const isJoined = ({ match: { verdict } }: Join): boolean => verdict === 'same_run' || verdict === 'doubtful'

const joinMatch: JoinHandler<'join.match'> = async (context, { snapshotId, traceId, device }) => {
  const pair = pairOf(context, snapshotId, traceId)
  if (!pair.ok) return pair
  if (pair.value.side !== 'snapshot') return fail('query/bad_argument', 'The first is no snapshot.')
  const joined = await joinOf(context, pair.value, device)
  return joined.ok ? ok(joined.value.match) : joined
}

const joinAllocation: JoinHandler<'join.allocation'> = async (context, { captureId, partnerId, allocationId }) => {
  const pair = pairOf(context, captureId, partnerId)
  if (!pair.ok) return pair
  const { own, partner, side } = pair.value
  const device = await context.ask(own, () => deviceOf(own, allocationId))
  if (!device.ok) return device
  const joined = await joinOf(context, pair.value, device.value)
  if (!joined.ok) return joined
  const twin = isJoined(joined.value) ? joined.value.allocations.partnerOf(side, allocationId) : null
  if (twin === null) return ok({ partner: null, op: null })
  const details = await context.ask(partner, () => allocationDetails(partner, { captureId: partnerId, allocationId: twin }))
  if (!details.ok) return details
  const op = side === 'snapshot' ? await context.ask(partner, () => joinedOp(partner, twin)) : ok(null)
  return op.ok ? ok({ partner: details.value, op: op.value }) : op
}

/** Errors: `query/bad_argument` without such an allocation, as the store. */
async function deviceOf({ store }: OpenCapture, allocationId: number): Promise<Result<number>> {
  const row = await store.get('SELECT device FROM allocation WHERE allocation_id = ?', [allocationId])
  if (!row.ok) return row
  return row.value ? ok(numberOf(row.value, 'device')) : fail('query/bad_argument', `There is no allocation ${allocationId}.`)
}

/** A moment of a capture: the last event at it. */
interface Moment {
  readonly event: number
  readonly timeNs: number
}

const joinTime: JoinHandler<'join.time'> = async (context, { captureId, partnerId, device, event, timeNs }) => {
  if ((event === null) === (timeNs === null)) return fail('query/bad_argument', 'A moment is either an event or a time.')
  const pair = pairOf(context, captureId, partnerId)
  if (!pair.ok) return pair
  const joined = await joinOf(context, pair.value, device)
  if (!joined.ok) return joined
  const { match, allocations } = joined.value
  if (!isJoined(joined.value) || match.offsetNs === null) return ok({ moment: null })
  const { own, partner, side } = pair.value
  const moment = await context.ask(own, () => (event === null ? momentAt(own, device, timeNs ?? 0) : momentOf(own, device, event)))
  if (!moment.ok) return moment
  const twins = allocations.twinsAround(side, moment.value.event)
  if (event !== null && twins.before?.ownEvent === event) return sameEvent(context, partner, device, twins.before)
  const partnerNs = side === 'snapshot' ? moment.value.timeNs - match.offsetNs : moment.value.timeNs + match.offsetNs
  const found = await context.ask(partner, () => momentAt(partner, device, partnerNs))
  if (!found.ok) return found
  const answer = { event: between(twins.before, twins.after, found.value.event), timeNs: partnerNs, isSameEvent: false }
  return ok({ moment: { ...answer, isInside: isInside(partner, device, partnerNs) } })
}

async function sameEvent({ ask }: JoinContext, partner: OpenCapture, device: number, { partnerEvent }: Twin) {
  const found = await ask(partner, () => momentOf(partner, device, partnerEvent))
  return found.ok ? ok({ moment: { ...found.value, isSameEvent: true, isInside: true } }) : found
}

/** Clocks scatter by more than the time between two events: what lies between two events that both recorded stays between them. */
function between(before: Twin | null, after: Twin | null, event: number): number {
  const first = before?.partnerEvent ?? -1
  const last = after ? after.partnerEvent - 1 : Number.POSITIVE_INFINITY
  return first <= last ? Math.min(Math.max(event, first), last) : event
}

async function momentAt({ store }: OpenCapture, device: number, timeNs: number): Promise<Result<Moment>> {
  const row = await store.get('SELECT event_at_time(?, ?) AS event', [device, timeNs])
  if (!row.ok) return row
  return ok({ event: row.value ? numberOf(row.value, 'event') : -1, timeNs })
}

/** Before the first event is right before it. Errors: `query/bad_argument` without such an event, as the store. */
async function momentOf({ store, summary }: OpenCapture, device: number, event: number): Promise<Result<Moment>> {
  const firstNs = summary.devices.find((each) => each.device === device)?.firstTimeNs ?? 0
  if (event < 0) return ok({ event, timeNs: firstNs - 1 })
  const row = await store.get('SELECT time_ns FROM event WHERE device = ? AND event = ?', [device, event])
  if (!row.ok) return row
  const timeNs = row.value ? numberOrNull(row.value, 'time_ns') : null
  return timeNs === null ? fail('query/bad_argument', `Device ${device} has no event ${event}.`) : ok({ event, timeNs })
}

function isInside({ summary }: OpenCapture, device: number, timeNs: number): boolean {
  const recorded = recordedOn(summary, device)
  return typeof recorded !== 'string' && timeNs >= recorded.firstNs && timeNs <= recorded.lastNs
}

export const joinHandlers: { readonly [M in JoinMethod]: JoinHandler<M> } = {
  'join.candidates': joinCandidates,
  'join.match': joinMatch,
  'join.allocation': joinAllocation,
  'join.time': joinTime,
}

export const isJoinMethod = (method: EngineMethod): method is JoinMethod => Object.hasOwn(joinHandlers, method)
