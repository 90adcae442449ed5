// Asks the engine for everything a finished picture shows, at the picture's own resolution.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import {
  type CategoryTotals,
  maxSidePx,
  type StackShare,
  type TimelineCurves,
  type TimelineRaster,
} from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { allocatedAt, askMoment } from '../../focus/moments.ts'
import { type PlacedSpan, placeSpans, rowsOf } from '../../plot/annotations.ts'
import type { AxisLayout } from '../../plot/layout.ts'
import { maxLaneRows } from '../../plot/layout.ts'
import type { Emphasis, EventState, Placed, TopStacks } from '../../plot/placed.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import type { PictureOptions } from '../view.ts'
import { emphasisNow, topNow, topOf } from './assemble.ts'
import { askElsewhere } from './elsewhere.ts'
import { fittedTop } from './fit-height.ts'
import { askOutline, type OutlinePlace, stacksEvent } from './moments.ts'
import { layoutPicture } from './picture-layout.ts'
import { type PlacedOutline, type PlacedRaster, timelineData } from './timeline-data.ts'

const mostCells = 32_000_000
const cellsPerQuestion = 1_000_000
const legendStacks = 8

export interface PictureData {
  readonly view: ViewState
  readonly device: DeviceSummary
  readonly layout: AxisLayout
  readonly heightPx: number
  readonly range: { readonly x0: number; readonly x1: number }
  readonly home: { readonly x0: number; readonly x1: number }
  readonly y1: number
  readonly emphasis: Emphasis | undefined
  readonly curves: Placed<TimelineCurves>
  readonly raster: PlacedRaster
  readonly spans: readonly PlacedSpan[]
  readonly outline: PlacedOutline | undefined
  readonly cursor: EventState | undefined
  readonly toldEvent: number | undefined // that the legend is of; undefined = the peak
  readonly top: TopStacks
  readonly held: CategoryTotals['categories'] | undefined // by category at that moment, while colours tell them
  readonly elsewhere: readonly StackShare[] // large in sight, not among these
  readonly annotationsLeftOut: number
}

interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/** `scale`: device pixels a CSS pixel of the finished picture. */
export async function fetchPicture(
  capture: CaptureSummary,
  size: Size,
  scale: number,
  { wholeRange, range: stretch, legendEvent }: Pick<PictureOptions, 'wholeRange' | 'range' | 'legendEvent'>,
): Promise<Result<PictureData>> {
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  if (!view || !device) return fail('query/unknown_capture', 'The capture has no view.')
  const home = homeOf(capture, view)
  const range = stretch ?? (wholeRange ? home : shownRange(capture, view))
  const { captureId } = capture
  const { device: index, axis } = view
  const annotations = await engine.call('timeline.annotations', { captureId, device: index })
  if (!annotations.ok) return annotations
  const spans = placeSpans(annotations.value.spans, axis, view.full.x1, maxLaneRows)
  const layout = layoutPicture(size.widthPx, size.heightPx, rowsOf(spans))
  const place = { captureId, device: index, axis, ...range }
  const placed = { range, axis, device: index }
  const look = timelineData(captureId).getState()
  const y1 = wholeRange && look.fitsHeight ? fittedTop(device.peakAllocatedBytes, topOf(device)) : topNow(device, look)
  const columns = Math.min(layout.plot.widthPx, maxSidePx)
  const told = view.cursorEvent ?? legendEvent
  const event = stacksEvent(told, device)
  const isByCategory = view.colorBy === 'category'
  const [curves, raster, outline, cursor, stacks, total, held] = await Promise.all([
    engine.call('timeline.curves', { ...place, columns }),
    fetchRaster(place, view, layout, y1, scale),
    fetchOutline({ captureId, device: index, axis, range, columns }, view.selectedAllocation),
    view.cursorEvent === undefined ? undefined : askMoment(captureId, index, view.cursorEvent),
    engine.call('stacks.top', { captureId, device: index, event, limit: legendStacks }),
    allocatedAt(captureId, device, event),
    isByCategory ? engine.call('categories.totals', { captureId, device: index, event }) : undefined,
  ])
  if (!curves.ok) return curves
  if (!raster.ok) return raster
  if (!stacks.ok) return stacks
  if (!total.ok) return total
  if (held && !held.ok) return held
  const shown = {
    curves: { ...placed, data: curves.value },
    raster: { ...placed, y1, colorBy: view.colorBy, data: raster.value },
    top: { device: index, event, stacks: stacks.value.stacks, totalBytes: total.value },
  }
  return ok({
    ...shown,
    toldEvent: told,
    held: held?.value.categories,
    elsewhere: view.colorBy === 'stack' ? await askElsewhere(captureId, shown.raster, shown.curves, shown.top) : [],
    view,
    device,
    layout,
    heightPx: size.heightPx,
    range,
    home,
    y1,
    emphasis: emphasisNow(view, look),
    spans,
    annotationsLeftOut: Math.max(0, annotations.value.total - annotations.value.spans.length),
    outline,
    cursor: cursor?.ok ? cursor.value : undefined,
  })
}

