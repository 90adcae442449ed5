// Fragmentation: enough memory was reserved and free, but cut up, so that no block could take the request.
import { formatPercent } from '../../../../preload/contract/format.ts'
import { isShort } from '../reason.ts'
import { bytesWord, candidate, evidence, ramp, shareOf } from '../score.ts'
import type { Situation } from '../situation.ts'
import { sumWords } from '../sum-words.ts'
import type { CauseRule, Evidence } from '../types.ts'

export const fragmentation: CauseRule = ({ situation, capture }) => {
  const { freeBytes, otherStreamBytes, largestFreeBytes, requestedBytes, reservedBytes, allocatedBytes, reason } = situation
  if (freeBytes === null || requestedBytes === null || reservedBytes === null || allocatedBytes === null) return null
  const idle = freeBytes + otherStreamBytes
  const share = shareOf(idle, reservedBytes)
  const words = { request: bytesWord(requestedBytes), share: formatPercent(shareOf(freeBytes, reservedBytes)) }
  const proofs = [evidence('free_in_pool', freeBytes, 'bytes', words)]
  if (otherStreamBytes > 0) proofs.push(evidence('free_other_streams', otherStreamBytes, 'bytes'))
  if (largestFreeBytes !== null) proofs.push(evidence('largest_free', largestFreeBytes, 'bytes', words))
  if (reason !== 'no_contiguous_block') return candidate('fragmentation', 0.5 * ramp(share, 0.1, 0.5), proofs)
  proofs.push(heldAndRequest(situation))
  // A little that was free and would just have sufficed speaks less than half of all memory in pieces.
  const weight = ramp(share, 0, 0.3)
  // What is free in pieces would not do alone: the unreserved rest is needed too, and that is small.
  const isAlone = idle >= requestedBytes ? 1 : 0.6
  // A block that was large enough was kept for larger requests (max_split_size_mb), or sizes are approximate.
  const isWhole = largestFreeBytes !== null && largestFreeBytes >= requestedBytes ? 0.6 : 1
  return candidate('fragmentation', isAlone * isWhole * (capture ? 0.5 + 0.45 * weight : 0.4 + 0.4 * weight), proofs)
}

/** What was held and asked for against what could be reserved, in one unit; where the limit lies in a range, that may be above it. */
function heldAndRequest(situation: Situation): Evidence {
  const { allocatedBytes, requestedBytes, reservedBytes, reach, deviceFreeBytes, segmentBytes, isLimitKnown, limitBytes } = situation
  const isLeft = isShort(deviceFreeBytes, segmentBytes)
  // Without a limit, what is reserved could be.
  const atLeast = (isLimitKnown && !isLeft ? limitBytes : reach?.atLeast) ?? reservedBytes ?? 0
  const below = reach?.below ?? Number.POSITIVE_INFINITY
  const sum = (allocatedBytes ?? 0) + (requestedBytes ?? 0)
  const { parts, ...told } = sumWords([allocatedBytes ?? 0, requestedBytes ?? 0], [atLeast, ...(Number.isFinite(below) ? [below] : [])])
  const [held = '', request = ''] = parts
  const [limit = '', end = limit] = told.marks
  const known = isLeft ? 'held_and_request_left' : isLimitKnown ? 'held_and_request' : 'held_and_request_reserved'
  return evidence(
    'held_and_request',
    sum,
    'bytes',
    { held, request, value: told.sum, limit, below: end },
    sum > atLeast ? 'held_and_request_open' : known,
  )
}
