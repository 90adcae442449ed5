// Why this very request failed: what was asked for, what there was, and which plain facts follow. What made memory grow is another question.
import type { FactCode, FailureReason } from '../../../preload/contract/queries.ts'
import type { CaptureMeasures } from './capture-measures.ts'
import type { Amount } from './log/amount.ts'
import type { LogFailure } from './log-text.ts'
import type { MetricsGrowth } from './metrics.ts'

export interface Situation {
  /** A failure is on record. */
  readonly isFailure: boolean
  /** exhausted: held and asked for do not fit below the limit. no_contiguous_block: they do, but no free block is large enough. outside_pytorch: others hold what is missing. */
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
  readonly otherProcessBytes: number | null
  /** How far from the truth a byte count of the text may be, at most. */
  readonly precisionBytes: number
  /** How often the cache had been emptied and the request tried again before, and when first: by the history, or else by the metrics. */
  readonly retryCount: number | null
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

/** A device that could not give the segment has run out; one that could was not asked, or a cap forbade it. */
const isShort = (deviceFree: number | null, segment: number | null): boolean =>
  deviceFree !== null && segment !== null && deviceFree < segment

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
  const precisionBytes = Math.max(0, ...(log && !request ? precisionsOf(log) : []))
  const refused = isFailure ? sumOf(reservedBytes, segmentBytes, precisionBytes) : null
  const base = {
    isFailure,
    requestedBytes,
    segmentBytes,
    limitBytes: limitBytes ?? reservedBytes,
    isLimitKnown: limitBytes !== null,
    ...(limitBytes === null ? bracketOf({ capture, reservedBytes, refused }) : noBracket),
    allowedBytes,
    deviceTotalBytes,
    deviceFreeBytes,
    reservedBytes,
    allocatedBytes,
    freeBytes: request?.free.bytes ?? bytesOf(log?.unallocated),
    otherStreamBytes: request?.otherStreams.bytes ?? 0,
    largestFreeBytes: request?.free.largest ?? null,
    privateBytes: privateOf(capture) ?? bytesOf(log?.privatePools),
    outsideBytes: outsideOf(deviceTotalBytes, deviceFreeBytes, reservedBytes),
    otherProcessBytes: log && log.others.length > 0 ? log.others.reduce((sum, other) => sum + other.inUse.bytes, 0) : null,
    precisionBytes,
    ...retriesOf(capture, metrics),
  }
  const reason = base.isFailure ? reasonOf(base) : 'unknown'
  return { ...base, reason, facts: factsOf(base, reason, capture) }
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

type Base = Omit<Situation, 'reason' | 'facts'>

const sumOf = (...parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)

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

type Retried = Pick<Situation, 'retryCount' | 'notedRetryCount' | 'firstRetryEvent' | 'firstRetryStep'>

/** The metrics count from the start of the program, which the history may not reach back to. */
function retriesOf(capture: CaptureMeasures | null, metrics: MetricsGrowth | null): Retried {
  const seen = capture && capture.eventCount > 0 ? capture.limits.retries : null
  const noted = metrics?.retries ?? null
  if (!seen && !noted) return { retryCount: null, notedRetryCount: null, firstRetryEvent: null, firstRetryStep: null }
  return {
    retryCount: Math.max(seen?.count ?? 0, noted?.count ?? 0),
    notedRetryCount: noted?.count ?? null,
    firstRetryEvent: seen?.firstEvent ?? null,
    firstRetryStep: noted?.firstStep ?? null,
  }
}

/**
 * What the program could reserve at the moment: surely `atLeast`, and surely not `below`. Of a device that had run out, what it still had; null where
 * nothing is known.
 */
export function reachOf(situation: Situation): { readonly atLeast: number; readonly below: number } | null {
  const { reservedBytes, deviceFreeBytes, segmentBytes, allowedBytes, limitBytes, isLimitKnown } = situation
  const free = isShort(deviceFreeBytes, segmentBytes) ? sumOf(reservedBytes, deviceFreeBytes) : null
  if (allowedBytes !== null || (free === null && isLimitKnown)) {
    const limit = Math.min(allowedBytes ?? limitBytes ?? 0, free ?? Number.POSITIVE_INFINITY)
    return { atLeast: limit, below: limit + 1 }
  }
  if (free !== null) return { atLeast: free, below: free + 1 }
  const { limitAtLeastBytes, limitBelowBytes } = situation
  return limitAtLeastBytes === null ? null : { atLeast: limitAtLeastBytes, below: limitBelowBytes ?? Number.POSITIVE_INFINITY }
}

/** Beside PyTorch a device always holds the program's own context and libraries. */
const usualOutsideBytes = 1024 ** 3
const leastOutsideShare = 0.15

function reasonOf(base: Base): FailureReason {
  const { requestedBytes, segmentBytes, allocatedBytes, freeBytes, reservedBytes, deviceFreeBytes } = base
  const { allowedBytes, limitAtLeastBytes, limitBytes } = base
  if (requestedBytes === null || allocatedBytes === null) return 'unknown'
  if (isOutside(base)) return 'outside_pytorch'
  // A device that has run out still has what the segment is larger than.
  const left = isShort(deviceFreeBytes, segmentBytes) ? sumOf(reservedBytes, deviceFreeBytes) : null
  const room = allowedBytes ?? limitAtLeastBytes ?? left ?? reservedBytes ?? limitBytes
  if (room === null) return 'unknown'
  // Free blocks take the request as it is; a new segment is larger.
  const idle = (freeBytes ?? 0) + base.otherStreamBytes
  const isInBlocks = idle >= requestedBytes
  const unreserved = Math.max(0, room - (reservedBytes ?? room))
  const isWithNew = allocatedBytes + (segmentBytes ?? requestedBytes) <= room && idle + unreserved >= requestedBytes
  return isInBlocks || isWithNew ? 'no_contiguous_block' : 'exhausted'
}

function isOutside(base: Base): boolean {
  const { outsideBytes, deviceTotalBytes, deviceFreeBytes, segmentBytes, allowedBytes, reservedBytes } = base
  if (outsideBytes === null || deviceTotalBytes === null || !isShort(deviceFreeBytes, segmentBytes)) return false
  const isCapped = allowedBytes !== null && reservedBytes !== null && segmentBytes !== null && reservedBytes + segmentBytes > allowedBytes
  return !isCapped && outsideBytes > Math.max(usualOutsideBytes, leastOutsideShare * deviceTotalBytes)
}

function factsOf(base: Base, reason: FailureReason, capture: CaptureMeasures | null): FactCode[] {
  const request = base.requestedBytes === null ? null : capture?.request
  const { allowedBytes, deviceTotalBytes } = base
  const isCapped = allowedBytes !== null ? deviceTotalBytes === null || allowedBytes < deviceTotalBytes : false
  const isHeldBack = base.isFailure && hadRoom(base)
  return [
    ...(reason === 'unknown' ? [] : [reason]),
    ...(request && request.withPending.fitting > 0 && request.free.fitting === 0 ? (['pending_frees'] as const) : []),
    ...(request && request.otherStreams.fitting > 0 ? (['other_stream'] as const) : []),
    ...(request && request.otherPools.fitting > 0 ? (['other_pool'] as const) : []),
    ...(isCapped || isHeldBack ? (['cap_below_device'] as const) : []),
    ...((base.retryCount ?? 0) > 0 && base.isFailure ? (['retried'] as const) : []),
    ...(capture?.isHistoryShort ? (['history_too_short'] as const) : []),
  ]
}
