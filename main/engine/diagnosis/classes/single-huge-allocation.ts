// One request so large that it decides alone.
import { bytesWord, candidate, evidence, named, ramp, shareOf } from '../score.ts'
import type { CauseRule, Subject } from '../types.ts'

export const singleHugeAllocation: CauseRule = (subject) => {
  const { situation, capture } = subject
  const { requestedBytes, limitBytes, isLimitKnown } = situation
  if (!situation.isFailure || requestedBytes === null || limitBytes === null) return null
  const share = shareOf(requestedBytes, limitBytes)
  const title = capture?.request?.title ?? ''
  const words = { bytes: bytesWord(requestedBytes), limit: bytesWord(limitBytes) }
  const alone = isOneOfASeries(subject) ? 0.6 : 1
  return candidate('single_huge_allocation', 0.9 * alone * ramp(share, 0.15, 0.4), [
    evidence('request_share', share, 'share', words, isLimitKnown ? 'request_share' : 'request_share_reserved'),
    ...(title === '' ? [] : [evidence('request_stack', named(title), 'text')]),
  ])
}

/** The line that asked holds such a tensor already, each larger than the one before: what grew is the cause, not this one request. */
function isOneOfASeries({ capture }: Subject): boolean {
  const { title, bytes } = capture?.request ?? { title: '', bytes: 0 }
  return (capture?.growth ?? []).some(
    (stack) => stack.kind === 'larger' && stack.title === title && title !== '' && bytes <= (2 * stack.lastBytes) / stack.lastCount,
  )
}
