// Where the parts of the block map lie, in CSS pixels of the canvas. 4 px grid.
import type { Frame } from '../../scene/display-list.ts'

export interface BlocksLayout {
  readonly widthPx: number
  readonly heightPx: number
  readonly ruler: Frame // byte axis over the bars, heads of the columns beside it
  readonly request: Frame // the size asked for, to scale; zero high without one
  readonly rows: Frame // whole width, scrolls
  readonly plot: Frame // the bars' part of the rows
  readonly columns: readonly NumberColumn[]
}

export const numberColumns = ['allocated', 'share', 'free', 'largest'] as const
export type ColumnName = (typeof numberColumns)[number]

export interface NumberColumn {
  readonly name: ColumnName
  readonly rightPx: number // its texts end here
}

const marginPx = 16
const rulerPx = 32
const requestPx = 52
const smallRequestPx = 40
const smallHeightPx = 320
const leastHeightPx = 200 // lower, the rows need all there is and the tile alone tells of the request
const leftPx = 196
const leftWithOriginPx = 316 // streams and pools beside the sizes
const originFromPx = 760
const columnPx = { allocated: 84, share: 68, free: 84, largest: 92 } as const satisfies Record<ColumnName, number>
/** Columns that a width has room for: the bars keep most of it. */
const columnsFrom: readonly (readonly [widthPx: number, names: readonly ColumnName[]])[] = [
  [1000, numberColumns],
  [840, ['allocated', 'free', 'largest']],
  [640, ['free', 'largest']],
  [0, ['largest']],
]

export const rowHeights = [16, 20, 24, 32, 48, 64, 96] as const
export const twoLinesFromPx = 32
/** A row is eighths: a gap, six of bar, a gap. The raster has the same eighths. */
export const eighths = 8

export interface LayoutParts {
  readonly hasRequest: boolean
  readonly hasOrigin: boolean // several streams or pools: rows name theirs
  readonly topPx?: number // kept free above, for the title of a picture
}

/** Lays out the canvas. */
export function layoutBlocks(widthPx: number, heightPx: number, { hasRequest, hasOrigin, topPx = 0 }: LayoutParts): BlocksLayout {
  const left = hasOrigin && widthPx >= originFromPx ? leftWithOriginPx : leftPx
  const names = columnsFrom.find(([least]) => widthPx >= least)?.[1] ?? []
  let rightPx = widthPx - marginPx
  const columns = [...names].reverse().map((name): NumberColumn => {
    const column = { name, rightPx }
    rightPx -= columnPx[name]
    return column
  })
  const plotWidthPx = Math.max(16, Math.floor(rightPx - left - (columns.length > 0 ? 8 : 0)))
  const requestHeightPx = hasRequest ? requestRoomPx(heightPx) : 0
  const rowsY = topPx + rulerPx + requestHeightPx
  const bar = (yPx: number, barPx: number): Frame => ({ xPx: left, yPx, widthPx: plotWidthPx, heightPx: barPx })
  const rowsPx = Math.max(16, heightPx - rowsY)
  return {
    widthPx,
    heightPx,
    ruler: bar(topPx, rulerPx),
    request: bar(topPx + rulerPx, requestHeightPx),
    rows: { xPx: 0, yPx: rowsY, widthPx, heightPx: rowsPx },
    plot: bar(rowsY, rowsPx),
    columns: columns.reverse(),
  }
}

function requestRoomPx(heightPx: number): number {
  if (heightPx < leastHeightPx) return 0
  return heightPx < smallHeightPx ? smallRequestPx : requestPx
}

/** The highest rows that show all lines at once, at most 48 px; 24 px when they do not fit anyway. */
export function fittingRowPx(lineCount: number, heightPx: number): number {
  const fits = [48, 32, 24, 20, 16].find((rowPx) => rowPx * lineCount <= heightPx)
  return fits ?? 24
}

/** The next higher (+1) or lower (−1) rows. */
export function steppedRowPx(rowPx: number, direction: 1 | -1): number {
  const at = rowHeights.findIndex((each) => each >= rowPx)
  return rowHeights[Math.min(Math.max(at + direction, 0), rowHeights.length - 1)] ?? rowPx
}

/** Kept free below the last row. */
export const scrollSparePx = 8

/** Farthest one can scroll. */
export const mostScrollPx = (lineCount: number, rowPx: number, rows: Frame): number =>
  Math.max(0, lineCount * rowPx + scrollSparePx - rows.heightPx)
