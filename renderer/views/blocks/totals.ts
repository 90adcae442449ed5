// Sums over the segments of one moment, and the tiles that say them. Screen and pictures share both.
import type { Segments } from '../../../preload/contract/queries.ts'
import { exactBytes, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import type { Request } from './model-input.ts'
import type { Translate } from './texts.ts'
import { hintOf, type Outcome, outcomeOf, reasonOf } from './verdict.ts'

export interface Totals {
  readonly segments: number
  readonly reserved: number
  readonly allocated: number
  readonly active: number
  readonly requested: number
  readonly free: number
  readonly returnable: number
  readonly stranded: number // free in segments that hold something: emptying the cache does not return it
  readonly blocks: number
  readonly freeBlocks: number
  readonly largestFree: number
}

const sums = new WeakMap<Segments, Totals>()

/** The sums; made once an answer. */
export function totalsOf(segments: Segments): Totals {
  const known = sums.get(segments)
  if (known) return known
  const sum = (values: Float64Array): number => values.reduce((all, each) => all + each, 0)
  const [free, returnable] = [sum(segments.freeBytes), sum(segments.returnableBytes)]
  const totals: Totals = {
    segments: segments.totalBytes.length,
    reserved: sum(segments.totalBytes),
    allocated: sum(segments.allocatedBytes),
    active: sum(segments.activeBytes),
    requested: sum(segments.requestedBytes),
    free,
    returnable,
    stranded: free - returnable,
    blocks: sum(segments.blockCount),
    freeBlocks: sum(segments.freeBlockCount),
    largestFree: segments.largestFreeBytes.reduce((most, bytes) => Math.max(most, bytes), 0),
  }
  sums.set(segments, totals)
  return totals
}

export interface Tile {
  readonly name: 'reserved' | 'allocated' | 'free' | 'largest' | 'request'
  readonly label: string
  readonly value: string
  readonly exact: string
  readonly note: string
  readonly verdict: { readonly outcome: Outcome; readonly text: string } | undefined
}

/** The tiles above the picture. */
export function tilesOf(totals: Totals, request: Request | undefined, t: Translate): Tile[] {
  const tile = (name: Exclude<Tile['name'], 'request'>, bytes: number, note: string): Tile => ({
    name,
    label: t(`tile.${name}`),
    value: formatBytes(bytes),
    exact: exactBytes(bytes),
    note,
    verdict: undefined,
  })
  const segments = t('tile.segments', { count: totals.segments, shown: formatCount(totals.segments) })
  const fit = request?.fit
  return [
    tile('reserved', totals.reserved, segments),
    tile('allocated', totals.allocated, t('tile.ofReserved', { share: formatShare(totals.allocated, totals.reserved) })),
    tile('free', totals.free, freeNote(totals, t)),
    tile(
      'largest',
      totals.largestFree,
      fit && !fit.fits
        ? t('tile.ofRequest', { share: formatShare(totals.largestFree, fit.rounded) })
        : t('tile.ofFree', { share: formatShare(totals.largestFree, totals.free) }),
    ),
    ...(request ? [requestTile(request, t)] : []),
  ]
}

function freeNote({ freeBlocks, stranded, returnable, free }: Totals, t: Translate): string {
  const blocks = t('tile.blocks', { count: freeBlocks, shown: formatCount(freeBlocks) })
  if (free === 0) return blocks
  if (returnable === 0) return `${blocks}, ${t('tile.allStranded')}`
  if (stranded === 0) return `${blocks}, ${t('tile.allReturnable')}`
  return `${blocks}, ${t('tile.stranded', { bytes: formatBytes(stranded) })}`
}

function requestTile({ bytes, fit, isFailed }: Request, t: Translate): Tile {
  const outcome = fit && outcomeOf(fit, isFailed)
  return {
    name: 'request',
    label: isFailed ? t('tile.requestFailed') : t('tile.request'),
    value: formatBytes(bytes),
    exact: exactBytes(bytes),
    note: fit ? [reasonOf(fit, isFailed, t), hintOf(fit, t)].filter((each) => each !== undefined).join(' ') : t('tile.asking'),
    verdict: outcome && { outcome, text: t(`outcome.${outcome}`) },
  }
}
