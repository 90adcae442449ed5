// Which open captures are of one run, how well they match, and what a partner says about the selected allocation.
import { create } from 'zustand'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Failure } from '../../preload/contract/errors.ts'
import type { AllocationDetails, JoinedOp, JoinMatch } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'
import { useCaptures } from '../state/captures.ts'

/** A snapshot and a trace that recorded the same device at the same time. */
export interface JoinPair {
  readonly snapshotId: string
  readonly traceId: string
  readonly devices: readonly number[] // that both recorded, the longest common time first
  readonly overlapNs: number // by wall clock, on the first of these
  readonly match: JoinMatch | undefined // undefined = still being compared
  readonly failure: Failure | undefined
}

interface Joins {
  readonly pairs: readonly JoinPair[]
}

export const useJoins = create<Joins>(() => ({ pairs: [] }))

export const pairKey = ({ snapshotId, traceId }: Pick<JoinPair, 'snapshotId' | 'traceId'>): string => `${snapshotId} ${traceId}`

/** The pairs that a capture is part of. */
export const pairsOf = (pairs: readonly JoinPair[], captureId: string): readonly JoinPair[] =>
  pairs.filter(({ snapshotId, traceId }) => snapshotId === captureId || traceId === captureId)

/** The other capture of a pair. */
export const partnerOf = ({ snapshotId, traceId }: JoinPair, captureId: string): string => (snapshotId === captureId ? traceId : snapshotId)

/** True where moments and allocations of one lead to the other. */
export const isJoined = ({ match }: JoinPair): boolean => match?.verdict === 'same_run' || match?.verdict === 'doubtful'

/** What a partner knows of the allocation that is selected here. */
export interface JoinedAllocation {
  readonly partnerId: string
  readonly allocationId: number // the one asked about
  readonly partner: AllocationDetails | null // null = the partner did not record it
  readonly op: JoinedOp | null
  readonly failure: Failure | undefined
}

/** A cursor that came from a partner and lies where this capture recorded nothing: it stands at the edge, on this event. */
export interface CursorAtEdge {
  readonly event: number
  readonly partnerId: string
}

interface JoinData {
  readonly allocations: readonly JoinedAllocation[] // one a joined partner; of what was selected before until the answers are there
  readonly atEdge: CursorAtEdge | undefined
}

const empty: JoinData = { allocations: [], atEdge: undefined }

/** The store of a capture. */
export const joinData = captureStores(empty)

/** The captures that are open and ready, in the order of their tabs. */
export const readyCaptures = (): readonly CaptureSummary[] =>
  useCaptures.getState().tabs.flatMap((tab) => (tab.status === 'ready' ? [tab.capture] : []))

/** One of them. */
export const readyCapture = (captureId: string): CaptureSummary | undefined => readyCaptures().find((each) => each.captureId === captureId)
