// What the allocator would do with a request, in words. Pure: tiles, side bar and pictures say the same.
import type { FreeTotals, WouldFit } from '../../../preload/contract/queries.ts'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { streamWord } from './names.ts'
import type { Translate } from './texts.ts'

/** fits: a free block takes it · segment: a new segment would, by what the device has free · fails: neither · noBlock: no block, the rest is unknown. */
export type Outcome = 'fits' | 'segment' | 'fails' | 'noBlock'

/** Bytes the device could give a new segment: what it reports free and what emptying the cache returns. null: the file does not say. */
export const deviceRoom = (fit: WouldFit): number | null =>
  fit.deviceFreeBytes === null ? null : fit.deviceFreeBytes + fit.returnableBytes

export function outcomeOf(fit: WouldFit, isFailed: boolean): Outcome {
  if (isFailed) return 'fails'
  if (fit.fits) return 'fits'
  const room = deviceRoom(fit)
  if (room === null) return 'noBlock'
  return room >= fit.segmentBytes ? 'segment' : 'fails'
}

/** Why, in one or two sentences: first about the free blocks, then about a new segment. */
export function reasonOf(fit: WouldFit, isFailed: boolean, t: Translate): string {
  const { block } = fit
  if (fit.fits && block)
    return t('reason.fits', {
      block: formatBytes(block.sizeBytes),
      rest: formatBytes(block.restBytes),
      count: formatCount(fit.fittingCount),
    })
  return [noBlockReason(fit, t), segmentReason(fit, isFailed, t)].join(' ')
}

function noBlockReason(fit: WouldFit, t: Translate): string {
  const { free, rounded } = fit
  const place = streamWord(fit.stream, t)
  if (free.count === 0) return t('reason.noFree', { place })
  return t('reason.noBlock', { size: formatBytes(rounded), place, largest: formatBytes(free.largestBytes) })
}

function segmentReason(fit: WouldFit, isFailed: boolean, t: Translate): string {
  const { segmentBytes, deviceFreeBytes, returnableBytes } = fit
  const values = { segment: formatBytes(segmentBytes), returnable: formatBytes(returnableBytes) }
  if (deviceFreeBytes === null) return t('reason.segmentUnknown', values)
  const missing = segmentBytes - deviceFreeBytes - returnableBytes
  if (missing > 0) return t('reason.segmentFails', { ...values, free: formatBytes(deviceFreeBytes), missing: formatBytes(missing) })
  if (isFailed) return t('reason.limit', { ...values, free: formatBytes(deviceFreeBytes) })
  return t(returnableBytes > 0 ? 'reason.segmentAfterEmptying' : 'reason.segmentFits', { ...values, free: formatBytes(deviceFreeBytes) })
}

/** Free memory that the request may not use, and why; what would take it comes first. */
export const otherPlaces = ['pending', 'oversize', 'otherStreams', 'otherPools', 'otherClass'] as const
export type OtherPlace = (typeof otherPlaces)[number]

export interface OtherFact {
  readonly place: OtherPlace
  readonly totals: FreeTotals
}

/** What lies elsewhere, where there is anything. */
export function factsOf(fit: WouldFit): OtherFact[] {
  return otherPlaces
    .map((place) => ({ place, totals: fit[place] }))
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
  return t(`hint.${found.place}`, { count: formatCount(found.totals.fittingCount), largest: formatBytes(found.totals.largestBytes) })
}
