// One cursor and one selected allocation for captures of one run: what the user does in the capture in front is done in its partners.
// Only the one in front tells, so nothing goes back and forth; of several moves the last counts.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { EngineOutput } from '../../preload/contract/queries.ts'
import { engine } from '../data/engine-client.ts'
import { activeCapture, useCaptures } from '../state/captures.ts'
import { rangeAround } from '../state/go-to.ts'
import { chooseDevice } from '../state/initial-view.ts'
import { patchView, type ViewState, viewOf, viewStates } from '../state/view-state.ts'
import {
  isJoined,
  type JoinedAllocation,
  type JoinPair,
  joinData,
  pairKey,
  pairsOf,
  partnerOf,
  readyCapture,
  useJoins,
} from './join-data.ts'

type Spot = Pick<ViewState, 'device' | 'cursorEvent' | 'selectedAllocation'>
type Moment = NonNullable<EngineOutput<'join.time'>['moment']>

const joinedPairs = (captureId: string): readonly JoinPair[] => pairsOf(useJoins.getState().pairs, captureId).filter(isJoined)

class Follower {
  #front: CaptureSummary | undefined
  #spot: Spot | undefined // of the one in front, as partners were told
  #joined: ReadonlySet<string> = new Set()
  #isTelling = false
  readonly #moves = new Map<string, number>() // by pair and what is told: only the last one counts
  readonly #stops: readonly (() => void)[]

  constructor() {
    this.#stops = [
      useCaptures.subscribe(() => this.#lookAtFront()),
      viewStates.subscribe(() => this.#lookAtFront()),
      useJoins.subscribe(() => this.#lookAtPairs()),
    ]
    this.#lookAtFront()
    this.#lookAtPairs()
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#moves.clear()
    this.#front = undefined
  }

  /** What comes to the front tells nothing by that: it has what its partners have told it. */
  #lookAtFront(): void {
    if (this.#isTelling) return
    const front = activeCapture(useCaptures.getState())
    const view = front && viewOf(front.captureId)
    const before = this.#spot
    this.#spot = view
    if (front?.captureId !== this.#front?.captureId) {
      this.#front = front
      if (front) this.#askAllocations(joinedPairs(front.captureId))
      return
    }
    if (!front || !view || !before) return
    const hasMoved = view.cursorEvent !== before.cursorEvent || view.device !== before.device
    if (hasMoved) for (const pair of joinedPairs(front.captureId)) void this.#tellCursor(front.captureId, pair)
    if (view.selectedAllocation !== before.selectedAllocation) this.#tellAllocations(front.captureId)
  }

  /** A pair that is found to be of one run shares the cursor that one of the two has. */
  #lookAtPairs(): void {
    const joined = useJoins.getState().pairs.filter(isJoined)
    const fresh = joined.filter((pair) => !this.#joined.has(pairKey(pair)))
    this.#joined = new Set(joined.map(pairKey))
    for (const pair of fresh) {
      const ids = [pair.snapshotId, pair.traceId]
      const onlyOne = (field: 'cursorEvent' | 'selectedAllocation') => {
        const having = ids.filter((id) => viewOf(id)?.[field] !== undefined)
        return having.length === 1 ? having[0] : undefined
      }
      const [withCursor, withAllocation] = [onlyOne('cursorEvent'), onlyOne('selectedAllocation')]
      if (withCursor !== undefined) void this.#tellCursor(withCursor, pair)
      if (withAllocation !== undefined) void this.#tellAllocation(withAllocation, pair)
      else this.#askAllocations([pair])
    }
  }

  /** True until something else is told to the pair. */
  #begin(what: 'cursor' | 'allocation', pair: JoinPair): () => boolean {
    const key = `${what} ${pairKey(pair)}`
    const move = (this.#moves.get(key) ?? 0) + 1
    this.#moves.set(key, move)
    return () => this.#moves.get(key) === move
  }

  async #tellCursor(captureId: string, pair: JoinPair): Promise<void> {
    const isLast = this.#begin('cursor', pair)
    const partnerId = partnerOf(pair, captureId)
    const view = viewOf(captureId)
    joinData(captureId).setState({ atEdge: undefined })
    if (!view || !pair.devices.includes(view.device)) return
    const { device, cursorEvent: event } = view
    if (event === undefined) return this.#quietly(() => showCursor(partnerId, undefined))
    const input = { captureId, partnerId, device, event, timeNs: null }
    const answer = await engine.latest(`join.time ${pairKey(pair)}`, 'join.time', input)
    const moment = answer.ok ? answer.value.moment : null
    if (moment && isLast()) this.#quietly(() => showCursor(partnerId, { device, moment, from: captureId }))
  }

  async #tellAllocation(captureId: string, pair: JoinPair): Promise<void> {
    const isLast = this.#begin('allocation', pair)
    const partnerId = partnerOf(pair, captureId)
    const joined = await askAllocation(captureId, partnerId)
    if (joined && !joined.failure && isLast()) this.#quietly(() => select(partnerId, joined))
  }

