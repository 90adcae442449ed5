// Why this very request failed: what was asked for, what there was, and which plain facts follow. What made memory grow is another question.
import type { FactCode, FailureReason } from '../../../preload/contract/queries.ts'
import type { CaptureMeasures } from './capture-measures.ts'
import type { Amount } from './log/amount.ts'
import type { LogFailure } from './log-text.ts'
import type { MetricsGrowth } from './metrics.ts'
import { isInPieces, isSegmentRefused, isShort, likelierReason, provedReason, type Reach, reachOf, sumOf } from './reason.ts'

export interface Situation {
  /** A failure is on record. */
  readonly isFailure: boolean
  /** What the numbers prove. */
  readonly provedReason: FailureReason
  /** What causes are judged by, the likelier where the limit leaves it open. no_contiguous_block: held and asked for fit below the limit, as far as it is known. */
  readonly reason: FailureReason
  readonly facts: readonly FactCode[]
  /** Bytes asked for, and of the segment that the allocator asked the driver for. */
  readonly requestedBytes: number | null
  readonly segmentBytes: number | null
  /** What the program could reserve: its cap, else the device. Where neither is known, what it had reserved (isLimitKnown is false). */
  readonly limitBytes: number | null
  readonly isLimitKnown: boolean
  /** Where the limit is not known: between these, the second excluded. What was reserved at any time is allowed, and what was refused is not. */
  readonly limitAtLeastBytes: number | null
  readonly limitBelowBytes: number | null
  /** What the program could reserve at the moment. */
  readonly reach: Reach | null
  readonly allowedBytes: number | null
  readonly deviceTotalBytes: number | null
  readonly deviceFreeBytes: number | null
  readonly reservedBytes: number | null
  readonly allocatedBytes: number | null
  /** Free in the pools that the request may use; of a text alone: all that is reserved and not allocated. */
  readonly freeBytes: number | null
  /** What other streams keep free: reserved, and of no more use to the request than pieces. Texts count it with freeBytes. */
  readonly otherStreamBytes: number
  readonly largestFreeBytes: number | null
  /** Reserved in pools of CUDA graphs and of the program. */
  readonly privateBytes: number | null
  /** In use on the device and not reserved by this program's PyTorch. */
  readonly outsideBytes: number | null
  /** The part of it that this process itself holds: context, libraries, extensions; null where no source tells. */
  readonly ownOutsideBytes: number | null
  readonly otherProcessBytes: number | null
  /** How far from the truth a byte count of the text may be, at most. */
  readonly precisionBytes: number
  /** How often the cache had been emptied and the request tried again before, and when first: by the history, or else by the metrics. */
  readonly retryCount: number | null
  /** With requests that failed, which are tried again too: as num_alloc_retries counts. */
  readonly allRetryCount: number | null
  /** The same by the metrics alone, which end with the last step that was noted. */
  readonly notedRetryCount: number | null
  readonly firstRetryEvent: number | null
  readonly firstRetryStep: number | null
}

export interface Sources {
  readonly capture: CaptureMeasures | null
  readonly log: LogFailure | null
  readonly metrics: MetricsGrowth | null
  /** Files of the run that cannot be read, and may tell of a failure. */
  readonly unread?: readonly string[]
}

const bytesOf = (amount: Amount | null | undefined): number | null => amount?.bytes ?? null

/** The driver answers 2^64 − 1 where it does not know. */
const possible = (bytes: number | null | undefined): number | null => (bytes != null && bytes >= 0 && bytes <= 2 ** 50 ? bytes : null)

/** Metrics of another unit than bytes, or of another device, would give less than the program itself has. */
function fittingTotal(metrics: MetricsGrowth | null, reserved: number | null): number | null {
  const total = metrics?.deviceTotal ?? null
  return total !== null && total >= (reserved ?? 0) ? total : null
}

/** Whether the device could have given the segment. */
export const hadRoom = ({ deviceFreeBytes, segmentBytes }: Pick<Situation, 'deviceFreeBytes' | 'segmentBytes'>): boolean =>
  deviceFreeBytes !== null && segmentBytes !== null && deviceFreeBytes >= segmentBytes

/** A size that no request can have says nothing of what was free for it either. */
const possibleRequest = (capture: CaptureMeasures | null) => (capture?.request && capture.request.givenBytes > 0 ? capture.request : null)

