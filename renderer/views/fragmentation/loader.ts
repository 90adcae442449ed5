// Asks the engine for what the view shows and keeps the answers. Questions follow the view state.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { Questions } from '../../data/questions.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import type { CurveLayout } from './curve-layout.ts'
import { type FragmentationData, fragmentationData } from './fragmentation-data.ts'
import { keyMoments } from './moments.ts'
import { askMoments, askReport } from './questions.ts'
import { rangeColumns } from './range-stats.ts'

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<FragmentationData>
  readonly #stops: (() => void)[]

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#questions = new Questions(fragmentationData(id))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      fragmentationData(id).subscribe((data, old) => (data.layout !== old.layout || data.twin !== old.twin) && this.#update()),
    ]
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    for (const stop of this.#stops) stop()
  }

  #update(): void {
    const view = viewOf(this.#capture.captureId)
    const device = view && deviceOf(this.#capture, view.device)
    if (!view || !device) return
    const { layout, twin } = fragmentationData(this.#capture.captureId).getState()
    this.#askReport(view, device)
    if (view.showTable && twin === 'moments') this.#askMoments(view, device)
    if (device.eventCount > 0) this.#askRange(view)
    if (!layout || device.eventCount === 0) return
    this.#askCurves(view, layout)
    this.#askOverview(view, layout)
  }

  #askCurves(view: ViewState, layout: CurveLayout): void {
    const range = shownRange(this.#capture, view)
    const { device, axis } = view
    const columns = Math.min(layout.plot.widthPx, maxSidePx)
    const input = { captureId: this.#capture.captureId, device, axis, ...range, columns }
    this.#questions.push('curves', input, () =>
      this.#questions.ask('curves', 'space.curves', input, (data) => ({ curves: { range, axis, device, data } })),
    )
  }

  #askRange({ device, axis, selectedRange: range }: ViewState): void {
    const columns = range && rangeColumns(axis, range)
    // No range is a question too: else the same range, selected again, would count as asked.
    this.#questions.push('ranged', [device, axis, range ?? null, columns], async () => {
      if (!range || columns === undefined) return this.#questions.keep('ranged', { ranged: undefined })
      const input = { captureId: this.#capture.captureId, device, axis, ...range, columns }
      await this.#questions.ask('ranged', 'space.curves', input, (data) => ({ ranged: { range, axis, device, data } }))
    })
  }

  #askOverview(view: ViewState, layout: CurveLayout): void {
    if (layout.overview.heightPx === 0) return
    const range = homeOf(this.#capture, view)
    const { device, axis } = view
    const columns = Math.min(layout.overview.widthPx, maxSidePx)
    const input = { captureId: this.#capture.captureId, device, axis, ...range, columns }
    this.#questions.push('overview', input, () =>
      this.#questions.ask('overview', 'timeline.curves', input, (data) => ({ overview: { range, axis, device, data } })),
    )
  }

  #askReport(view: ViewState, device: DeviceSummary): void {
    const place = { captureId: this.#capture.captureId, device: device.device }
    const event = shownEvent(view, device)
    this.#questions.push('report', [place, event], async () => {
      const report = await askReport(place, event, device.eventCount > 0)
      if (report.ok) this.#questions.keep('report', { report: report.value })
      else this.#questions.failed('report', report.error)
    })
  }

  /** Start, peak, failures and end stand still, so a moving cursor asks for its own row alone. */
  #askMoments({ cursorEvent }: ViewState, device: DeviceSummary): void {
    const place = { captureId: this.#capture.captureId, device: device.device }
    const events = keyMoments(device, undefined).map(({ event }) => event)
    this.#questions.push('moments', device.device, async () => {
      const rows = await askMoments(place, events, device.eventCount > 0)
      if (rows.ok) this.#questions.keep('moments', { moments: { device: device.device, rows: rows.value } })
      else this.#questions.failed('moments', rows.error)
    })
    if (cursorEvent === undefined || device.eventCount === 0 || events.includes(cursorEvent)) return
    this.#questions.push('cursorMoment', [device.device, cursorEvent], async () => {
      const rows = await askMoments(place, [cursorEvent], true)
      if (rows.ok) this.#questions.keep('cursorMoment', { cursorMoment: { device: device.device, rows: rows.value } })
      else this.#questions.failed('cursorMoment', rows.error)
    })
  }
}

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
