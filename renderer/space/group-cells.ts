// Rows of the table by pool, stream and class in words and numbers for people.
import { exactBytes, formatBytes, formatCount, formatShare } from '../i18n/format.ts'
import type { Translate } from '../i18n/part-texts.ts'
import { poolTitle } from '../plot/legend.ts'
import { type GroupColumn, type GroupRow, groupValue } from './groups.ts'
import { cachedOf } from './measures.ts'

/** A number of a row as text, and with all digits. */
export function groupCell(row: Pick<GroupRow, 'segments' | 'measures'>, column: Exclude<GroupColumn, 'group'>): readonly [string, string] {
  const value = groupValue(row, column)
  if (column === 'external') {
    const text = formatShare(value, cachedOf(row.measures) > 0 ? 1 : 0)
    return [text, text]
  }
  if (column === 'segments' || column === 'freeBlocks') return [formatCount(value), formatCount(value)]
  return [formatBytes(value), exactBytes(value)]
}

/** Pool, stream and class, short enough for a row. */
export function groupName({ pool, stream, segmentType }: GroupRow, t: Translate<'fragmentation'>): string {
  const words = [pool === '' ? t('groups.unknownPool') : poolTitle(pool), stream === '' ? t('groups.unknownStream') : stream]
  return [...words, t(`groups.${segmentType}`)].join(' · ')
}
