// The view model: answers of the engine + viewport + theme → display list and hit index. Pure; screen, PNG and SVG share it.
import type { PlacedSpan } from '../../plot/annotations.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { drawLane, drawLaneNames, drawStepBorders, spanAt } from '../../plot/draw-lane.ts'
import { drawRuler } from '../../plot/draw-ruler.ts'
import { bottomOf, contains } from '../../plot/layout.ts'
import { type Flag, flagAt } from '../../plot/note-flags.ts'
import { drawOverview, type OverviewHit, overviewHit } from '../../plot/overview.ts'
import { pxToX } from '../../plot/scales.ts'
import type { DisplayList, Frame } from '../../scene/display-list.ts'
import { barAt, drawBars } from './draw-bars.ts'
import { drawHeat } from './draw-heat.ts'
import { drawCursor, drawHistoryEnds, drawOoms, drawRectangle, drawSelected } from './draw-marks.ts'
import { drawRowLabels, drawSeparators } from './draw-rows.ts'
import { type LifetimesInput, yScaleOf } from './model-input.ts'
import { pxToY } from './y-axis.ts'

const handlePx = 8 // of marks at the plot's edges

/** All layers, back to front. */
export function buildLifetimes(input: LifetimesInput): DisplayList {
  const { layout } = input
  const whole: Frame = { xPx: 0, yPx: 0, widthPx: layout.widthPx, heightPx: layout.heightPx }
  const below: Frame = { ...layout.plot, yPx: layout.ruler.yPx, heightPx: bottomOf(layout.plot) + 1 - layout.ruler.yPx }
  return [
    { clip: whole, items: [...drawOverview(input), ...drawRuler(input), ...drawLaneNames(input), ...drawRowLabels(input)] },
    { clip: layout.lane, items: drawLane(input) },
    {
      clip: layout.plot,
      items: [...drawHeat(input), ...drawSeparators(input), ...drawStepBorders(input), ...drawBars(input), ...drawHistoryEnds(input)],
    },
    { clip: layout.plot, items: drawSelected(input) },
    { clip: below, items: drawRectangle(input) },
    {
      clip: { ...below, xPx: below.xPx - handlePx, widthPx: below.widthPx + 2 * handlePx },
      items: [...drawOoms(input), ...drawCursor(input)],
    },
  ]
}

export type Hit =
  | OverviewHit
  | { readonly region: 'ruler'; readonly x: number; readonly flag: Flag | undefined }
  | { readonly region: 'lane'; readonly x: number; readonly placed: PlacedSpan | undefined }
  | { readonly region: 'rows'; readonly x: number; readonly y: number }
  | { readonly region: 'plot'; readonly x: number; readonly y: number; readonly allocationId: number | undefined } // known while single lifetimes are drawn

/** What lies under a point of the canvas. */
export function hitTest(input: LifetimesInput, xPx: number, yPx: number): Hit | undefined {
  const { layout } = input
  if (layout.overview.heightPx > 0 && yPx < bottomOf(layout.overview)) return overviewHit(input, xPx)
  const x = pxToX(xScaleOf(input), xPx)
  if (contains(layout.ruler, xPx, yPx)) return { region: 'ruler', x, flag: flagAt(input, xPx, yPx) }
  if (contains(layout.lane, xPx, yPx)) return { region: 'lane', x, placed: spanAt(input, x, yPx) }
  const y = pxToY(yScaleOf(input), yPx)
  if (contains({ ...layout.plot, xPx: 0, widthPx: layout.plot.xPx }, xPx, yPx)) return { region: 'rows', x: input.visible.x0, y }
  if (!contains(layout.plot, xPx, yPx)) return undefined
  const bar = barAt(input, xPx, yPx)
  return { region: 'plot', x, y, allocationId: bar && input.bars?.data.allocation[bar.index] }
}
