// Asks the engine for what the view shows and keeps the answers. Questions follow the view state.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { Questions } from '../../data/questions.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { switchAxis } from '../../focus/range-actions.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { askedRows, memoryDevices } from './assemble.ts'
import { askFloors, askFlows, askOverview, askPoints, askRaster, askStackPeaks } from './questions.ts'
import { marksOf } from './spans.ts'
import { type TraceData, traceData } from './trace-data.ts'

const asking = ['layout', 'tracks', 'colorBy', 'collapsed', 'pinned', 'scrollPx', 'search', 'selected'] as const

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<TraceData>
  readonly #stops: readonly (() => void)[]

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#questions = new Questions(traceData(id))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      traceData(id).subscribe((data, old) => asking.some((field) => data[field] !== old[field]) && this.#update()),
    ]
    this.#askTracks()
    this.#askSpans()
    this.#askFloors()
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    for (const stop of this.#stops) stop()
  }

  #update(): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    if (!view) return
    // Tracks are drawn over time alone; what was in sight on the other axis stays so.
    if (view.axis !== 'time') return void switchAxis(this.#capture, 'time')
    const data = traceData(captureId).getState()
    this.#askSelected(view)
    this.#askFlows(view, data)
    this.#askOverview(view, data)
    this.#askPeaks(view, data)
    this.#askSight(view, data)
  }

  #askTracks(): void {
    const { captureId } = this.#capture
    this.#questions.push('tracks', captureId, () => this.#questions.ask('tracks', 'trace.tracks', { captureId }, (tracks) => ({ tracks })))
  }

  #askSpans(): void {
    const { captureId } = this.#capture
    this.#questions.push('spans', captureId, () =>
      this.#questions.ask('spans', 'trace.spans', { captureId }, ({ spans, total }) => ({
        spans: marksOf(spans),
        spansLeftOut: total - spans.length,
      })),
    )
  }

  #askFloors(): void {
    const devices = memoryDevices(this.#capture)
    this.#questions.push('floors', devices, async () => {
      const floors = await askFloors(this.#capture.captureId, devices)
      if (floors.ok) this.#questions.keep('floors', { floors: floors.value })
      else this.#questions.failed('floors', floors.error)
    })
  }

  /** What the rows in sight hold; lanes and points apart, so that neither waits for the other. */
  #askSight(view: ViewState, data: TraceData): void {
    const rows = askedRows(this.#capture, view, data)
    if (!rows || !data.layout) return
    const { captureId } = this.#capture
    const place = { captureId, range: shownRange(this.#capture, view), columns: Math.min(data.layout.plot.widthPx, maxSidePx) }
    const { lanes, shown } = rows
    const names = data.search?.names ?? null
    this.#questions.push('raster', [place, lanes, data.colorBy, data.search && [data.search.text, names?.length]], async () => {
      const raster = await askRaster(place, lanes, data.colorBy, names)
      if (raster.ok) this.#questions.keep('raster', { raster: raster.value })
      else this.#questions.failed('raster', raster.error)
    })
    const keys = shown.filter(({ row }) => row.kind !== 'process').map(({ row }) => row.key)
    this.#questions.push('points', [place, keys], async () => {
      const points = await askPoints(place, shown)
      if (points.ok) this.#questions.keep('points', points.value)
      else this.#questions.failed('points', points.error)
    })
  }

  #askOverview(view: ViewState, { layout, tracks }: TraceData): void {
    if (!layout || !tracks) return
    const range = homeOf(this.#capture, view)
    const hasMemory = (deviceOf(this.#capture, view.device)?.eventCount ?? 0) > 0
    const place = { captureId: this.#capture.captureId, range, columns: Math.min(layout.overview.widthPx, maxSidePx) }
    this.#questions.push('overview', [place, hasMemory ? view.device : null], async () => {
      const overview = await askOverview(place, hasMemory ? view.device : undefined, tracks)
      if (overview.ok) this.#questions.keep('overview', { overview: overview.value })
      else this.#questions.failed('overview', overview.error)
    })
  }

  #askPeaks(view: ViewState, { tracks }: TraceData): void {
    if (!tracks) return
    const range = homeOf(this.#capture, view)
    this.#questions.push('stackPeaks', range, async () => {
      const peaks = await askStackPeaks(this.#capture.captureId, range, tracks)
      if (peaks.ok) this.#questions.keep('stackPeaks', { stackPeaks: peaks.value })
      else this.#questions.failed('stackPeaks', peaks.error)
    })
  }

  #askSelected({ selectedSlice: sliceId }: ViewState): void {
    const { captureId } = this.#capture
    this.#questions.push('selected', sliceId ?? null, async () => {
      if (sliceId === undefined) return this.#questions.keep('selected', { selected: undefined })
      if (traceData(captureId).getState().selected?.sliceId === sliceId) return
      const answer = await engine.call('trace.slice', { captureId, sliceId })
      if (answer.ok) this.#questions.keep('selected', { selected: answer.value })
      else this.#questions.failed('selected', answer.error, { selected: undefined })
    })
  }

  #askFlows({ selectedSlice }: ViewState, { selected }: TraceData): void {
    const sliceId = selected?.sliceId
    if (sliceId === undefined || sliceId !== selectedSlice) return
    this.#questions.push('flows', sliceId, async () => {
      const flows = await askFlows(this.#capture.captureId, sliceId, selected?.op?.sliceId)
      if (flows.ok) this.#questions.keep('flows', { flows: flows.value })
      else this.#questions.failed('flows', flows.error)
    })
  }
}

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
