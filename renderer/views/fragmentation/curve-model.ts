// The curves' view model: answers of the engine + viewport + theme → display list and hit test. Pure; screen, PNG and SVG share it.
import type { PlacedSpan } from '../../plot/annotations.ts'
import { drawByteAxis, drawByteGrid } from '../../plot/draw-bytes.ts'
import { drawLane, drawLaneNames, drawStepBorders, spanAt } from '../../plot/draw-lane.ts'
import { drawSelectedRange } from '../../plot/draw-range.ts'
import { drawRuler } from '../../plot/draw-ruler.ts'
import { bottomOf, contains } from '../../plot/layout.ts'
import { type Flag, flagAt } from '../../plot/note-flags.ts'
import { drawOoms, type OomMark, oomMarks } from '../../plot/oom-marks.ts'
import { drawOverview, type OverviewHit, overviewHit } from '../../plot/overview.ts'
import { pxToX } from '../../plot/scales.ts'
import type { DisplayList, Frame, Item, TextItem } from '../../scene/display-list.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'
import { bothPlots } from './curve-layout.ts'
import { drawMoment, drawUnknownPast } from './draw-moment.ts'
import { drawNames } from './draw-names.ts'
import { byteAxisOf, drawGridCuts, drawLines, drawParts } from './draw-parts.ts'
import { drawShareAxes, drawShareNames, drawShares } from './draw-shares.ts'

const markReachPx = 8

/** All layers of the curves, back to front. */
export function buildCurves(input: CurveInput): DisplayList {
  const { layout } = input
  const whole: Frame = { xPx: 0, yPx: 0, widthPx: layout.plot.xPx + layout.widthPx, heightPx: bottomOf(layout.shares) + 8 }
  const both = bothPlots(layout)
  const below: Frame = { ...both, yPx: layout.ruler.yPx, heightPx: bottomOf(both) + 1 - layout.ruler.yPx }
  const through: CurveInput = { ...input, layout: { ...layout, plot: both } }
  // Texts in the order of their weight: each takes a place that those before it have left.
  const ooms = drawOoms(input)
  const past = drawUnknownPast(input)
  const names = drawNames(input, textsOf([...ooms, ...past]))
  return [
    {
      clip: whole,
      items: [
        ...drawOverview(input),
        ...drawRuler(input),
        ...drawLaneNames(input),
        ...drawByteAxis(byteAxisOf(input)),
        ...drawShareAxes(input),
      ],
    },
    { clip: layout.lane, items: drawLane(input) },
    {
      clip: layout.plot,
      items: [
        ...drawByteGrid(byteAxisOf(input)),
        ...drawParts(input),
        ...drawGridCuts(input),
        ...drawStepBorders(input),
        ...drawLines(input),
      ],
    },
    { clip: layout.shares, items: drawShares(input) },
    { clip: both, items: past },
    { clip: layout.plot, items: [...names, ...ooms] },
    { clip: layout.shares, items: drawShareNames(input) },
    { clip: below, items: [...drawSelectedRange(through), ...drawMoment(input)] },
  ]
}

const textsOf = (items: readonly Item[]): TextItem[] => items.filter((item) => item.kind === 'text')

export type CurveHit =
  | OverviewHit
  | { readonly region: 'ruler'; readonly x: number; readonly flag: Flag | undefined }
  | { readonly region: 'lane'; readonly x: number; readonly placed: PlacedSpan | undefined }
  | { readonly region: 'plot'; readonly x: number; readonly mark: OomMark | undefined }

/** What lies under a point of the canvas. */
export function hitCurves(input: CurveInput, xPx: number, yPx: number): CurveHit | undefined {
  const { layout } = input
  if (layout.overview.heightPx > 0 && yPx < bottomOf(layout.overview)) return overviewHit(input, xPx)
  const x = pxToX(scalesOf(input), xPx)
  if (contains(layout.ruler, xPx, yPx)) return { region: 'ruler', x, flag: flagAt(input, xPx, yPx) }
  if (contains(layout.lane, xPx, yPx)) return { region: 'lane', x, placed: spanAt(input, x, yPx) }
  if (!contains(bothPlots(layout), xPx, yPx)) return undefined
  const mark = oomMarks(input).find((each) => Math.abs(each.xPx - xPx) <= markReachPx && Math.abs(each.yPx - yPx) <= markReachPx + 2)
  return { region: 'plot', x, mark }
}
