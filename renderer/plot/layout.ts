// Where the parts of a picture on a horizontal axis lie, in CSS pixels of the canvas column. 4 px grid.
import type { Frame } from '../scene/display-list.ts'

export interface AxisLayout {
  readonly widthPx: number
  readonly heightPx: number
  readonly overview: Frame
  readonly ruler: Frame
  readonly lane: Frame // zero high without annotations
  readonly plot: Frame
}

export const laneRowPx = 20
export const maxLaneRows = 4
const rightPx = 16
const overviewPx = 48
const overviewInsetPx = 4
const twoLinesPx = 36
const lanePaddingPx = 4
const bottomPx = 8

export interface AxisParts {
  readonly gutterPx: number // names and labels left of the plot
  readonly laneRows: number
  readonly overview: boolean // exported pictures need no map of themselves
  readonly rulerPx?: number // two lines high unless said
}

/** Lays out the canvas column: overview, ruler and lane above the plot. */
export function layoutAxis(
  widthPx: number,
  heightPx: number,
  { gutterPx, laneRows, overview, rulerPx = twoLinesPx }: AxisParts,
): AxisLayout {
  const xPx = gutterPx
  const plotWidthPx = Math.max(16, Math.floor(widthPx) - gutterPx - rightPx)
  const frame = (yPx: number, frameHeightPx: number): Frame => ({ xPx, yPx, widthPx: plotWidthPx, heightPx: frameHeightPx })
  const rulerY = overview ? overviewPx : 0
  const laneY = rulerY + rulerPx
  const lanePx = laneRows === 0 ? 0 : laneRows * laneRowPx + lanePaddingPx
  const plotY = laneY + lanePx
  // A multiple of 4 rows: see the row alignment of the raster's texture.
  const plotPx = Math.max(16, Math.floor((heightPx - plotY - bottomPx) / 4) * 4)
  return {
    widthPx,
    heightPx,
    overview: frame(overviewInsetPx, overview ? overviewPx - 2 * overviewInsetPx : 0),
    ruler: frame(rulerY, rulerPx),
    lane: frame(laneY, lanePx),
    plot: frame(plotY, plotPx),
  }
}

export const rightOf = (frame: Frame): number => frame.xPx + frame.widthPx
export const bottomOf = (frame: Frame): number => frame.yPx + frame.heightPx
export const contains = (frame: Frame, xPx: number, yPx: number): boolean =>
  xPx >= frame.xPx && xPx < rightOf(frame) && yPx >= frame.yPx && yPx < bottomOf(frame)
