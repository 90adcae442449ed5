// What the allocator would do with a request, in words. Pure: tiles, side bar and pictures say the same.
import type { FreeTotals, WouldFit } from '../../../preload/contract/queries.ts'
import { counted, formatBytes } from '../../i18n/format.ts'
import { streamWord } from './names.ts'
import type { Translate } from './texts.ts'

/** A request that the capture says was refused at the same moment. */
export interface Refusal {
  readonly bytes: number // asked for
  readonly segmentBytes: number // of the new segment that it would have taken
}

/** A request that the engine has judged, and what the capture itself says of that moment. */
export interface Judged {
  readonly fit: WouldFit
  readonly isFailed: boolean // it is the request that failed
  readonly refused: Refusal | undefined
}

/** fits: a free block takes it · segment: a new segment would, by what the device has free · fails: neither · noBlock: no block, the rest is not sure. */
export type Outcome = 'fits' | 'segment' | 'fails' | 'noBlock'

const smallLimitBytes = 2 ** 20 // larger requests are served from the large pool (spec of the allocator: kSmallSize)

/** Bytes the device could give a new segment: what it reports free and what emptying the cache returns. null: the file does not say. */
const deviceRoom = (fit: WouldFit): number | null => (fit.deviceFreeBytes === null ? null : fit.deviceFreeBytes + fit.returnableBytes)

/** True where a new segment at least as long was refused at that moment. */
const isBeyondRefusal = ({ fit, refused }: Judged): boolean => refused !== undefined && fit.segmentBytes >= refused.segmentBytes

/** True where something other than the device's memory refused a request: how much is allowed is not known. */
const isLimited = ({ fit, refused }: Judged): boolean => refused !== undefined && (deviceRoom(fit) ?? 0) >= refused.segmentBytes

export function outcomeOf(judged: Judged): Outcome {
  const { fit, isFailed } = judged
  if (isFailed) return 'fails'
  if (fit.fits) return 'fits'
  if (isBeyondRefusal(judged)) return 'fails'
  const room = deviceRoom(fit)
  if (room === null) return 'noBlock'
  if (room < fit.segmentBytes) return 'fails'
  return isLimited(judged) ? 'noBlock' : 'segment'
}

/** Why, in one or two sentences: first about the free blocks, then about a new segment. */
export function reasonOf(judged: Judged, t: Translate): string {
  const { fit } = judged
  const { block } = fit
  if (fit.fits && block)
    return t('reason.fits', {
      block: formatBytes(block.sizeBytes),
      rest: formatBytes(block.restBytes),
      ...counted(fit.fittingCount),
    })
  return [noBlockReason(fit, t), segmentReason(judged, t)].join(' ')
}

function noBlockReason(fit: WouldFit, t: Translate): string {
  const { free, rounded } = fit
  const place = streamWord(fit.stream, t)
  if (free.count === 0) return t(fit.segmentType === 'small' ? 'reason.noFreeSmall' : 'reason.noFreeLarge', { place })
  return t('reason.noBlock', { size: formatBytes(rounded), place, largest: formatBytes(free.largestBytes) })
}

function segmentReason(judged: Judged, t: Translate): string {
  const { fit, isFailed, refused } = judged
  const { segmentBytes, deviceFreeBytes, returnableBytes } = fit
  const values = { segment: formatBytes(segmentBytes), returnable: formatBytes(returnableBytes) }
  if (!isFailed && refused && isBeyondRefusal(judged)) return t('reason.refused', { ...values, refused: formatBytes(refused.bytes) })
  if (deviceFreeBytes === null) return t('reason.segmentUnknown', values)
  const free = formatBytes(deviceFreeBytes)
  const missing = segmentBytes - deviceFreeBytes - returnableBytes
  if (missing > 0) return t('reason.segmentFails', { ...values, free, missing: formatBytes(missing) })
  if (isFailed) return t('reason.limit', { ...values, free })
  if (refused && isLimited(judged)) return t('reason.notSure', { ...values, free, refused: formatBytes(refused.bytes) })
  return t(returnableBytes > 0 ? 'reason.segmentAfterEmptying' : 'reason.segmentFits', { ...values, free })
}

/** Bytes of the largest request of the stream and pool that a free block takes; 0 where none does. */
export function largestRequest({ free, otherClass, segmentType }: WouldFit): number {
  const [small, large] = segmentType === 'small' ? [free, otherClass] : [otherClass, free]
  return large.largestBytes > smallLimitBytes ? large.largestBytes : Math.min(small.largestBytes, smallLimitBytes)
}

/** Said where the free blocks hold enough together and none alone. What would have helped only a replay knows: the diagnosis tells. */
export function fragmentationOf(fit: WouldFit, t: Translate): string | undefined {
  if (fit.fits || fit.fittingCount > 0 || fit.free.bytes < fit.rounded) return undefined
  return t('reason.fragmented', { ...counted(fit.free.count), bytes: formatBytes(fit.free.bytes) })
}

/** Free memory that the request may not use, and why; what would take it comes first. */
const otherPlaces = ['pending', 'oversize', 'otherStreams', 'otherPools', 'otherClass'] as const
export type OtherPlace = (typeof otherPlaces)[number]

/** Names of its texts: the other size class has a name of its own. */
export type OtherName = Exclude<OtherPlace, 'otherClass'> | 'smallPool' | 'largePool'

export interface OtherFact {
  readonly place: OtherPlace
  readonly name: OtherName
  readonly totals: FreeTotals
}

/** What lies elsewhere, where there is anything. */
export function factsOf(fit: WouldFit): OtherFact[] {
  const otherClass = fit.segmentType === 'small' ? 'largePool' : 'smallPool'
  return otherPlaces
    .map((place): OtherFact => ({ place, name: place === 'otherClass' ? otherClass : place, totals: fit[place] }))
    .filter(({ place, totals }) => {
      // Pending counts all free blocks as if every pending free had completed: it says something only where it adds a block that fits.
      return place === 'pending' ? totals.fittingCount > fit.free.fittingCount : totals.count > 0
    })
}

/** The hint that matters most: long enough blocks that the request may not use. */
export function hintOf(fit: WouldFit, t: Translate): string | undefined {
  if (fit.fits) return undefined
  const found = factsOf(fit).find(({ totals }) => totals.fittingCount > 0)
  if (!found) return undefined
  return t(`hint.${found.name}`, { ...counted(found.totals.fittingCount), largest: formatBytes(found.totals.largestBytes) })
}
