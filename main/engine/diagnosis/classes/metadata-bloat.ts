// Metadata: so many small tensors that their rounding, blocks and host objects are what fills memory.
import type { PoolUse } from '../capture-measures.ts'
import { bytesWord, candidate, evidence, ramp, shareOf } from '../score.ts'
import type { CauseRule, Subject } from '../types.ts'

const smallSegmentBytes = 2 * 1024 ** 2
const tinyBytes = 32 * 1024

/** Blocks held in the small pools, and their bytes. */
export function smallBlocks(pools: readonly PoolUse[]): { count: number; bytes: number; mean: number } {
  const small = pools.filter(({ segmentType }) => segmentType === 'small')
  const count = small.reduce((sum, pool) => sum + pool.heldBlocks, 0)
  const bytes = small.reduce((sum, pool) => sum + pool.allocated, 0)
  return { count, bytes, mean: count > 0 ? bytes / count : 0 }
}

export const metadataBloat: CauseRule = (subject) => {
  const { capture } = subject
  if (!capture) return fromText(subject)
  const { count, bytes, mean } = smallBlocks(capture.pools)
  if (count < 1000 || mean > tinyBytes) return null
  const share = shareOf(bytes, capture.reserved)
  const confidence = 0.98 * ramp(share, 0.15, 0.5) * ramp(Math.log10(count), 3, 3.7)
  return candidate('metadata_bloat', confidence, [
    evidence('small_blocks', count, 'count', { mean: bytesWord(Math.round(mean)) }),
    evidence('small_share', share, 'share', { bytes: bytesWord(bytes) }),
    ...hostGrowth(subject),
  ])
}

function hostGrowth({ metrics }: Subject) {
  const host = metrics?.host
  return host && host.order > 0.6 && host.slope > 0 ? [evidence('host_growth', host.slope, 'bytes/step')] : []
}

/** The text names the segment: one of 2 MiB is for requests up to 1 MiB. */
function fromText(subject: Subject) {
  const { log, metrics } = subject
  if (log?.requested?.bytes !== smallSegmentBytes) return null
  const isGrowing = (metrics?.allocated?.order ?? 0) > 0.6 && (metrics?.host?.order ?? 0) > 0.6
  return candidate('metadata_bloat', isGrowing ? 0.59 : 0.35, [
    evidence('small_segment', log.requested.bytes, 'bytes'),
    ...hostGrowth(subject),
  ])
}
