// Asks the engine for what the timeline shows and keeps the answers. Questions follow the view state; each kind has one question in
// flight, and what changed meanwhile is asked when it returns, so that a long pan keeps getting pictures.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { Result } from '../../../preload/contract/errors.ts'
import {
  type EngineInput,
  type EngineMethod,
  type EngineOutput,
  maxSidePx,
  type TimelineCurves,
} from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type Range, type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { homeOf, shownRange, topNow, topOf } from './assemble.ts'
import { fittedTop, mostAllocated } from './fit-height.ts'
import { type Placed, stateAt, type TimelineData, timelineData } from './timeline-data.ts'

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
  #statsTimer: ReturnType<typeof setTimeout> | undefined
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
    clearTimeout(this.#statsTimer)
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

  /** Asks and keeps; a failure other than a cancelled question is shown, and the question may be asked again. */
  async #ask<M extends EngineMethod>(
    name: string,
    method: M,
    input: EngineInput<M>,
    keep: (value: EngineOutput<M>) => Patch,
  ): Promise<void> {
    const answer: Result<EngineOutput<M>> = await engine.call(method, input)
    if (answer.ok) this.#set({ ...keep(answer.value), failure: undefined })
    else {
      this.#pump(name).forget()
      if (answer.error.code !== 'query/cancelled') this.#set({ failure: answer.error })
    }
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
      this.#ask('annotations', 'timeline.annotations', input, ({ spans }) => ({ annotations: spans })),
    )
  }

  #askSelection(view: ViewState): void {
    const { captureId } = this.#capture
    const allocationId = view.selectedAllocation
    this.#pump('details').push(String(allocationId), async () => {
      if (allocationId === undefined) this.#set({ details: undefined, outline: undefined })
      else await this.#ask('details', 'allocation.details', { captureId, allocationId }, (details) => ({ details }))
      this.#update()
    })
    const { layout, details } = timelineData(captureId).getState()
    if (allocationId === undefined || details?.allocationId !== allocationId || !layout) return
    const { device, axis } = view
    const range = shownRange(this.#capture, view)
    const input = { captureId, device, axis, ...range, columns: Math.min(layout.plot.widthPx, maxSidePx), allocationId }
    const placed = { range, axis, device, allocationId, bytes: details.sizeBytes }
    this.#pump('outline').push(JSON.stringify(input), () =>
      this.#ask('outline', 'timeline.outline', input, (data) => ({ outline: { ...placed, data } })),
    )
  }

  #askCursor(view: ViewState): void {
    const { captureId } = this.#capture
    const { device, cursorEvent: event } = view
    const summary = deviceOf(this.#capture, device)
    this.#pump('cursor').push(JSON.stringify([device, event]), async () => {
      if (event === undefined) return this.#set({ cursor: undefined })
      const input = { captureId, device, axis: 'event', x0: event, x1: event + 1, columns: 1 } as const
      await this.#ask('cursor', 'timeline.curves', input, (data) => ({
        cursor: { ...stateAt({ range: { x0: event, x1: event + 1 }, axis: 'event', device, data }, 0), event },
      }))
    })
    const at = event ?? summary?.peakEvent ?? -1
    const input = { captureId, device, event: at, limit: topStackCount }
    this.#pump('stacks').push(JSON.stringify(input), () =>
      this.#ask('stacks', 'stacks.top', input, ({ stacks }) => ({ topStacks: { event: at, stacks } })),
    )
  }

  #askStats(view: ViewState): void {
    clearTimeout(this.#statsTimer)
    this.#statsTimer = setTimeout(() => {
      this.#pump('stats').push(
        JSON.stringify([view.device, view.axis, view.selectedRange ?? shownRange(this.#capture, view)]),
        async () => {
          const { captureId } = this.#capture
          const { device } = view
          const events = await this.#eventsOf(view, view.selectedRange ?? shownRange(this.#capture, view))
          if (!events) return this.#pump('stats').forget()
          const input = { captureId, device, fromEvent: events.x0, toEvent: events.x1 }
          await this.#ask('stats', 'timeline.range', input, (stats) => ({ stats, statsOfSelection: view.selectedRange !== undefined }))
        },
      )
    }, statsRestMs)
  }

  /** Events [x0, x1) inside a range of the view's axis. */
  async #eventsOf(view: ViewState, range: Range): Promise<Range | undefined> {
    const { captureId } = this.#capture
    const count = deviceOf(this.#capture, view.device)?.eventCount ?? 0
    const inside = (event: number): number => Math.min(Math.max(event, 0), count)
    if (view.axis === 'event') return { x0: inside(Math.ceil(range.x0)), x1: inside(Math.ceil(range.x1)) }
    const before = async (timeNs: number) => engine.call('timeline.eventAt', { captureId, device: view.device, timeNs })
    const [first, last] = await Promise.all([before(range.x0 - 1), before(range.x1 - 1)])
    return first.ok && last.ok ? { x0: inside(first.value.event + 1), x1: inside(last.value.event + 1) } : undefined
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
