// The totals of one moment, and the tiles that say them. Screen and pictures share both.
import type { SpaceTotals } from '../../../preload/contract/queries.ts'
import { counted, exactBytes, formatBytes, formatCount, formatShare, unknownValue } from '../../i18n/format.ts'
import { judgedOf, type Request } from './model-input.ts'
import type { Translate } from './texts.ts'
import { hintOf, type Judged, type Outcome, outcomeOf, reasonOf } from './verdict.ts'

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

/** From the report of the moment, never from its segments: of these an answer leaves some out. */
export function totalsOf({ totals }: { readonly totals: SpaceTotals }): Totals {
  return {
    segments: totals.segments,
    reserved: totals.reservedBytes,
    allocated: totals.allocatedBytes,
    active: totals.activeBytes,
    requested: totals.requestedBytes,
    free: totals.freeBytes,
    returnable: totals.returnableBytes,
    stranded: totals.freeBytes - totals.returnableBytes,
    blocks: totals.blockCount,
    freeBlocks: totals.freeBlockCount,
    largestFree: totals.largestFreeBytes,
  }
}

const muchRounding = 0.25 // of the bytes in use

/** What rounding costs, in a sentence; undefined while it is little. */
export function roundingNote({ active, requested, blocks, freeBlocks }: Totals, t: Translate): string | undefined {
  const used = blocks - freeBlocks
  if (used === 0 || active - requested < active * muchRounding) return undefined
  return t('rounding', {
    share: formatShare(active - requested, active),
    ...counted(used),
    size: formatBytes(Math.round(active / used)),
    held: formatBytes(Math.round(requested / used)),
  })
}

export interface Tile {
  readonly name: 'reserved' | 'allocated' | 'free' | 'largest' | 'request'
  readonly label: string
  readonly value: string
  readonly exact: string
  readonly note: string
  readonly verdict: { readonly outcome: Outcome; readonly text: string } | undefined
}

/** The tiles above the picture. `keepsRequest`: the request has its place also where there is none. */
export function tilesOf(totals: Totals, request: Request | undefined, t: Translate, keepsRequest = false): Tile[] {
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
      fit && !fit.fits && totals.largestFree < fit.rounded
        ? t('tile.ofRequest', { share: formatShare(totals.largestFree, fit.rounded) })
        : t('tile.ofFree', { share: formatShare(totals.largestFree, totals.free) }),
    ),
    ...(request ? [requestTile(request, t)] : keepsRequest ? [noRequestTile(t)] : []),
  ]
}

function freeNote({ freeBlocks, stranded, returnable, free }: Totals, t: Translate): string {
  const blocks = t('tile.blocks', { count: freeBlocks, shown: formatCount(freeBlocks) })
  if (free === 0) return blocks
  if (returnable === 0) return `${blocks}, ${t('tile.allStranded')}`
  if (stranded === 0) return `${blocks}, ${t('tile.allReturnable')}`
  return `${blocks}, ${t('tile.stranded', { bytes: formatBytes(stranded) })}`
}

function noRequestTile(t: Translate): Tile {
  const label = t('tile.request')
  return { name: 'request', label, value: unknownValue, exact: '', note: t('tile.noRequest'), verdict: undefined }
}

function requestTile(request: Request, t: Translate): Tile {
  const { bytes, isFailed } = request
  const judged = judgedOf(request)
  const outcome = judged && outcomeOf(judged)
  return {
    name: 'request',
    label: isFailed ? t('tile.requestFailed') : t('tile.request'),
    value: formatBytes(bytes),
    exact: exactBytes(bytes),
    note: judged ? noteOf(judged, t) : t('tile.asking'),
    verdict: outcome && { outcome, text: t(`outcome.${outcome}`) },
  }
}

/** All that is to say about a request. */
function noteOf(judged: Judged, t: Translate): string {
  return [reasonOf(judged, t), hintOf(judged.fit, t)].filter((each) => each !== undefined).join(' ')
}
