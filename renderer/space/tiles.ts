// The seven numbers of the view with their definitions. Pure: screen and pictures say the same.
import { exactBytes, formatBytes, formatCount, formatShare } from '../i18n/format.ts'
import type { Translate } from '../i18n/part-texts.ts'
import { cachedOf, externalOf, type Measures, returnableOf, roundingOf, strandedOf } from './measures.ts'

const tileNames = ['cached', 'stranded', 'returnable', 'largestFree', 'external', 'freeBlocks', 'rounding'] as const
export type TileName = (typeof tileNames)[number]

export interface Tile {
  readonly name: TileName
  readonly label: string
  readonly value: string
  readonly exact: string
  readonly note: string // the number in proportion
  readonly definition: string
}

/** The tiles of a moment. `requestBytes`: of the allocation that failed there. */
export function tilesOf(measures: Measures, requestBytes: number | undefined, t: Translate<'fragmentation'>): Tile[] {
  const cached = cachedOf(measures)
  const { largestFree, freeBlocks, active, reserved } = measures
  const ofCached = (bytes: number): string =>
    cached === 0 ? t('tileNote.noFree') : t('tileNote.ofFree', { share: formatShare(bytes, cached) })
  const bytesTile = (name: TileName, bytes: number, note: string): Tile => ({
    name,
    label: t(`tile.${name}`),
    value: formatBytes(bytes),
    exact: exactBytes(bytes),
    note,
    definition: t(`definition.${name}`),
  })
  const external = formatShare(externalOf(measures), cached > 0 ? 1 : 0)
  return [
    bytesTile('cached', cached, t('tileNote.ofReserved', { share: formatShare(cached, reserved) })),
    bytesTile('stranded', strandedOf(measures), ofCached(strandedOf(measures))),
    bytesTile('returnable', returnableOf(measures), ofCached(returnableOf(measures))),
    bytesTile(
      'largestFree',
      largestFree,
      requestBytes === undefined
        ? ofCached(largestFree)
        : t('tileNote.ofRequest', { share: formatShare(largestFree, requestBytes), bytes: formatBytes(requestBytes) }),
    ),
    { ...bytesTile('external', 0, ''), value: external, exact: external },
    {
      ...bytesTile(
        'freeBlocks',
        0,
        freeBlocks === 0 ? t('tileNote.noFree') : t('tileNote.mean', { bytes: formatBytes(cached / freeBlocks) }),
      ),
      value: formatCount(freeBlocks),
      exact: formatCount(freeBlocks),
    },
    bytesTile('rounding', roundingOf(measures), t('tileNote.ofActive', { share: formatShare(roundingOf(measures), active) })),
  ]
}
