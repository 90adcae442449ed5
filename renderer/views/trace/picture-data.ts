// What a finished picture shows, asked for at its size.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { askMoment } from '../../focus/moments.ts'
import { keptMarks } from '../../focus/note-marks.ts'
import type { PictureTools } from '../../picture/finish.ts'
import { rowsOf } from '../../plot/annotations.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import { askedRows, assemble, marksNow, memoryDevices } from './assemble.ts'
import type { TraceInput } from './model-input.ts'
import { layoutPicture } from './picture-layout.ts'
import { askFloors, askPoints, askRaster, askStackPeaks } from './questions.ts'
import { marksOf } from './spans.ts'
import { type TraceData, traceData } from './trace-data.ts'

/** The model's input of a picture; all of the time with `wholeRange`, and the rows from the scroll position on. */
export async function fetchPicture(capture: CaptureSummary, tools: PictureTools, wholeRange: boolean): Promise<Result<TraceInput>> {
  const { captureId } = capture
  const now = viewOf(captureId)
  if (!now) return fail('query/unknown_capture', 'The capture has no view.')
  const view: ViewState = wholeRange ? { ...now, visible: now.full } : now
  const kept = traceData(captureId).getState()
  const tracks = kept.tracks ? ok(kept.tracks) : await engine.call('trace.tracks', { captureId })
  if (!tracks.ok) return tracks
  const marks = await askMarks(captureId, kept)
  if (!marks.ok) return marks
  const layout = layoutPicture(tools.widthPx, tools.heightPx, rowsOf(marksNow(view, marks.value)))
  const look: TraceData = {
    ...kept,
    ...marks.value,
    tracks: tracks.value,
    layout,
    dragging: undefined,
    chosenRow: undefined,
    hoverRow: undefined,
    overview: undefined,
  }
  const filled = await fill(capture, view, look, wholeRange)
  if (!filled.ok) return filled
  const { device, cursorEvent } = view
  const cursor = cursorEvent === undefined ? undefined : await askMoment(captureId, device, cursorEvent)
  const focus = { cursor: cursor?.ok ? cursor.value : undefined, noteMarks: keptMarks(captureId) }
  const input = assemble(capture, view, filled.value, focus, tools.tokens, tools.measure)
  return input ? ok(input) : fail('query/failed', 'The picture has no extent.')
}

/** Steps and annotations: those on the screen, asked for where the view was not shown. */
async function askMarks(
  captureId: string,
  { tracks, spans, spansLeftOut }: TraceData,
): Promise<Result<Pick<TraceData, 'spans' | 'spansLeftOut'>>> {
  if (tracks) return ok({ spans, spansLeftOut })
  const answer = await engine.call('trace.spans', { captureId })
  return answer.ok ? ok({ spans: marksOf(answer.value.spans), spansLeftOut: answer.value.total - answer.value.spans.length }) : answer
}

/** Everything the engine says about what the picture shows, in place of what the screen has. */
async function fill(capture: CaptureSummary, view: ViewState, look: TraceData, wholeRange: boolean): Promise<Result<TraceData>> {
  const { captureId } = capture
  const rows = askedRows(capture, view, look)
  if (!rows || !look.layout || !look.tracks) return fail('query/failed', 'The picture has no extent.')
  const range = wholeRange ? homeOf(capture, view) : shownRange(capture, view)
  const place = { captureId, range, columns: Math.min(look.layout.plot.widthPx, maxSidePx) }
  const [raster, points, floors, peaks] = await Promise.all([
    askRaster(place, rows.lanes, look.colorBy, look.search?.names ?? null),
    askPoints(place, rows.shown),
    askFloors(captureId, memoryDevices(capture)),
    askStackPeaks(captureId, homeOf(capture, view), look.tracks),
  ])
  if (!raster.ok) return raster
  if (!points.ok) return points
  if (!floors.ok) return floors
  return peaks.ok ? ok({ ...look, raster: raster.value, ...points.value, floors: floors.value, stackPeaks: peaks.value }) : peaks
}
