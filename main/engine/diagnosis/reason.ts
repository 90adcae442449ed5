// What a program could reserve when a request failed, and why it failed: what the numbers prove, and what they only make likelier.
import type { FailureReason } from '../../../preload/contract/queries.ts'
import type { Situation } from './situation.ts'

/** Surely `atLeast`, and surely not `below`. */
export interface Reach {
  readonly atLeast: number
  readonly below: number
}

type Numbers = Omit<Situation, 'reason' | 'provedReason' | 'facts'>

interface ReachParts extends Pick<Situation, 'allowedBytes' | 'deviceFreeBytes' | 'segmentBytes' | 'reservedBytes' | 'limitBytes'> {
  /** How far the limit of a text may be from the truth. */
  readonly margin: number
  /** What the history proves of the limit. */
  readonly bracket: Pick<Situation, 'limitAtLeastBytes' | 'limitBelowBytes'>
}

/** A device that could not give the segment has run out; one that could was not asked, or a cap forbade it. */
export const isShort = (deviceFree: number | null, segment: number | null): boolean =>
  deviceFree !== null && segment !== null && deviceFree < segment

/** Null where a part is not known. */
export const sumOf = (...parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)

/** Of a device that had run out, what it still had; else what is known of the cap. Null where nothing is. */
export function reachOf({
  allowedBytes,
  deviceFreeBytes,
  segmentBytes,
  reservedBytes,
  limitBytes,
  margin,
  bracket,
}: ReachParts): Reach | null {
  const left = isShort(deviceFreeBytes, segmentBytes) ? sumOf(reservedBytes, deviceFreeBytes) : null
  const named = allowedBytes ?? (left === null ? limitBytes : null)
  const { limitAtLeastBytes, limitBelowBytes } = bracket
  if (left === null && named === null)
    return limitAtLeastBytes === null ? null : { atLeast: limitAtLeastBytes, below: limitBelowBytes ?? Number.POSITIVE_INFINITY }
  const limit = Math.min(named ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY)
  const about = { atLeast: limit - margin, below: limit + margin + 1 }
  if (left !== null || margin === 0) return about
  // A cap that the text rounds and the history encloses.
  const atLeast = Math.max(about.atLeast, Math.min(limitAtLeastBytes ?? 0, limit))
  return { atLeast, below: Math.min(about.below, Math.max(limitBelowBytes ?? Number.POSITIVE_INFINITY, limit + 1)) }
}

type Taken = Pick<Situation, 'freeBytes' | 'largestFreeBytes' | 'privateBytes' | 'reservedBytes' | 'allocatedBytes'>

/** Free for the request. A text counts what is free in private pools with the rest: where it names such pools, that is not known. */
export const usableOf = ({ freeBytes, largestFreeBytes, privateBytes }: Taken): number | null =>
  largestFreeBytes === null && (privateBytes ?? 0) > 0 ? null : freeBytes

/**
 * What the request could not use: held, or free in other pools and on other streams, which give back no segment that is in use. Where it is not known
 * what was free, what was held.
 */
export function takenOf(numbers: Taken): number | null {
  const { reservedBytes, allocatedBytes } = numbers
  const usable = usableOf(numbers)
  return usable === null || reservedBytes === null ? allocatedBytes : Math.max(allocatedBytes ?? 0, reservedBytes - usable)
}

type Asked = Taken & Pick<Situation, 'requestedBytes'>

/** Enough was reserved and free, and no block of it was large enough. */
export function isInPieces(numbers: Asked): boolean {
  const usable = usableOf(numbers)
  const { requestedBytes, largestFreeBytes } = numbers
  return usable !== null && requestedBytes !== null && usable >= requestedBytes && (largestFreeBytes ?? 0) < requestedBytes
}

/** Enough could be had only together with what could still be reserved, and that was less than a new segment. */
export function isSegmentRefused(numbers: Asked & Pick<Situation, 'reach'>): boolean {
  const { requestedBytes, reach } = numbers
  const [usable, taken] = [usableOf(numbers), takenOf(numbers)]
  if (usable === null || requestedBytes === null || taken === null || !reach) return false
  return usable < requestedBytes && taken + requestedBytes <= reach.atLeast
}

/** Why the request failed, where the numbers prove it. */
export function provedReason(numbers: Numbers): FailureReason {
  const { requestedBytes, reach, deviceFreeBytes, segmentBytes, deviceTotalBytes, allowedBytes } = numbers
  const taken = takenOf(numbers)
  if (requestedBytes === null || taken === null) return 'unknown'
  if (isOutside(numbers)) return 'outside_pytorch'
  // A block that is large enough was kept for larger requests, or the numbers are not those of the moment.
  if ((usableOf(numbers) ?? 0) >= requestedBytes) return isInPieces(numbers) ? 'no_contiguous_block' : 'unknown'
  if (!reach) return 'unknown'
  if (isSegmentRefused(numbers)) return 'segment_refused'
  // Who holds the rest of a device that has run out, this program or others, only its size tells.
  const isShared = isShort(deviceFreeBytes, segmentBytes) && deviceTotalBytes === null && allowedBytes === null
  return taken + requestedBytes >= reach.below && !isShared ? 'exhausted' : 'unknown'
}

/** Beside PyTorch a device always holds the program's own context and libraries. */
const usualOutsideBytes = 1024 ** 3
const leastOutsideShare = 0.15

/** The same where the limit is not known: as if no more than ever had been could be reserved. Memory that was there, be it unreserved, is fragmentation. */
export function likelierReason(numbers: Numbers): FailureReason {
  const { requestedBytes, segmentBytes, allocatedBytes, freeBytes, reservedBytes, deviceFreeBytes } = numbers
  const { allowedBytes, limitAtLeastBytes, limitBytes } = numbers
  if (requestedBytes === null || allocatedBytes === null) return 'unknown'
  if (isOutside(numbers)) return 'outside_pytorch'
  // A device that has run out still has what the segment is larger than.
  const left = isShort(deviceFreeBytes, segmentBytes) ? sumOf(reservedBytes, deviceFreeBytes) : null
  const room = allowedBytes ?? limitAtLeastBytes ?? left ?? reservedBytes ?? limitBytes
  if (room === null) return 'unknown'
  // Free blocks take the request as it is; a new segment is larger.
  const idle = (freeBytes ?? 0) + numbers.otherStreamBytes
  const unreserved = Math.max(0, room - (reservedBytes ?? room))
  const isWithNew = allocatedBytes + (segmentBytes ?? requestedBytes) <= room && idle + unreserved >= requestedBytes
  return idle >= requestedBytes || isWithNew ? 'no_contiguous_block' : 'exhausted'
}

function isOutside(numbers: Numbers): boolean {
  const { outsideBytes, deviceTotalBytes, deviceFreeBytes, segmentBytes, allowedBytes, reservedBytes } = numbers
  if (outsideBytes === null || deviceTotalBytes === null || !isShort(deviceFreeBytes, segmentBytes)) return false
  const isCapped = allowedBytes !== null && reservedBytes !== null && segmentBytes !== null && reservedBytes + segmentBytes > allowedBytes
  return !isCapped && outsideBytes > Math.max(usualOutsideBytes, leastOutsideShare * deviceTotalBytes)
}
