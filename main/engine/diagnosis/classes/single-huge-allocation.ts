// One request so large that it decides alone.
import { bytesWord, candidate, evidence, named, ramp, shareOf } from '../score.ts'
import type { Situation } from '../situation.ts'
import type { CauseRule, Subject } from '../types.ts'
import { optimizerState } from './optimizer-state.ts'

export const singleHugeAllocation: CauseRule = (subject) => {
  const { situation, capture } = subject
  const { requestedBytes, isLimitKnown } = situation
  const limitBytes = reachable(situation)
  if (!situation.isFailure || requestedBytes === null || limitBytes === null) return null
  const share = shareOf(requestedBytes, limitBytes)
  const title = capture?.request?.title ?? ''
  const words = { bytes: bytesWord(requestedBytes), limit: bytesWord(limitBytes) }
  const alone = (isOneOfASeries(subject) ? 0.6 : 1) * (1 - sharePieces(subject) / 2)
  // A text does not say what was asked for: the flat state of an optimizer is a large part of a device too.
  const most = capture || share >= 0.4 ? 0.9 : 0.55
  return candidate('single_huge_allocation', Math.min(most, 0.9 * alone * ramp(share, 0.15, 0.4)), [
    evidence('request_share', share, 'share', words, isLimitKnown ? 'request_share' : 'request_share_reserved'),
    ...(title === '' ? [] : [evidence('request_stack', named(title), 'text')]),
  ])
}

/** Where the limit is not known, a device that had run out could still have given what it had left. */
function reachable({ limitBytes, isLimitKnown, deviceFreeBytes, segmentBytes, reservedBytes }: Situation): number | null {
  const isShort = deviceFreeBytes !== null && segmentBytes !== null && deviceFreeBytes < segmentBytes
  return isLimitKnown || !isShort ? limitBytes : (reservedBytes ?? 0) + deviceFreeBytes
}

/** How much of the request lay free in pieces where it would have fitted beside what was held: then its size did not decide alone. */
function sharePieces({ situation: { reason, freeBytes, requestedBytes } }: Subject): number {
  if (reason !== 'no_contiguous_block' || freeBytes === null || requestedBytes === null) return 0
  return Math.min(1, shareOf(freeBytes, requestedBytes))
}

/** The line that asked holds such a tensor already, each larger than the one before: what grew is the cause, not this one request. So it is where a traceback names an optimizer. */
function isOneOfASeries(subject: Subject): boolean {
  const { capture } = subject
  if (!capture) return optimizerState(subject) !== null
  const { title, bytes } = capture.request ?? { title: '', bytes: 0 }
  return capture.growth.some(
    (stack) => stack.kind === 'larger' && stack.title === title && title !== '' && bytes <= (2 * stack.lastBytes) / stack.lastCount,
  )
}