/** Why the sources say that it failed; of a run that did not fail, its numbers at the peak. */
export function situationOf({ capture, log, metrics }: Sources): Situation {
  const request = possibleRequest(capture)
  const requestedBytes = request?.bytes ?? bytesOf(log?.requested)
  const segmentBytes = request?.segmentBytes ?? bytesOf(log?.requested)
  const deviceFreeBytes = possible(capture?.request?.deviceFree) ?? bytesOf(log?.free)
  const reservedBytes = capture?.reserved ?? bytesOf(log?.reserved)
  const allocatedBytes = capture?.active ?? bytesOf(log?.allocated)
  const allowedBytes = bytesOf(log?.allowed)
  const deviceTotalBytes = bytesOf(log?.total) ?? fittingTotal(metrics, reservedBytes)
  const limitBytes = limitOf({ allowedBytes, deviceTotalBytes, deviceFreeBytes, segmentBytes, reservedBytes })
  const isFailure = log !== null || capture?.isFailure === true
  const outsideBytes = outsideOf(deviceTotalBytes, deviceFreeBytes, reservedBytes)
  const precisionBytes = Math.max(0, ...(log && !request ? precisionsOf(log) : []))
  const refused = isFailure ? sumOf(reservedBytes, segmentBytes, precisionBytes) : null
  const bracket = bracketOf({ capture, reservedBytes, refused })
  const base: Base = {
    isFailure,
    requestedBytes,
    segmentBytes,
    limitBytes: limitBytes ?? reservedBytes,
    isLimitKnown: limitBytes !== null,
    ...(limitBytes === null ? bracket : noBracket),
    reach: reachOf({
      allowedBytes,
      deviceFreeBytes,
      segmentBytes,
      reservedBytes,
      limitBytes,
      margin: marginOf(log, request !== null),
      bracket,
    }),
    allowedBytes,
    deviceTotalBytes,
    deviceFreeBytes,
    reservedBytes,
    allocatedBytes,
    freeBytes: request?.free.bytes ?? bytesOf(log?.unallocated),
    otherStreamBytes: request?.otherStreams.bytes ?? 0,
    largestFreeBytes: request?.free.largest ?? null,
    privateBytes: privateOf(capture) ?? bytesOf(log?.privatePools),
    outsideBytes,
    ownOutsideBytes: ownOutsideOf(log, reservedBytes, outsideBytes),
    otherProcessBytes: log && log.others.length > 0 ? log.others.reduce((sum, other) => sum + other.inUse.bytes, 0) : null,
    precisionBytes,
    ...retriesOf({ capture, log, metrics }, isFailure),
  }
  const proved = isFailure ? provedReason(base) : 'unknown'
  return { ...base, provedReason: proved, reason: isFailure ? likelierReason(base) : 'unknown', facts: factsOf(base, proved, capture) }
}

/** How far a limit of the text may be from that which the sum of held and asked for is compared with: the amounts of a snapshot are exact. */
function marginOf(log: LogFailure | null, isOfCapture: boolean): number {
  const { requested, allocated, allowed, free, total } = log ?? {}
  const limit = allowed ?? free ?? total
  return (isOfCapture ? [allowed] : [requested, allocated, limit]).reduce((sum, amount) => sum + (amount?.precision ?? 0), 0)
}

/** The driver counts all of a process, PyTorch's reserved memory too. */
function ownOutsideOf(log: LogFailure | null, reserved: number | null, outside: number | null): number | null {
  const own = log?.process && reserved !== null ? log.process.bytes - reserved : null
  return own === null || own < 0 ? null : Math.min(own, outside ?? own)
}

const precisionsOf = (log: LogFailure): number[] =>
  [log.requested, log.allocated, log.unallocated, log.free, log.allowed].flatMap((amount) => (amount ? [amount.precision] : []))

function privateOf(capture: CaptureMeasures | null): number | null {
  if (!capture) return null
  return capture.pools.filter(({ pool }) => pool !== '(0,0)').reduce((sum, pool) => sum + pool.reserved, 0)
}

const outsideOf = (total: number | null, free: number | null, reserved: number | null): number | null =>
  total === null || free === null || reserved === null ? null : Math.max(0, total - free - reserved)

