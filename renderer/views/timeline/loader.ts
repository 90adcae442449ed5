// Asks the engine for what the timeline shows and keeps the answers. Questions follow the view state.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { maxSidePx, type TimelineCurves } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { Questions } from '../../data/questions.ts'
import { eventsInside } from '../../focus/axis-ranges.ts'
import { focusData } from '../../focus/focus-data.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { allocatedAt } from '../../focus/moments.ts'
import type { Placed } from '../../plot/placed.ts'
import { endsOf } from '../../plot/scales.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { topNow, topOf } from './assemble.ts'
import { askElsewhere } from './elsewhere.ts'
import { fittedTop, mostAllocated } from './fit-height.ts'
import { askOutline, stacksEvent } from './moments.ts'
import { type TimelineData, timelineData } from './timeline-data.ts'

const mostCells = 1_000_000
const mostScale = 2
const statsRestMs = 150
const topStackCount = 8

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<TimelineData>
  readonly #stops: (() => void)[]
  #cancelStats = (): void => {}
  #cancelElsewhere = (): void => {}

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#questions = new Questions(timelineData(id))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      focusData(id).subscribe((data, old) => data.details !== old.details && this.#update()),
      timelineData(id).subscribe((data, old) => (data.raster !== old.raster || data.topStacks !== old.topStacks) && this.#askElsewhere()),
      timelineData(id).subscribe(
        (data, old) => (data.layout !== old.layout || data.curves !== old.curves || data.fitsHeight !== old.fitsHeight) && this.#update(),
      ),
    ]
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    this.#cancelStats()
    this.#cancelElsewhere()
    for (const stop of this.#stops) stop()
  }

  #update(): void {
    const view = viewOf(this.#capture.captureId)
    if (!view || !deviceOf(this.#capture, view.device)) return
    this.#askPicture(view)
    this.#askOverview(view)
    this.#askOutline(view)
    this.#askStacks(view)
    this.#askStats(view)
    this.#askSpan(view)
  }

  #askPicture(view: ViewState): void {
    const { layout } = timelineData(this.#capture.captureId).getState()
    const device = deviceOf(this.#capture, view.device)
    if (!layout || !device) return
    const range = shownRange(this.#capture, view)
    const { device: index, axis, colorBy } = view
    const place = { captureId: this.#capture.captureId, device: index, axis, ...range }
    const grid = rasterGrid(layout.plot.widthPx, layout.plot.heightPx, window.devicePixelRatio)
    const y1 = topNow(device, timelineData(this.#capture.captureId).getState())
    const placed = { range, axis, device: index }
    const columns = Math.min(layout.plot.widthPx, maxSidePx)
    this.#questions.push('curves', [place, columns], () =>
      this.#questions.ask('curves', 'timeline.curves', { ...place, columns }, (data) => this.#keepCurves({ ...placed, data }, device)),
    )
    this.#questions.push('raster', [place, grid, y1, colorBy, view.filter], async () => {
      const filter = await askFilter(this.#capture.captureId)
      if (!filter.ok) return this.#questions.failed('raster', filter.error)
      await this.#questions.ask('raster', 'timeline.raster', { ...place, ...grid, y0: 0, y1, colorBy, filter: filter.value }, (data) => ({
        raster: { ...placed, y1, colorBy, data },
      }))
    })
  }

  /** New curves may need another height. */
  #keepCurves(curves: Placed<TimelineCurves>, device: DeviceSummary): Partial<TimelineData> {
    const { fitted } = timelineData(this.#capture.captureId).getState()
    const before = fitted?.device === device.device ? fitted.bytes : undefined
    return { curves, fitted: { device: device.device, bytes: fittedTop(mostAllocated(curves), topOf(device), before) } }
  }

  #askOverview(view: ViewState): void {
    const { layout } = timelineData(this.#capture.captureId).getState()
    if (!layout) return
    const range = homeOf(this.#capture, view)
    const { device, axis } = view
    const input = {
      captureId: this.#capture.captureId,
      device,
      axis,
      ...range,
      columns: Math.min(layout.overview.widthPx, maxSidePx),
    }
    this.#questions.push('overview', input, () =>
      this.#questions.ask('overview', 'timeline.curves', input, (data) => ({ overview: { range, axis, device, data } })),
    )
  }

  #askOutline(view: ViewState): void {
    const { captureId } = this.#capture
    const allocationId = view.selectedAllocation
    const { layout } = timelineData(captureId).getState()
    const { details } = focusData(captureId).getState()
    if (allocationId === undefined || details?.allocationId !== allocationId || !layout) return
    const { device, axis } = view
    const range = shownRange(this.#capture, view)
    const place = { captureId, device, axis, range, columns: Math.min(layout.plot.widthPx, maxSidePx) }
    this.#questions.push('outline', [place, allocationId], async () => {
      const answer = await askOutline(place, allocationId, details.sizeBytes)
      if (answer.ok) this.#questions.keep('outline', { outline: answer.value })
      else this.#questions.failed('outline', answer.error)
    })
  }

  #askStacks(view: ViewState): void {
    const { captureId } = this.#capture
    const { device, cursorEvent: event } = view
    const summary = deviceOf(this.#capture, device)
    if (!summary) return
    const at = stacksEvent(event, summary)
    this.#questions.push('stacks', [device, at], async () => {
      const [top, total] = await Promise.all([
        engine.call('stacks.top', { captureId, device, event: at, limit: topStackCount }),
        allocatedAt(captureId, summary, at),
      ])
      if (!top.ok) this.#questions.failed('stacks', top.error)
      else if (!total.ok) this.#questions.failed('stacks', total.error)
      else this.#questions.keep('stacks', { topStacks: { device, event: at, stacks: top.value.stacks, totalBytes: total.value } })
    })
  }

  /** The stacks behind large colours that the legend would not tell, once the picture rests. */
  #askElsewhere(): void {
    this.#cancelElsewhere()
    this.#cancelElsewhere = later(statsRestMs, () => {
      const { captureId } = this.#capture
      const { raster, curves, topStacks } = timelineData(captureId).getState()
      if (raster?.colorBy !== 'stack' || !curves || topStacks?.device !== raster.device || curves.device !== raster.device) return
      const { device, axis, range, y1 } = raster
      const key = [device, axis, range, y1, topStacks.event, viewOf(captureId)?.filter]
      this.#questions.push('elsewhere', key, async () => {
        const stacks = await askElsewhere(captureId, raster, curves, topStacks)
        this.#questions.keep('elsewhere', { elsewhere: { device, stacks } })
      })
    })
  }

  /** The time between the ends of what is visible. */
  #askSpan({ device: index, axis, ...view }: ViewState): void {
    const device = deviceOf(this.#capture, index)
    if (axis !== 'event' || !device || device.eventCount === 0) return
    const ends = endsOf(device.eventCount, shownRange(this.#capture, view))
    this.#questions.push('span', [index, ends], async () => {
      const { captureId } = this.#capture
      const timeOf = (event: number) => engine.call('timeline.timeOf', { captureId, device: index, event })
      const [first, last] = await Promise.all([timeOf(ends[0]), timeOf(ends[1])])
      if (!first.ok) return this.#questions.failed('span', first.error)
      if (!last.ok) return this.#questions.failed('span', last.error)
      const [from, to] = [first.value.timeNs, last.value.timeNs]
      this.#questions.keep('span', { span: from === null || to === null ? undefined : { device: index, ns: Math.max(0, to - from) } })
    })
  }

  /** Numbers about what is selected or visible, once the view rests. */
  #askStats(view: ViewState): void {
    this.#cancelStats()
    this.#cancelStats = later(statsRestMs, () => {
      const range = view.selectedRange ?? shownRange(this.#capture, view)
      const statsOfSelection = view.selectedRange !== undefined
      const key = [view.device, view.axis, range, statsOfSelection]
      this.#questions.push('stats', key, async () => {
        const { captureId } = this.#capture
        const device = deviceOf(this.#capture, view.device)
        const events = device && (await eventsInside({ captureId, device }, view.axis, range))
        if (!events) return this.#questions.forget('stats')
        if (events.x0 === events.x1) return this.#questions.keep('stats', { stats: 'no events', statsOfSelection })
        const input = { captureId, device: view.device, fromEvent: events.x0, toEvent: events.x1 }
        await this.#questions.ask('stats', 'timeline.range', input, (stats) => ({ stats, statsOfSelection }))
      })
    })
  }
}

/** Columns and rows of the raster for a plot in CSS pixels: device pixels, at most twice as fine, at most a million cells. */
function rasterGrid(widthPx: number, heightPx: number, pixelRatio: number): { columns: number; rows: number } {
  const wanted = Math.min(pixelRatio, mostScale)
  const scale = Math.min(wanted, Math.sqrt(mostCells / (widthPx * heightPx)))
  const columns = Math.max(1, Math.floor(widthPx * scale))
  const rows = Math.max(4, Math.floor((heightPx * scale) / 4) * 4)
  return { columns: Math.min(columns, maxSidePx), rows: Math.min(rows, maxSidePx) }
}

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
