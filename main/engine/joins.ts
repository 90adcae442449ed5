// The allocations that a snapshot and a trace both recorded, found once a pair and device and kept until one of the two is closed.
import { z } from 'zod'
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import { ok, type Result } from '../../preload/contract/errors.ts'
import type { JoinMatch } from '../../preload/contract/queries.ts'
import { JoinedAllocations } from './joined-allocations.ts'
import { decodeBatch } from './native-batch.ts'
import type { OpenCapture } from './open-capture.ts'

/** Runs a question when those asked before of that capture are done. One at a time: two captures that wait for each other would wait forever. */
export type Ask = <T>(capture: OpenCapture, question: () => Promise<Result<T>>) => Promise<Result<T>>

export interface JoinPair {
  readonly snapshot: OpenCapture
  readonly trace: OpenCapture
  readonly device: number
}

export interface Join {
  readonly match: JoinMatch
  readonly allocations: JoinedAllocations
}

/** How far clocks may be apart (kJoinSearchNs and kJoinToleranceNs of the native library). */
const searchNs = 1e9 + 1e6

const metaSchema = z.object({
  matched: z.number(),
  equal_sizes: z.number(),
  own_in_overlap: z.number(),
  other_in_overlap: z.number(),
  offset_ns: z.number(),
  spread_ns: z.number().nullable(),
  from_ns: z.number().nullable(),
  to_ns: z.number().nullable(),
})
type Meta = z.infer<typeof metaSchema>

/** Below this many allocations in the common time a share says nothing. */
const fewAllocations = 8
/**
 * Ten real pairs: every allocation of the smaller side has its partner, and half of them are within 0.3 µs of the offset. A rank of a training run
 * and the trace of another rank, devices taken for the same: at most 9 %, since PyTorch gives equal addresses to processes that do the same, and
 * 140 µs to 410 µs. Captures of different runs: none.
 */
const shareOfSameRun = 0.8
const shareOfOtherRun = 0.2
const widestSpreadNs = 50_000

export class Joins {
  readonly #isOpen: (captureId: string) => boolean
  readonly #kept = new Map<string, Join>()
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(isOpen: (captureId: string) => boolean) {
    this.#isOpen = isOpen
  }

