// What stands left of the rows: what they are, as lines of text.
import type { LifetimeOrder } from '../../../preload/contract/queries.ts'
import { categoryName } from '../../categories/words.ts'
import { formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import type { Translate } from './texts.ts'
import type { SpaceRow } from './y-axis.ts'

/** What a trace held before its start is one allocation, whose address nobody recorded: 0. */
export const hasNoAddress = ({ address }: Pick<SpaceRow, 'address'>): boolean => address !== undefined && BigInt(address) === 0n

/** A row in words: what it is, and a second line where there is room. */
export function rowWords(row: SpaceRow, order: LifetimeOrder, t: Translate): readonly [first: string, second: string] {
  if (hasNoAddress(row)) return [t('heldBefore'), formatBytes(row.bytes ?? 0)]
  if (row.address !== undefined) return [formatAddress(row.address), formatBytes(row.bytes ?? 0)]
  const count = t('allocations', { count: row.count ?? 0, allocations: formatCount(row.count ?? 0) })
  if (order === 'size') return [t('sizeFrom', { bytes: formatBytes(row.fromBytes ?? 0) }), count]
  if (row.category !== undefined) return [categoryName(row.category), count]
  return [stackTitle(row.title ?? ''), row.place ? `${row.place} · ${count}` : count]
}
