// One request so large that it decides alone.
import { bytesWord, candidate, evidence, named, ramp, shareOf } from '../score.ts'
import type { CauseRule } from '../types.ts'

export const singleHugeAllocation: CauseRule = ({ situation, capture }) => {
  const { requestedBytes, limitBytes } = situation
  if (!situation.isFailure || requestedBytes === null || limitBytes === null) return null
  const share = shareOf(requestedBytes, limitBytes)
  const title = capture?.request?.title ?? ''
  return candidate('single_huge_allocation', 0.9 * ramp(share, 0.15, 0.4), [
    evidence('request_share', share, 'share', { bytes: bytesWord(requestedBytes), limit: bytesWord(limitBytes) }),
    ...(title === '' ? [] : [evidence('request_stack', named(title), 'text')]),
  ])
}
