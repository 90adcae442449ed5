// Where the parts of the canvas lie, in CSS pixels. 4 px grid.
import type { Frame } from '../../scene/display-list.ts'

export interface FlameLayout {
  readonly widthPx: number
  readonly heightPx: number
  readonly rows: Frame // scrolls
}

const marginPx = 12
export const rowPx = 20
/** Rows of a picture that would not fit otherwise. */
export const lowRowPx = 16

/** Lays out the canvas; `topPx` is kept free above and `bottomPx` below, for title and legend of a picture. */
export function layoutFlame(widthPx: number, heightPx: number, topPx = 4, bottomPx = 4): FlameLayout {
  const rows = { xPx: marginPx, yPx: topPx, widthPx: Math.max(16, widthPx - 2 * marginPx) }
  return { widthPx, heightPx, rows: { ...rows, heightPx: Math.max(16, heightPx - topPx - bottomPx) } }
}

/** How many rows have room on the canvas. */
export const rowsInSight = (heightPx: number): number => Math.max(1, Math.floor((heightPx - 4) / rowPx))

/** Farthest one can scroll. */
export const mostScrollPx = (rowCount: number, heightPx: number): number => Math.max(0, rowCount * rowPx + 4 - heightPx)
