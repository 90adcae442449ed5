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
  readonly allowedBytes: number | null
  readonly deviceTotalBytes: number | null
  readonly deviceFreeBytes: number | null
  readonly reservedBytes: number | null
  readonly allocatedBytes: number | null
  /** Free in the pools that the request may use; of a text alone: all that is reserved and not allocated. */
  readonly freeBytes: number | null
  readonly largestFreeBytes: number | null
  /** Reserved in pools of CUDA graphs and of the program. */
  readonly privateBytes: number | null
  /** In use on the device and not reserved by this program's PyTorch. */
  readonly outsideBytes: number | null
  readonly otherProcessBytes: number | null
  /** How far from the truth a byte count of the text may be, at most. */
  readonly precisionBytes: number
}

export interface Sources {
  readonly capture: CaptureMeasures | null
  readonly log: LogFailure | null
  readonly metrics: MetricsGrowth | null
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

export function situationOf({ capture, log, metrics }: Sources): Situation {
  const request = capture?.request ?? null
  const requestedBytes = request?.bytes ?? bytesOf(log?.requested)
  const segmentBytes = request?.segmentBytes ?? bytesOf(log?.requested)
  const deviceFreeBytes = possible(request?.deviceFree) ?? bytesOf(log?.free)
  const reservedBytes = capture?.reserved ?? bytesOf(log?.reserved)
  const allocatedBytes = capture?.active ?? bytesOf(log?.allocated)
  const allowedBytes = bytesOf(log?.allowed)
  const deviceTotalBytes = bytesOf(log?.total) ?? fittingTotal(metrics, reservedBytes)
  const limitBytes = limitOf({ allowedBytes, deviceTotalBytes, deviceFreeBytes, segmentBytes, reservedBytes })
  const base = {
    isFailure: log !== null || capture?.isFailure === true,
    requestedBytes,
    segmentBytes,
    limitBytes: limitBytes ?? reservedBytes,
    isLimitKnown: limitBytes !== null,
    allowedBytes,
    deviceTotalBytes,
    deviceFreeBytes,
    reservedBytes,
    allocatedBytes,
    freeBytes: request?.free.bytes ?? bytesOf(log?.unallocated),
    largestFreeBytes: request?.free.largest ?? null,
    privateBytes: privateOf(capture) ?? bytesOf(log?.privatePools),
    outsideBytes: outsideOf(deviceTotalBytes, deviceFreeBytes, reservedBytes),
    otherProcessBytes: log && log.others.length > 0 ? log.others.reduce((sum, other) => sum + other.inUse.bytes, 0) : null,
    precisionBytes: Math.max(0, ...(log && !request ? precisionsOf(log) : [])),
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

/** Beside PyTorch a device always holds the program's own context and libraries. */
const usualOutsideBytes = 1024 ** 3
const leastOutsideShare = 0.15

function reasonOf(base: Base): FailureReason {
  const { requestedBytes, segmentBytes, allocatedBytes, freeBytes, reservedBytes, allowedBytes, limitBytes } = base
  if (requestedBytes === null || allocatedBytes === null) return 'unknown'
  if (isOutside(base)) return 'outside_pytorch'
  const room = allowedBytes ?? reservedBytes ?? limitBytes
  if (room === null) return 'unknown'
  // Free blocks take the request as it is; a new segment is larger.
  const isInBlocks = freeBytes !== null && freeBytes >= requestedBytes
  const unreserved = Math.max(0, room - (reservedBytes ?? room))
  const isWithNew = allocatedBytes + (segmentBytes ?? requestedBytes) <= room && (freeBytes ?? 0) + unreserved >= requestedBytes
  return isInBlocks || isWithNew ? 'no_contiguous_block' : 'exhausted'
}

function isOutside(base: Base): boolean {
  const { outsideBytes, deviceTotalBytes, deviceFreeBytes, segmentBytes, allowedBytes, reservedBytes } = base
  if (outsideBytes === null || deviceTotalBytes === null || !isShort(deviceFreeBytes, segmentBytes)) return false
  const isCapped = allowedBytes !== null && reservedBytes !== null && segmentBytes !== null && reservedBytes + segmentBytes > allowedBytes
  return !isCapped && outsideBytes > Math.max(usualOutsideBytes, leastOutsideShare * deviceTotalBytes)
}

function factsOf(base: Base, reason: FailureReason, capture: CaptureMeasures | null): FactCode[] {
  const request = capture?.request
  const { allowedBytes, deviceTotalBytes, segmentBytes, deviceFreeBytes } = base
  const isCapped = allowedBytes !== null ? deviceTotalBytes === null || allowedBytes < deviceTotalBytes : false
  const isHeldBack = deviceFreeBytes !== null && segmentBytes !== null && deviceFreeBytes >= segmentBytes && base.isFailure
  return [
    ...(reason === 'unknown' ? [] : [reason]),
    ...(request && request.withPending.fitting > 0 && request.free.fitting === 0 ? (['pending_frees'] as const) : []),
    ...(request && request.otherStreams.fitting > 0 ? (['other_stream'] as const) : []),
    ...(request && request.otherPools.fitting > 0 ? (['other_pool'] as const) : []),
    ...(isCapped || isHeldBack ? (['cap_below_device'] as const) : []),
    ...(capture?.isHistoryShort ? (['history_too_short'] as const) : []),
  ]
}
