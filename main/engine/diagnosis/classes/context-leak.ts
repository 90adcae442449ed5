// Memory that is not the program's tensors: other processes and libraries on the device, or private pools (CUDA graphs) that keep theirs.
import { formatPercent } from '../../../../preload/contract/format.ts'
import { bytesWord, candidate, evidence, ramp, shareOf } from '../score.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'

/** Devices that PyTorch of today is used on have at least this much. */
const usualDeviceBytes = 8 * 1024 ** 3

export const contextLeak: CauseRule = (subject) => {
  const proofs: Evidence[] = []
  const confidence = Math.max(outside(subject, proofs), privatePools(subject, proofs))
  return proofs.length === 0 ? null : candidate('context_leak', confidence, proofs)
}

function outside({ situation, metrics }: Subject, proofs: Evidence[]): number {
  const { reason, outsideBytes, deviceTotalBytes, deviceFreeBytes, reservedBytes, segmentBytes, allowedBytes } = situation
  if (reason === 'outside_pytorch' && outsideBytes !== null) {
    const words = { total: bytesWord(deviceTotalBytes), free: bytesWord(deviceFreeBytes), reserved: bytesWord(reservedBytes) }
    proofs.push(evidence('outside_bytes', outsideBytes, 'bytes', words))
    const { ownOutsideBytes } = situation
    const isOwn = ownOutsideBytes !== null && ownOutsideBytes > outsideBytes / 2
    if (ownOutsideBytes !== null) proofs.push(evidence('own_outside', ownOutsideBytes, 'bytes'))
    if (situation.otherProcessBytes !== null) proofs.push(evidence('other_processes', situation.otherProcessBytes, 'bytes'))
    const trend = metrics?.outside
    if (trend && trend.order > 0.5 && trend.slope > 0)
      proofs.push(evidence('outside_growth', trend.slope, 'bytes/step', {}, isOwn ? 'outside_growth_own' : 'outside_growth'))
    const share = shareOf(outsideBytes, deviceTotalBytes)
    return (0.4 + 0.58 * ramp(share, 0.15, 0.4)) * (isOwnGrowth(metrics) && share < 0.5 ? 0.8 : 1)
  }
  const isUnknown = deviceTotalBytes === null && allowedBytes === null && deviceFreeBytes !== null && reservedBytes !== null
  if (!isUnknown || segmentBytes === null || deviceFreeBytes >= segmentBytes) return 0
  proofs.push(
    evidence('outside_unknown_total', deviceFreeBytes, 'bytes', { segment: bytesWord(segmentBytes), reserved: bytesWord(reservedBytes) }),
  )
  return 0.85 * ramp(1 - (reservedBytes + deviceFreeBytes) / usualDeviceBytes, 0, 0.35)
}

/** What others hold was there before, and this program's own memory grew until nothing was left. */
function isOwnGrowth(metrics: Subject['metrics']): boolean {
  if (!metrics || ((metrics.outside?.order ?? 0) > 0.5 && (metrics.outside?.slope ?? 0) > 0)) return false
  return (metrics.allocated?.order ?? 0) > 0.6 || (metrics.peakWithSize ?? 0) > 0.7
}

function privatePools({ situation }: Subject, proofs: Evidence[]): number {
  const { privateBytes, reservedBytes } = situation
  if (!situation.isFailure || privateBytes === null || reservedBytes === null) return 0
  const share = shareOf(privateBytes, reservedBytes)
  if (share < 0.1) return 0
  proofs.push(evidence('private_pools', privateBytes, 'bytes', { share: formatPercent(share) }))
  return 0.95 * ramp(share, 0.15, 0.5)
}
