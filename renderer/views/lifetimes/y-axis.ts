// The vertical axis: y grows downwards, in the unit of the order (native/README.md, Lifetimes).
import type { LifetimeOrder, LifetimeSpace } from '../../../preload/contract/queries.ts'
import type { Frame } from '../../scene/display-list.ts'

export interface YRange {
  readonly y0: number
  readonly y1: number
}

export interface YScale {
  readonly y: YRange
  readonly plot: Frame
}

export type SpaceRow = LifetimeSpace['rows'][number]

export const heightOf = ({ y0, y1 }: YRange): number => y1 - y0

export const yToPx = ({ y, plot }: YScale, at: number): number => plot.yPx + ((at - y.y0) / heightOf(y)) * plot.heightPx

export const pxToY = ({ y, plot }: YScale, yPx: number): number => y.y0 + ((yPx - plot.yPx) / plot.heightPx) * heightOf(y)

export const byAddress = (order: LifetimeOrder): boolean => order === 'address' || order === 'address_sqrt'

/** True for orders in which many allocations share a row, so that their bars are laid beside each other. */
export const sharesRows = (order: LifetimeOrder): boolean => order === 'size' || order === 'stack' || order === 'category'

/** The least height worth looking at: a smallest block, or one row. */
function leastHeight(order: LifetimeOrder): number {
  if (order === 'address') return 4096
  if (order === 'address_sqrt') return 4
  return order === 'allocation' ? 8 : 1
}

/** A range no higher than all there is and no lower than is useful, inside it. */
export function clampY(range: YRange, order: LifetimeOrder, end: number): YRange {
  const height = Math.min(Math.max(heightOf(range), Math.min(leastHeight(order), end)), end)
  const middle = (range.y0 + range.y1) / 2
  const y0 = Math.min(Math.max(middle - height / 2, 0), end - height)
  return { y0, y1: y0 + height }
}

/** Zooms by a factor (> 1 = closer) so that `at` keeps its place. */
export const zoomY = ({ y0, y1 }: YRange, factor: number, at: number): YRange => ({
  y0: at - (at - y0) / factor,
  y1: at + (y1 - at) / factor,
})

/** Index of the first row that ends after y; the number of rows when none does. */
function firstRowAfter(rows: readonly SpaceRow[], y: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.y1 ?? 0) > y) high = middle
    else low = middle + 1
  }
  return low
}

/** The rows that lie in a range. */
export function rowsIn(rows: readonly SpaceRow[], { y0, y1 }: YRange): readonly SpaceRow[] {
  const first = firstRowAfter(rows, y0)
  let end = first
  while (end < rows.length && (rows[end]?.y0 ?? 0) < y1) end++
  return rows.slice(first, end)
}

/** The row at y. */
export function rowAt(rows: readonly SpaceRow[], y: number): SpaceRow | undefined {
  const row = rows[firstRowAfter(rows, y)]
  return row && row.y0 <= y ? row : undefined
}

/** The address at y (0x…), where y runs over addresses. */
export function addressAt(row: SpaceRow, y: number): string | undefined {
  if (row.address === undefined || row.bytes === undefined) return undefined
  const share = Math.min(Math.max((y - row.y0) / heightOf(row), 0), 1)
  return `0x${(BigInt(row.address) + BigInt(Math.floor(share * row.bytes))).toString(16)}`
}