interface Place {
  readonly captureId: string
  readonly device: number
  readonly axis: ViewState['axis']
  readonly x0: number
  readonly x1: number
}

/** The raster at the picture's resolution, asked in stretches of at most a million cells and joined: cells are column-major. */
async function fetchRaster(
  place: Place,
  view: ViewState,
  { plot }: AxisLayout,
  y1: number,
  scale: number,
): Promise<Result<TimelineRaster>> {
  const filter = await askFilter(place.captureId, view.filter)
  if (!filter.ok) return filter
  const fine = Math.min(scale, Math.sqrt(mostCells / (plot.widthPx * plot.heightPx)))
  const columns = Math.min(maxSidePx, Math.max(1, Math.round(plot.widthPx * fine)))
  const rows = Math.min(maxSidePx, Math.max(1, Math.round(plot.heightPx * fine)))
  const step = Math.max(1, Math.floor(cellsPerQuestion / rows))
  const cells = new Uint8Array(columns * rows)
  const width = (place.x1 - place.x0) / columns
  const labels: TimelineRaster['labels'][number][] = []
  let [shown, folded, foldedBytes] = [0, 0, 0]
  for (let column = 0; column < columns; column += step) {
    const count = Math.min(step, columns - column)
    const stretch = { x0: place.x0 + column * width, x1: place.x0 + (column + count) * width }
    const question = { ...place, ...stretch, columns: count, rows, y0: 0, y1, colorBy: view.colorBy, filter: filter.value }
    const answer = await engine.call('timeline.raster', question)
    if (!answer.ok) return answer
    cells.set(answer.value.cells, column * rows)
    for (const label of answer.value.labels) labels.push({ ...label, column0: label.column0 + column, column1: label.column1 + column })
    shown = Math.max(shown, answer.value.shown)
    folded = Math.max(folded, answer.value.folded)
    foldedBytes = Math.max(foldedBytes, answer.value.foldedBytes)
  }
  return ok({ columns, rows, cells, labels: joined(labels), shown, folded, foldedBytes })
}

/** Labels of one band cut by the borders of the stretches become one. */
function joined(labels: readonly TimelineRaster['labels'][number][]): TimelineRaster['labels'] {
  const whole: TimelineRaster['labels'] = []
  for (const label of labels) {
    const before = whole.findIndex(
      (each) => each.allocationId === label.allocationId && each.column1 === label.column0 && each.y0Bytes === label.y0Bytes,
    )
    const known = whole[before]
    if (known) whole[before] = { ...known, column1: label.column1 }
    else whole.push(label)
  }
  return whole
}

async function fetchOutline(place: OutlinePlace, allocationId: number | undefined): Promise<PlacedOutline | undefined> {
  if (allocationId === undefined) return undefined
  const details = await engine.call('allocation.details', { captureId: place.captureId, allocationId })
  const outline = details.ok ? await askOutline(place, allocationId, details.value.sizeBytes) : details
  return outline.ok ? outline.value : undefined
}
