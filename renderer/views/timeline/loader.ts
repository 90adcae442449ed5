// Asks the engine for what the timeline shows and keeps the answers. Questions follow the view state; each kind has one question in
// flight, and what changed meanwhile is asked when it returns, so that a long pan keeps getting pictures.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { Failure, Result } from '../../../preload/contract/errors.ts'
import {
  type EngineInput,
  type EngineMethod,
  type EngineOutput,
  maxSidePx,
  type TimelineCurves,
} from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { homeOf, shownRange, topNow, topOf } from './assemble.ts'
import { eventsInside } from './axis-ranges.ts'
import { fittedTop, mostAllocated } from './fit-height.ts'
import { allocatedAt, askMoment, askOutline, stacksEvent } from './moments.ts'
import { type Placed, type TimelineData, timelineData } from './timeline-data.ts'

const mostCells = 1_000_000
const mostScale = 2
const statsRestMs = 150
const topStackCount = 8

/** One question at a time; of those that come meanwhile, the last. Equal questions are asked once. */
class Pump {
  #key = ''
  #running = false
  #next: (() => Promise<void>) | undefined

  push(key: string, job: () => Promise<void>): void {
    if (key === this.#key) return
    this.#key = key
    this.#next = job
    if (!this.#running) void this.#run()
  }

  /** The next question is asked even when it equals the last one. */
  forget(): void {
    this.#key = ''
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#next) {
      const job = this.#next
      this.#next = undefined
      await job()
    }
    this.#running = false
  }
}

type Patch = Partial<TimelineData>

class Loader {
  readonly #capture: CaptureSummary
  readonly #pumps = new Map<string, Pump>()
  readonly #stops: (() => void)[]
  #cancelStats = (): void => {}
  #stopped = false

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      timelineData(id).subscribe(
        (data, old) => (data.layout !== old.layout || data.curves !== old.curves || data.fitsHeight !== old.fitsHeight) && this.#update(),
      ),
    ]
    this.#update()
  }

  stop(): void {
    this.#stopped = true
    this.#cancelStats()
    for (const stop of this.#stops) stop()
  }

  #update(): void {
    const view = viewOf(this.#capture.captureId)
    if (!view || !deviceOf(this.#capture, view.device)) return
    this.#askPicture(view)
    this.#askOverview(view)
    this.#askAnnotations(view)
    this.#askSelection(view)
    this.#askCursor(view)
    this.#askStats(view)
  }

  #pump(name: string): Pump {
    const pump = this.#pumps.get(name) ?? new Pump()
    this.#pumps.set(name, pump)
    return pump
  }

  #set(patch: Patch): void {
    if (!this.#stopped) timelineData(this.#capture.captureId).setState(patch)
  }

  /** Asks and keeps. */
  async #ask<M extends EngineMethod>(
    name: string,
    method: M,
    input: EngineInput<M>,
    keep: (value: EngineOutput<M>) => Patch,
  ): Promise<void> {
    const answer: Result<EngineOutput<M>> = await engine.call(method, input)
    if (answer.ok) this.#keep(name, keep(answer.value))
    else this.#failed(name, answer.error)
  }

  #keep(question: string, patch: Patch): void {
    const { failure } = timelineData(this.#capture.captureId).getState()
    this.#set(failure?.question === question ? { ...patch, failure: undefined } : patch)
  }

  /** Shows a failure once: an equal question is asked again only when it was merely cancelled, else it would fail with every frame. */
  #failed(question: string, error: Failure, patch: Patch = {}): void {
    if (error.code === 'query/cancelled') this.#pump(question).forget()
    else this.#set({ ...patch, failure: { question, error } })
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
    this.#pump('curves').push(JSON.stringify([place, columns]), () =>
      this.#ask('curves', 'timeline.curves', { ...place, columns }, (data) => this.#keepCurves({ ...placed, data }, device)),
    )
    this.#pump('raster').push(JSON.stringify([place, grid, y1, colorBy]), () =>
      this.#ask('raster', 'timeline.raster', { ...place, ...grid, y0: 0, y1, colorBy }, (data) => ({
        raster: { ...placed, y1, colorBy, data },
      })),
    )
  }

  /** New curves may need another height. */
  #keepCurves(curves: Placed<TimelineCurves>, device: DeviceSummary): Patch {
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
    this.#pump('overview').push(JSON.stringify(input), () =>
      this.#ask('overview', 'timeline.curves', input, (data) => ({ overview: { range, axis, device, data } })),
    )
  }

  #askAnnotations({ device }: ViewState): void {
    const input = { captureId: this.#capture.captureId, device }
    this.#pump('annotations').push(String(device), () =>
      this.#ask('annotations', 'timeline.annotations', input, ({ spans, total }) => ({
        annotations: spans,
        annotationsLeftOut: Math.max(0, total - spans.length),
      })),
    )
  }

  #askSelection(view: ViewState): void {
    const { captureId } = this.#capture
    const allocationId = view.selectedAllocation
    this.#pump('details').push(String(allocationId), async () => {
      if (allocationId === undefined) return this.#keep('details', { details: undefined, outline: undefined })
      const answer = await engine.call('allocation.details', { captureId, allocationId })
      if (!answer.ok) return this.#failed('details', answer.error, { details: undefined })
      this.#keep('details', { details: answer.value })
      this.#update() // the outline needs the size
    })
    const { layout, details } = timelineData(captureId).getState()
    if (allocationId === undefined || details?.allocationId !== allocationId || !layout) return
    const { device, axis } = view
    const range = shownRange(this.#capture, view)
    const place = { captureId, device, axis, range, columns: Math.min(layout.plot.widthPx, maxSidePx) }
    this.#pump('outline').push(JSON.stringify([place, allocationId]), async () => {
      const answer = await askOutline(place, allocationId, details.sizeBytes)
      if (answer.ok) this.#keep('outline', { outline: answer.value })
      else this.#failed('outline', answer.error)
    })
  }

  #askCursor(view: ViewState): void {
    const { captureId } = this.#capture
    const { device, cursorEvent: event } = view
    const summary = deviceOf(this.#capture, device)
    this.#pump('cursor').push(JSON.stringify([device, event]), async () => {
      if (event === undefined) return this.#keep('cursor', { cursor: undefined })
      const answer = await askMoment(captureId, device, event)
      if (answer.ok) this.#keep('cursor', { cursor: answer.value })
      else this.#failed('cursor', answer.error)
    })
    if (!summary) return
    const at = stacksEvent(event, summary)
    this.#pump('stacks').push(JSON.stringify([device, at]), async () => {
      const [top, total] = await Promise.all([
        engine.call('stacks.top', { captureId, device, event: at, limit: topStackCount }),
        allocatedAt(captureId, summary, at),
      ])
      if (!top.ok) this.#failed('stacks', top.error)
      else if (!total.ok) this.#failed('stacks', total.error)
      else this.#keep('stacks', { topStacks: { device, event: at, stacks: top.value.stacks, totalBytes: total.value } })
    })
  }

  /** Numbers about what is selected or visible, once the view rests. */
  #askStats(view: ViewState): void {
    this.#cancelStats()
    this.#cancelStats = later(statsRestMs, () => {
      const range = view.selectedRange ?? shownRange(this.#capture, view)
      const statsOfSelection = view.selectedRange !== undefined
      const key = JSON.stringify([view.device, view.axis, range, statsOfSelection])
      this.#pump('stats').push(key, async () => {
        const { captureId } = this.#capture
        const device = deviceOf(this.#capture, view.device)
        const events = device && (await eventsInside({ captureId, device }, view.axis, range))
        if (!events) return this.#pump('stats').forget()
        if (events.x0 === events.x1) return this.#keep('stats', { stats: 'no events', statsOfSelection })
        const input = { captureId, device: view.device, fromEvent: events.x0, toEvent: events.x1 }
        await this.#ask('stats', 'timeline.range', input, (stats) => ({ stats, statsOfSelection }))
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
