// Cells of many lanes as one raster over the whole plot, so that one quad draws them: cells are two pixels high, and rows without lanes
// are empty.
import type { Frame } from '../../scene/display-list.ts'
import { cellOf } from './colors.ts'
import { lanePx, rowPaddingPx, type ShownRow } from './layout.ts'
import type { PlacedRaster } from './trace-data.ts'

const cellPx = 2
/** Height of a slice in its lane. */
export const slicePx = 16

export interface CellGrid {
  readonly columns: number
  readonly rows: number
  readonly cells: Uint8Array // column-major, row 0 at the bottom
}

interface Band {
  readonly offset: number // of the lane's first cell in the answer
  readonly first: number // rows of the grid
  readonly end: number
}

/** Where each lane that was answered lies on the grid. */
function bandsOf({ placeOf, data }: PlacedRaster, shown: readonly ShownRow[], plot: Frame, pinnedPx: number): Band[] {
  const rows = Math.floor(plot.heightPx / cellPx)
  const bands: Band[] = []
  for (const { row, topPx } of shown) {
    if (row.kind !== 'track') continue
    const ceilingPx = row.isPinned ? 0 : pinnedPx
    const floorPx = row.isPinned ? pinnedPx : plot.heightPx
    for (let lane = 0; lane < row.laneCount; lane++) {
      const fromPx = topPx - plot.yPx + rowPaddingPx + lane * lanePx
      const top = Math.max(fromPx, ceilingPx)
      const bottom = Math.min(fromPx + slicePx, floorPx)
      const place = placeOf.get(row.track.firstLane + lane)
      if (place === undefined || bottom <= top) continue
      bands.push({ offset: place * data.columns, first: rows - Math.ceil(bottom / cellPx), end: rows - Math.floor(top / cellPx) })
    }
  }
  return bands
}

interface KeptGrid {
  readonly by: readonly unknown[]
  readonly grid: CellGrid
}

let kept: KeptGrid | undefined

/** The grid of an answer for the rows in sight. Kept while they stand still: panning only stretches it. */
export function gridOf(raster: PlacedRaster, shown: readonly ShownRow[], plot: Frame, pinnedPx: number): CellGrid {
  const first = shown.find(({ row }) => !row.isPinned)
  const by = [raster, plot.heightPx, plot.yPx, pinnedPx, first?.row, first?.topPx, shown.length, shown[0]?.row]
  if (kept?.by.every((each, index) => each === by[index])) return kept.grid
  const grid = makeGrid(raster, bandsOf(raster, shown, plot, pinnedPx), Math.floor(plot.heightPx / cellPx))
  kept = { by, grid }
  return grid
}

function makeGrid({ data }: PlacedRaster, bands: readonly Band[], rows: number): CellGrid {
  const { columns, cells: slots, fill } = data
  const cells = new Uint8Array(columns * rows)
  for (let column = 0; column < columns; column++) {
    const base = column * rows
    for (const { offset, first, end } of bands) {
      const slot = slots[offset + column] ?? 0
      if (slot !== 0) cells.fill(cellOf(slot, fill[offset + column] ?? 0), base + first, base + end)
    }
  }
  return { columns, rows, cells }
}