  /** Compares the two, or answers what is kept. Errors: as the store. */
  of(pair: JoinPair, ask: Ask): Promise<Result<Join>> {
    const key = keyOf(pair)
    // Who asks while another compares waits for that.
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(() => this.#find(key, pair, ask))
    const settled = turn.catch(() => undefined).finally(() => this.#last.get(key) === settled && this.#last.delete(key))
    this.#last.set(key, settled)
    return turn
  }

  async #find(key: string, pair: JoinPair, ask: Ask): Promise<Result<Join>> {
    const kept = this.#kept.get(key)
    if (kept) return ok(kept)
    const found = await compare(pair, ask)
    const isOpen = [pair.snapshot, pair.trace].every(({ summary }) => this.#isOpen(summary.captureId))
    if (found.ok && isOpen) this.#kept.set(key, found.value)
    return found
  }

  /** Forgets what is kept of a capture that is closed. */
  forget(captureId: string): void {
    for (const [key, { match }] of this.#kept) if (match.snapshotId === captureId || match.traceId === captureId) this.#kept.delete(key)
  }
}

const keyOf = ({ snapshot, trace, device }: JoinPair): string => `${snapshot.summary.captureId} ${trace.summary.captureId} ${device}`

/** A device with a history, and when that was. */
export interface Recorded {
  readonly firstNs: number
  readonly lastNs: number
  readonly startUs: number // Unix time of the capture's start
}

/** Why a device of a capture can not be compared, or when it was recorded. */
export function recordedOn(capture: OpenCapture['summary'], device: number): Recorded | 'no_memory' | 'no_times' {
  const found: DeviceSummary | undefined = capture.devices.find((each) => each.device === device)
  if (!found || found.device < 0 || found.eventCount === 0) return 'no_memory'
  const { firstTimeNs, lastTimeNs } = found
  if (firstTimeNs === null || lastTimeNs === null || capture.startUnixUs === null) return 'no_times'
  return { firstNs: firstTimeNs, lastNs: lastTimeNs, startUs: capture.startUnixUs }
}

/** What the wall clocks say: time in `own` = time in `other` + offset. */
const wallOffsetNs = (own: Recorded, other: Recorded): number => (other.startUs - own.startUs) * 1000

/** Common time of two devices in the time of `own`; it ends before it begins where there is none. */
export function commonTime(own: Recorded, other: Recorded): { readonly fromNs: number; readonly toNs: number } {
  const offset = wallOffsetNs(own, other)
  return { fromNs: Math.max(own.firstNs, other.firstNs + offset), toNs: Math.min(own.lastNs, other.lastNs + offset) }
}

async function compare(pair: JoinPair, ask: Ask): Promise<Result<Join>> {
  const { snapshot, trace, device } = pair
  const own = recordedOn(snapshot.summary, device)
  const other = recordedOn(trace.summary, device)
  if (typeof own === 'string') return ok(nothing(pair, 'unknown', own))
  if (typeof other === 'string') return ok(nothing(pair, 'unknown', other))
  const offset = wallOffsetNs(own, other)
  const { fromNs, toNs } = commonTime(own, other)
  if (fromNs - toNs > searchNs) return ok(nothing(pair, 'other_run', 'no_overlap', offset))
  const range = [device, fromNs - offset - searchNs, toNs - offset + searchNs]
  const keys = await ask(trace, () => trace.store.blob('SELECT allocation_keys(?, ?, ?)', range))
  if (!keys.ok) return keys
  const found = await ask(snapshot, () => snapshot.store.blob('SELECT match_allocations(?, ?, ?)', [device, keys.value, offset]))
  const batch = found.ok ? decodeBatch(found.value) : found
  if (!batch.ok) return batch
  const meta = metaSchema.parse(batch.value.json('meta'))
  return ok({ match: judge(pair, meta, offset), allocations: JoinedAllocations.of(batch.value) })
}

function nothing(pair: JoinPair, verdict: JoinMatch['verdict'], reason: JoinMatch['reason'], offsetNs: number | null = null): Join {
  const match = {
    ...idsOf(pair),
    matched: 0,
    equalSizes: 0,
    snapshotAllocations: 0,
    traceAllocations: 0,
    share: null,
    offsetNs,
    clockDifferenceNs: null,
    spreadNs: null,
    overlap: null,
    verdict,
    reason,
  }
  return { match, allocations: JoinedAllocations.none }
}

const idsOf = ({ snapshot, trace, device }: JoinPair) => ({
  snapshotId: snapshot.summary.captureId,
  traceId: trace.summary.captureId,
  device,
})

function judge(pair: JoinPair, meta: Meta, wallNs: number): JoinMatch {
  const { matched, offset_ns: offsetNs, spread_ns: spreadNs, from_ns: fromNs, to_ns: toNs } = meta
  const smaller = Math.min(meta.own_in_overlap, meta.other_in_overlap)
  const overlaps = fromNs !== null && toNs !== null
  const share = smaller > 0 ? matched / smaller : null
  return {
    ...idsOf(pair),
    matched,
    equalSizes: meta.equal_sizes,
    snapshotAllocations: meta.own_in_overlap,
    traceAllocations: meta.other_in_overlap,
    share,
    offsetNs,
    clockDifferenceNs: matched > 0 ? offsetNs - wallNs : null,
    spreadNs,
    overlap: overlaps ? { snapshotFromNs: fromNs, snapshotToNs: toNs, traceFromNs: fromNs - offsetNs, traceToNs: toNs - offsetNs } : null,
    ...verdictOf(share, smaller, overlaps || matched > 0, spreadNs),
  }
}

/** What the numbers of a comparison say. */
export function verdictOf(
  share: number | null,
  compared: number,
  overlaps: boolean,
  spreadNs: number | null,
): Pick<JoinMatch, 'verdict' | 'reason'> {
  if (!overlaps) return { verdict: 'other_run', reason: 'no_overlap' }
  if (share === null || compared < fewAllocations) return { verdict: 'doubtful', reason: 'few_allocations' }
  if (share < shareOfOtherRun) return { verdict: 'other_run', reason: 'few_matches' }
  if (share < shareOfSameRun) return { verdict: 'doubtful', reason: 'some_matches' }
  if (spreadNs !== null && spreadNs > widestSpreadNs) return { verdict: 'doubtful', reason: 'wide_spread' }
  return { verdict: 'same_run', reason: null }
}