  /** Asks what partners know of the allocation selected in front, for its drawer. */
  #askAllocations(pairs: readonly JoinPair[]): void {
    const captureId = this.#front?.captureId
    if (captureId === undefined) return
    for (const pair of pairsOf(pairs, captureId)) void askAllocation(captureId, partnerOf(pair, captureId))
  }

  /** Selects in all partners what the user has selected in front. */
  #tellAllocations(captureId: string): void {
    const isSelected = viewOf(captureId)?.selectedAllocation !== undefined
    if (!isSelected) joinData(captureId).setState({ allocations: [] })
    for (const pair of joinedPairs(captureId)) {
      if (isSelected) void this.#tellAllocation(captureId, pair)
      else this.#deselect(captureId, pair)
    }
  }

  #deselect(captureId: string, pair: JoinPair): void {
    this.#begin('allocation', pair)
    this.#quietly(() => patchView(partnerOf(pair, captureId), { selectedAllocation: undefined }))
  }

  /** What a partner is told is no move of the user's, also where it has come to the front meanwhile. */
  #quietly(change: () => void): void {
    this.#isTelling = true
    change()
    this.#isTelling = false
    const view = this.#front && viewOf(this.#front.captureId)
    const isOther = view?.selectedAllocation !== this.#spot?.selectedAllocation
    this.#spot = view
    if (this.#front && isOther) this.#askAllocations(joinedPairs(this.#front.captureId))
  }
}

interface TheirMoment {
  readonly device: number
  readonly moment: Moment
  readonly from: string
}

/** Pins the cursor of a capture to a moment and brings it into sight. */
function showCursor(captureId: string, theirs: TheirMoment | undefined): void {
  const capture = readyCapture(captureId)
  const view = viewOf(captureId)
  if (!capture || !view) return
  joinData(captureId).setState({ atEdge: undefined })
  if (!theirs) {
    patchView(captureId, { cursorEvent: undefined })
    return
  }
  const { device, moment, from } = theirs
  const now = onDevice(capture, view, device)
  const event = Math.max(0, moment.event)
  const x = now.axis === 'event' ? event : moment.timeNs
  patchView(captureId, { cursorEvent: event, visible: rangeAround(now.visible, now.full, x) })
  if (!moment.isInside) joinData(captureId).setState({ atEdge: { event, partnerId: from } })
}

/** Selects what a partner has selected; nothing, where this capture did not record it. */
function select(captureId: string, { partner }: JoinedAllocation): void {
  const capture = readyCapture(captureId)
  const view = viewOf(captureId)
  if (!capture || !view) return
  if (partner) onDevice(capture, view, partner.device)
  patchView(captureId, { selectedAllocation: partner?.allocationId })
}

/** The view, with that device in it. */
function onDevice(capture: CaptureSummary, view: ViewState, device: number): ViewState {
  if (view.device === device) return view
  chooseDevice(capture, device, view.axis)
  return viewOf(capture.captureId) ?? view
}

/** Asks a partner about the allocation that is selected, and keeps the answer for the drawer; undefined when another is selected by now. */
async function askAllocation(captureId: string, partnerId: string): Promise<JoinedAllocation | undefined> {
  const allocationId = viewOf(captureId)?.selectedAllocation
  if (allocationId === undefined) return undefined
  const answer = await engine.latest(`join.allocation ${captureId} ${partnerId}`, 'join.allocation', { captureId, partnerId, allocationId })
  if (viewOf(captureId)?.selectedAllocation !== allocationId) return undefined
  if (!answer.ok && answer.error.code === 'query/cancelled') return undefined
  const found = answer.ok ? { ...answer.value, failure: undefined } : { partner: null, op: null, failure: answer.error }
  const joined: JoinedAllocation = { partnerId, allocationId, ...found }
  joinData(captureId).setState(({ allocations }) => ({
    allocations: [...allocations.filter((each) => each.partnerId !== partnerId), joined],
  }))
  return joined
}

/** Lets captures of one run share cursor and selection; returns the stop. */
export function startFollowing(): () => void {
  const follower = new Follower()
  return () => follower.stop()
}
