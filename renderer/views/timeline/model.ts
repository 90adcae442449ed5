// The timeline's view model: answers of the engine + viewport + theme → display list and hit index. Pure; screen, PNG and SVG share it.
import type { PlacedSpan } from '../../plot/annotations.ts'
import { drawByteAxis, drawByteGrid } from '../../plot/draw-bytes.ts'
import { drawLane, drawLaneNames, drawStepBorders, spanAt } from '../../plot/draw-lane.ts'
import { drawSelectedRange } from '../../plot/draw-range.ts'
import { drawRuler } from '../../plot/draw-ruler.ts'
import { bottomOf, contains } from '../../plot/layout.ts'
import { type Flag, flagAt } from '../../plot/note-flags.ts'
import { drawOoms, type OomMark, oomMarks } from '../../plot/oom-marks.ts'
import { drawOverview, type OverviewHit, overviewHit } from '../../plot/overview.ts'
import { pxToBytes, pxToX } from '../../plot/scales.ts'
import type { DisplayList, Frame, Item, TextItem } from '../../scene/display-list.ts'
import { drawCursor, drawHistoryEnds, drawPeak, type PeakMark, peakMark } from './draw-marks.ts'
import { byteAxisOf, drawBandLabels, drawBands, drawCurveNames, drawCurves, drawOutline } from './draw-plot.ts'
import { scalesOf, type TimelineInput } from './model-input.ts'

const markReachPx = 8

/** Bytes at the plot's top: a little above the most that was ever reserved, so that panning does not move the scale. */
export function topBytes(peakReservedBytes: number, peakAllocatedBytes: number): number {
  return Math.max(peakReservedBytes, peakAllocatedBytes, 1) * 1.1
}

/** All layers of the timeline, back to front. */
export function buildTimeline(input: TimelineInput): DisplayList {
  const { layout } = input
  const whole: Frame = { xPx: 0, yPx: 0, widthPx: layout.widthPx, heightPx: layout.heightPx }
  const below: Frame = { ...layout.plot, yPx: layout.ruler.yPx, heightPx: bottomOf(layout.plot) + 1 - layout.ruler.yPx }
  // Texts in the order of their weight: each takes a place that those before it have left.
  const ooms = drawOoms(input)
  const peak = drawPeak(input, textsOf(ooms))
  const ends = drawHistoryEnds(input, textsOf([...ooms, ...peak]))
  const names = drawCurveNames(input, textsOf([...ooms, ...peak, ...ends]))
  const labels = drawBandLabels(input, textsOf([...ooms, ...peak, ...ends, ...names]))
  return [
    { clip: whole, items: [...drawOverview(input), ...drawRuler(input), ...drawLaneNames(input), ...drawByteAxis(byteAxisOf(input))] },
    { clip: layout.lane, items: drawLane(input) },
    {
      clip: layout.plot,
      items: [...drawByteGrid(byteAxisOf(input)), ...drawStepBorders(input), ...drawBands(input), ...drawCurves(input)],
    },
    { clip: layout.plot, items: [...labels, ...drawOutline(input), ...ends, ...names, ...ooms, ...peak] },
    { clip: below, items: [...drawSelectedRange(input), ...drawCursor(input)] },
  ]
}

const textsOf = (items: readonly Item[]): TextItem[] => items.filter((item) => item.kind === 'text')

export type Hit =
  | OverviewHit
  | { readonly region: 'ruler'; readonly x: number; readonly flag: Flag | undefined }
  | { readonly region: 'lane'; readonly x: number; readonly placed: PlacedSpan | undefined }
  | { readonly region: 'plot'; readonly x: number; readonly bytes: number; readonly mark: PeakMark | OomMark | undefined }

/** What lies under a point of the canvas. */
export function hitTest(input: TimelineInput, xPx: number, yPx: number): Hit | undefined {
  const { layout } = input
  if (layout.overview.heightPx > 0 && yPx < bottomOf(layout.overview)) return overviewHit(input, xPx)
  const x = pxToX(scalesOf(input), xPx)
  if (contains(layout.ruler, xPx, yPx)) return { region: 'ruler', x, flag: flagAt(input, xPx, yPx) }
  if (contains(layout.lane, xPx, yPx)) return { region: 'lane', x, placed: spanAt(input, x, yPx) }
  if (!contains(layout.plot, xPx, yPx)) return undefined
  const peak = peakMark(input)
  const marks = peak ? [...oomMarks(input), peak] : oomMarks(input)
  const mark = marks.find((each) => Math.abs(each.xPx - xPx) <= markReachPx && Math.abs(each.yPx - yPx) <= markReachPx + 2)
  return { region: 'plot', x, bytes: pxToBytes(scalesOf(input), yPx), mark }
}
