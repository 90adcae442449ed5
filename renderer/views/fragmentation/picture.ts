// Fragmentation as one report page: tiles, curves, sizes and pools, drawn from the same models as the screen.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { maxSidePx, type SpaceCurves } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { finishPicture } from '../../picture/finish.ts'
import { pictureTitle } from '../../picture/title.ts'
import { type PlacedSpan, placeSpans, rowsOf } from '../../plot/annotations.ts'
import { maxLaneRows } from '../../plot/layout.ts'
import type { Placed } from '../../plot/placed.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import { type Range, type ViewState, viewOf } from '../../state/view-state.ts'
import type { PictureOptions } from '../view.ts'
import { type FragmentationData, fragmentationData, type PlacedReport } from './fragmentation-data.ts'
import { layoutPage, type PageLayout } from './picture-layout.ts'
import { buildPage } from './picture-model.ts'
import { askReport } from './questions.ts'
import { fragmentationText } from './texts.ts'

/** Everything that the page shows. */
export interface PageData {
  readonly view: ViewState
  readonly device: DeviceSummary
  readonly page: PageLayout
  readonly range: Range
  readonly home: Range
  readonly spans: readonly PlacedSpan[]
  readonly curves: Placed<SpaceCurves> | undefined // none without history
  readonly report: PlacedReport
  readonly look: Pick<FragmentationData, 'unit' | 'emphasis' | 'groupOrder'>
}

const noPalette = new Uint8Array(256 * 4) // there is no raster

/** Draws the view. Same capture, options and view: same bytes. */
export function fragmentationPicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async ({ widthPx, heightPx, tokens, measure }) => {
    const data = await fetchPage(capture, { widthPx, heightPx }, options.wholeRange)
    if (!data.ok) return data
    return ok({
      list: buildPage(capture, data.value, tokens, measure),
      palette: noPalette,
      title: pictureTitle(capture, data.value.device.device, fragmentationText('picture.title')),
      description: 'Tidemark fragmentation',
    })
  })
}

interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

async function fetchPage(capture: CaptureSummary, { widthPx, heightPx }: Size, wholeRange: boolean): Promise<Result<PageData>> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = view && deviceOf(capture, view.device)
  if (!view || !device) return fail('query/unknown_capture', 'The capture has no view.')
  const hasEvents = device.eventCount > 0
  const home = homeOf(capture, view)
  const range = wholeRange ? home : shownRange(capture, view)
  const annotations = hasEvents ? await engine.call('timeline.annotations', { captureId, device: view.device }) : undefined
  if (annotations && !annotations.ok) return annotations
  const spans = placeSpans(annotations?.value.spans ?? [], view.axis, view.full.x1, maxLaneRows)
  const page = layoutPage(widthPx, heightPx, rowsOf(spans), hasEvents)
  const columns = Math.min(page.curves?.plot.widthPx ?? 1, maxSidePx)
  const [curves, report] = await Promise.all([
    hasEvents ? engine.call('space.curves', { captureId, device: view.device, axis: view.axis, ...range, columns }) : undefined,
    askReport({ captureId, device: view.device }, shownEvent(view, device), hasEvents),
  ])
  if (curves && !curves.ok) return curves
  if (!report.ok) return report
  return ok({
    view,
    device,
    page,
    range,
    home,
    spans,
    curves: curves && { range, axis: view.axis, device: view.device, data: curves.value },
    report: report.value,
    look: fragmentationData(captureId).getState(),
  })
}
