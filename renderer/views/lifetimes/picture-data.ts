// Asks the engine for everything a finished picture shows, at the picture's own resolution.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import type { FocusData } from '../../focus/focus-data.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { askMoment } from '../../focus/moments.ts'
import { keptMarks } from '../../focus/note-marks.ts'
import type { PictureTools } from '../../picture/finish.ts'
import { placedSpans, rowsOf } from '../../plot/annotations.ts'
import { askFilter } from '../../state/filter.ts'
import { type AllocationFilter, type ViewState, viewOf } from '../../state/view-state.ts'
import { assemble, isFine, isSingle, shownY } from './assemble.ts'
import { naturalScale } from './heat.ts'
import { type LifetimesData, lifetimesData } from './lifetimes-data.ts'
import type { LifetimesInput } from './model-input.ts'
import { layoutPicture } from './picture-layout.ts'
import { askBars, askHeat, askLife, askSpace, gridOf, placeOf } from './questions.ts'

const mostCells = 4_000_000

export interface PictureData {
  readonly input: LifetimesInput
  readonly filter: AllocationFilter // that it was asked with
}

/** What a picture shows; it is all of y with `wholeRange`. */
export async function fetchPicture(capture: CaptureSummary, tools: PictureTools, wholeRange: boolean): Promise<Result<PictureData>> {
  const { captureId } = capture
  const now = viewOf(captureId)
  if (!now) return fail('query/unknown_capture', 'The capture has no view.')
  const view = wholeRange ? { ...now, visible: now.full } : now
  const focus = await fetchFocus(captureId, view)
  if (!focus.ok) return focus
  const data = await fetchData(capture, view, focus.value, tools, wholeRange)
  if (!data.ok) return data
  const input = assemble(capture, view, data.value, focus.value, tools.tokens, tools.measure)
  return input ? ok({ input, filter: view.filter }) : fail('query/failed', 'The picture has no extent.')
}

async function fetchFocus(captureId: string, { device, cursorEvent }: ViewState): Promise<Result<FocusData>> {
  const annotations = await engine.call('timeline.annotations', { captureId, device })
  if (!annotations.ok) return annotations
  const cursor = cursorEvent === undefined ? undefined : await askMoment(captureId, device, cursorEvent)
  const { spans, total } = annotations.value
  return ok({
    cursor: cursor?.ok ? cursor.value : undefined,
    details: undefined,
    annotations: spans,
    annotationsLeftOut: Math.max(0, total - spans.length),
    noteMarks: keptMarks(captureId),
    failure: undefined,
  })
}

/** Everything the engine says about what the picture shows, in place of what the screen has. */
async function fetchData(
  capture: CaptureSummary,
  view: ViewState,
  { annotations }: FocusData,
  { widthPx, heightPx, rasterScale }: PictureTools,
  wholeRange: boolean,
): Promise<Result<LifetimesData>> {
  const { captureId } = capture
  const { device, axis, selectedAllocation: allocationId } = view
  const kept = lifetimesData(captureId).getState()
  const { order } = kept
  const rows = rowsOf(placedSpans(annotations, axis, view.full.x1))
  const layout = layoutPicture(widthPx, heightPx, rows, order)
  const [space, filter] = await Promise.all([askSpace(capture, { device }, order), askFilter(captureId, view.filter)])
  if (!space.ok) return space
  if (!filter.ok) return filter
  const look: LifetimesData = {
    ...kept,
    layout,
    space: space.value,
    shownY: wholeRange ? undefined : kept.shownY,
    overview: undefined,
    dragging: undefined,
    // A larger picture shows the level of the screen; where there is none, what suits it.
    level: kept.raster ? (isSingle(kept) ? 'single' : 'heat') : kept.level,
  }
  const range = wholeRange ? homeOf(capture, view) : shownRange(capture, view)
  const place = placeOf(capture, view, range, shownY(view, look) ?? { y0: 0, y1: 1 }, look)
  const curves = await engine.call('timeline.curves', {
    captureId,
    device,
    axis,
    ...range,
    columns: Math.min(layout.plot.widthPx, maxSidePx),
  })
  if (!curves.ok) return curves
  const { measure, scale = naturalScale(measure, order) } = look
  const heat = await askHeat(place, gridOf(layout.plot, rasterScale, mostCells), { measure, scale }, filter.value)
  if (!heat.ok) return heat
  const bars = isFine({ raster: heat.value, level: look.level }) ? await askBars(place, filter.value, look.colorBy) : undefined
  if (bars && !bars.ok) return bars
  const life = allocationId === undefined ? undefined : await askLife(captureId, { device, axis, order, allocationId }, space.value.fold)
  return ok({
    ...look,
    raster: heat.value,
    bars: bars?.value,
    curves: { range, axis, device, data: curves.value },
    place: life?.ok ? life.value : undefined,
  })
}
