// Rows that the filter emptied are folded away: y of the view numbers the rows that are left, y of the engine all of them. Only for orders
// in which allocations share rows of one unit.
import type { LifetimeRaster, LifetimeSpace } from '../../../preload/contract/queries.ts'
import type { YRange } from './y-axis.ts'

/** The engine's units that are left, ascending. */
export type RowFold = readonly number[]

export const sameFold = (a: RowFold | undefined, b: RowFold | undefined): boolean => a === b || a?.join() === b?.join()

const leastRows = 4 // a unit; a multiple of what the texture wants
const mostCells = 4_000_000

/** A place of the view's y in the engine's. `isEnd`: of a range, which ends with the row before it. */
export function toEngineY(fold: RowFold | undefined, y: number, isEnd = false): number {
  if (!fold || fold.length === 0) return y
  const at = Math.min(Math.max(isEnd ? Math.ceil(y) - 1 : Math.floor(y), 0), fold.length - 1)
  return (fold[at] ?? 0) + (y - at)
}

/** A row of the engine's y in the view's; undefined where it is folded away. */
export function toShownY(fold: RowFold | undefined, y: number): number | undefined {
  if (!fold) return y
  const at = fold.indexOf(Math.floor(y))
  return at < 0 ? undefined : at + (y - Math.floor(y))
}

/** A range of the engine's y that lies in one row. */
export function toShownRow(fold: RowFold | undefined, { y0, y1 }: YRange): YRange | undefined {
  const from = toShownY(fold, y0)
  return from === undefined ? undefined : { y0: from, y1: from + (y1 - y0) }
}

/** The units in which a raster of one row a unit, over all of y, shows anything. */
export function unitsLeft({ cells, rows, columns }: Pick<LifetimeRaster, 'cells' | 'rows' | 'columns'>, unitCount: number): RowFold {
  const isLeft = (unit: number): boolean => {
    const row = rows - 1 - unit
    return Array.from({ length: columns }, (_, column) => cells[column * rows + row]).some((cell) => cell !== 0)
  }
  return Array.from({ length: unitCount }, (_, unit) => unit).filter(isLeft)
}

/** The space with the rows that are left, one after the other. */
export function foldSpace(space: LifetimeSpace, fold: RowFold): LifetimeSpace {
  const rows = space.rows.flatMap((row) => {
    const y = toShownRow(fold, row)
    return y ? [{ ...row, ...y }] : []
  })
  return { y1: fold.length, rows }
}

export interface FoldedGrid {
  readonly y: YRange // asked of the engine: whole rows
  readonly shown: YRange // the same without those folded away
  readonly rows: number // of the engine's raster
  readonly perUnit: number
}

/** The raster to ask for, of whole rows around a range of the view's y, with about `rows` rows for those that are left. */
export function foldedGrid(fold: RowFold, { y0, y1 }: YRange, rows: number, columns: number, mostRows: number): FoldedGrid {
  const first = Math.min(Math.max(Math.floor(y0), 0), fold.length - 1)
  const end = Math.min(Math.max(Math.ceil(y1), first + 1), fold.length)
  const y = { y0: fold[first] ?? 0, y1: (fold[end - 1] ?? 0) + 1 }
  const units = y.y1 - y.y0
  const most = Math.min(mostRows / units, mostCells / columns / units)
  const perUnit = Math.max(leastRows, Math.floor(Math.min(rows / (end - first), most) / leastRows) * leastRows)
  return { y, shown: { y0: first, y1: end }, rows: units * perUnit, perUnit }
}

/** The raster of whole rows without those folded away. */
export function foldRaster(raster: LifetimeRaster, fold: RowFold, { y, shown, perUnit }: FoldedGrid): LifetimeRaster {
  const kept = fold.slice(shown.y0, shown.y1)
  const rows = kept.length * perUnit
  const cells = new Uint8Array(raster.columns * rows)
  for (let column = 0; column < raster.columns; column++) {
    for (const [index, unit] of kept.entries()) {
      // Row 0 is the lowest on screen.
      const from = column * raster.rows + (y.y1 - 1 - unit) * perUnit
      cells.set(raster.cells.subarray(from, from + perUnit), column * rows + (kept.length - 1 - index) * perUnit)
    }
  }
  return { ...raster, rows, cells }
}
