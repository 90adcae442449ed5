// A cache of keys and values: as many tensors as before, each longer than its forerunner, and made by copying it.
import { formatPercent } from '../../../../preload/contract/format.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { sizesOf } from '../parameters.ts'
import { bytesWord, candidate, evidence, mostWeak, named, ramp, shareOf } from '../score.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'
import { joinedTensor } from './kept.ts'

export const kvCacheGrowth: CauseRule = (subject) => {
  const { capture } = subject
  if (!capture) return fromText(subject)
  const joined = joinedTensor(subject)
  const longer = capture.growth.filter(
    (one) => (one.kind === 'larger' && one.role !== 'backward' && one !== joined) || one.role === 'cache',
  )
  const cacheBytes = capture.roleBytes.cache
  const bytes = Math.max(
    cacheBytes,
    longer.reduce((sum, { lastBytes }) => sum + lastBytes, 0),
  )
  const share = shareOf(bytes, capture.reserved)
  const proofs: Evidence[] = []
  if (cacheBytes > 0) proofs.push(evidence('cache_bytes', cacheBytes, 'bytes', { share: formatPercent(share) }))
  const [largest] = [...longer].sort((a, b) => b.grownBytes - a.grownBytes)
  if (largest)
    proofs.push(
      evidence('larger_tensors', largest.lastBytes, 'bytes', { stack: named(largest.title), grown: bytesWord(largest.grownBytes) }),
    )
  if (proofs.length === 0) return longerRequest(capture)
  // A cache by name that did not grow may be a large one, surely where it asks for more; growth without the name may be another tensor that is extended.
  const alone = capture.request?.role === 'cache' ? 0.8 : 0.5
  const certainty = largest && cacheBytes > 0 ? 0.97 : largest ? 0.88 : alone
  return candidate('kv_cache_growth', certainty * ramp(share, 0.08, 0.35), proofs)
}

const leastAlike = 8
const mostLonger = 1.1

/** A cache that is extended asks for a little more than each of its tensors has, which are all of one size. */
function longerRequest({ request, held, reserved }: CaptureMeasures) {
  if (!request) return null
  const sizes = [...sizesOf(held)].filter(
    ([bytes, count]) => count >= leastAlike && bytes < request.bytes && request.bytes <= bytes * mostLonger,
  )
  const [size, count] = sizes.reduce((best, each) => (each[0] * each[1] > best[0] * best[1] ? each : best), [0, 0])
  if (count === 0) return null
  const bytes = size * count
  return candidate('kv_cache_growth', mostWeak * ramp(shareOf(bytes, reserved), 0.05, 0.3), [
    evidence('longer_request', bytes, 'bytes', { count }),
  ])
}

function fromText({ log }: Subject) {
  const frame = log?.frames.slice(0, 8).find(({ file, name }) => /cache/i.test(file) || /^(?:update|append|cat)$/.test(name))
  return frame ? candidate('kv_cache_growth', 0.45, [evidence('traceback', frame.name, 'text')]) : null
}
