// Where the parts of the curves lie, in CSS pixels: the axis parts that all views share, and a second, lower plot below the first.
import { type AxisLayout, bottomOf, layoutAxis } from '../../plot/layout.ts'
import type { Frame } from '../../scene/display-list.ts'

export interface CurveLayout extends AxisLayout {
  readonly shares: Frame // external fragmentation and number of free blocks
}

const gutterPx = 84 // byte labels, as left of the histogram
const rightGutterPx = 48 // labels of the count axis
const gapPx = 12
const lowPx = 320 // canvases lower than this have no overview
const laneFromPx = 460 // and those lower than this no annotations

/** Height of the second plot. */
const sharesPx = (heightPx: number): number => Math.max(44, Math.min(96, Math.round(heightPx * 0.2)))

/** Lays out the canvas. `overview` false leaves it out, as pictures do. */
export function layoutCurves(widthPx: number, heightPx: number, laneRows: number, overview: boolean): CurveLayout {
  const below = sharesPx(heightPx) + gapPx
  const axis = layoutAxis(widthPx - rightGutterPx, heightPx - below, {
    gutterPx,
    laneRows: heightPx < laneFromPx ? 0 : laneRows,
    overview: overview && heightPx >= lowPx,
  })
  return {
    ...axis,
    widthPx,
    heightPx,
    shares: { ...axis.plot, yPx: bottomOf(axis.plot) + gapPx, heightPx: sharesPx(heightPx) },
  }
}

/** Both plots as one frame: what cursor and selected range run through. */
export const bothPlots = ({ plot, shares }: CurveLayout): Frame => ({ ...plot, heightPx: bottomOf(shares) - plot.yPx })

/** The same layout moved on its page. */
export function movedBy(layout: CurveLayout, dx: number, dy: number): CurveLayout {
  const moved = (frame: Frame): Frame => ({ ...frame, xPx: frame.xPx + dx, yPx: frame.yPx + dy })
  return {
    ...layout,
    overview: moved(layout.overview),
    ruler: moved(layout.ruler),
    lane: moved(layout.lane),
    plot: moved(layout.plot),
    shares: moved(layout.shares),
  }
}