interface LimitParts {
  readonly allowedBytes: number | null
  readonly deviceTotalBytes: number | null
  readonly deviceFreeBytes: number | null
  readonly segmentBytes: number | null
  readonly reservedBytes: number | null
}

function limitOf(parts: LimitParts): number | null {
  if (parts.allowedBytes !== null) return parts.allowedBytes
  if (isShort(parts.deviceFreeBytes, parts.segmentBytes)) return parts.deviceTotalBytes
  // The driver had memory: a cap that the sources do not name held it back.
  return parts.deviceFreeBytes === null ? parts.deviceTotalBytes : null
}

type Base = Omit<Situation, 'reason' | 'provedReason' | 'facts'>

interface BracketParts {
  readonly capture: CaptureMeasures | null
  readonly reservedBytes: number | null
  /** What the failing segment would have made of it; null where nothing failed. */
  readonly refused: number | null
}

type Bracket = Pick<Situation, 'limitAtLeastBytes' | 'limitBelowBytes'>
const noBracket: Bracket = { limitAtLeastBytes: null, limitBelowBytes: null }

/** What is proved about a limit that no source names. */
function bracketOf({ capture, reservedBytes, refused }: BracketParts): Bracket {
  const below = Math.min(refused ?? Number.POSITIVE_INFINITY, capture?.limits.refusedBytes ?? Number.POSITIVE_INFINITY)
  const most = Math.max(reservedBytes ?? 0, capture?.limits.mostReserved ?? 0)
  // Where others took memory since, the program once had more than it could have again.
  const atLeast = most < below ? most : reservedBytes
  return { limitAtLeastBytes: atLeast || null, limitBelowBytes: Number.isFinite(below) ? below : null }
}

type Retried = Pick<Situation, 'retryCount' | 'allRetryCount' | 'notedRetryCount' | 'firstRetryEvent' | 'firstRetryStep'>

/** The metrics count from the start of the program, which the history may not reach back to. */
function retriesOf({ capture, metrics }: Sources, isFailure: boolean): Retried {
  const seen = capture && capture.eventCount > 0 ? capture.limits.retries : null
  const noted = metrics?.retries ?? null
  if (!seen && !noted) return { retryCount: null, allRetryCount: null, notedRetryCount: null, firstRetryEvent: null, firstRetryStep: null }
  const failed = capture?.deviceFailureCount ?? (isFailure ? 1 : 0)
  return {
    retryCount: Math.max(seen?.count ?? 0, noted?.count ?? 0),
    allRetryCount: Math.max((seen?.count ?? 0) + failed, (noted?.count ?? 0) + (isFailure ? 1 : 0)),
    notedRetryCount: noted?.count ?? null,
    firstRetryEvent: seen?.firstEvent ?? null,
    firstRetryStep: noted?.firstStep ?? null,
  }
}

/** Beside a device that others hold, what was free may all the same have been enough. */
function reasonsOf(base: Base, reason: FailureReason): FactCode[] {
  if (reason !== 'outside_pytorch') return reason === 'unknown' ? [] : [reason]
  const also = isInPieces(base) ? (['no_contiguous_block'] as const) : isSegmentRefused(base) ? (['segment_refused'] as const) : []
  return [...also, reason]
}

function factsOf(base: Base, reason: FailureReason, capture: CaptureMeasures | null): FactCode[] {
  const request = base.requestedBytes === null ? null : capture?.request
  const { allowedBytes, deviceTotalBytes } = base
  const isCapped = allowedBytes !== null ? deviceTotalBytes === null || allowedBytes < deviceTotalBytes : false
  const isHeldBack = base.isFailure && hadRoom(base)
  return [
    ...reasonsOf(base, reason),
    ...(request && request.withPending.fitting > 0 && request.free.fitting === 0 ? (['pending_frees'] as const) : []),
    ...(request && request.otherStreams.fitting > 0 ? (['other_stream'] as const) : []),
    ...(request && request.otherPools.fitting > 0 ? (['other_pool'] as const) : []),
    ...(isCapped || isHeldBack ? (['cap_below_device'] as const) : []),
    ...((base.retryCount ?? 0) > 0 && base.isFailure ? (['retried'] as const) : []),
    ...(capture?.isHistoryShort ? (['history_too_short'] as const) : []),
  ]
}
