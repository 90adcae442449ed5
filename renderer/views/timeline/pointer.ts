// Mouse and track pad on the canvas: hover, click, drag to select, pan, zoom, overview window. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { cursorX } from '../../focus/cursor-x.ts'
import { focusData } from '../../focus/focus-data.ts'
import { beginOverviewDrag, clickOverview, dragOverview, type OverviewDrag, ordered, overviewCursor } from '../../focus/overview-drag.ts'
import { fitAll, focusAllocation, showRange } from '../../focus/range-actions.ts'
import { wheelAt } from '../../focus/wheel.ts'
import { overviewScales } from '../../plot/overview.ts'
import { columnAt, type Pointer } from '../../plot/placed.ts'
import { pxToX, spanOf } from '../../plot/scales.ts'
import { snapX } from '../../plot/snap.ts'
import { goToEvent, goToFailure } from '../../state/go-to.ts'
import { patchView, type Range, viewOf } from '../../state/view-state.ts'
import { pickAt } from './actions.ts'
import { type Hit, hitTest } from './model.ts'
import { scalesOf, type TimelineInput } from './model-input.ts'
import { timelineData } from './timeline-data.ts'

const dragStartPx = 4
const restMs = 80

type Gesture =
  | { readonly kind: 'press'; readonly hit: Hit; readonly button: number }
  | { readonly kind: 'select'; readonly from: number }
  | { readonly kind: 'zoom'; readonly from: number }
  | { readonly kind: 'pan'; readonly range: Range }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

export class TimelinePointer {
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #input: () => TimelineInput | undefined
  readonly #openMenu: (at: Pointer) => void
  #gesture: Gesture | undefined
  #startX = 0
  #cancelRest = (): void => {}
  #space = false
  readonly #abort = new AbortController()

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TimelineInput | undefined, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#host = host
    this.#input = input
    this.#openMenu = openMenu
    const { signal } = this.#abort
    host.addEventListener('pointerdown', (event) => this.#down(event), { signal })
    host.addEventListener('pointermove', (event) => this.#move(event), { signal })
    host.addEventListener('pointerup', (event) => this.#up(event), { signal })
    host.addEventListener('pointercancel', () => this.#cancel(), { signal })
    host.addEventListener('pointerleave', () => this.#leave(), { signal })
    host.addEventListener('dblclick', (event) => void this.#doubleClick(event), { signal })
    host.addEventListener('contextmenu', (event) => void this.#contextMenu(event), { signal })
    host.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false })
    host.addEventListener('keydown', (event) => this.#spaceKey(event, true), { signal })
    window.addEventListener('keyup', (event) => this.#spaceKey(event, false), { signal })
    window.addEventListener('blur', () => this.#losesKeys(), { signal })
  }

  stop(): void {
    this.#cancelRest()
    this.#abort.abort()
  }

  /** Another window gets the key's release. */
  #losesKeys(): void {
    this.#space = false
  }

  #spaceKey(event: KeyboardEvent, down: boolean): void {
    if (event.code !== 'Space') return
    this.#space = down
    if (down) event.preventDefault()
  }

  #place(event: MouseEvent): { readonly xPx: number; readonly yPx: number } {
    const bounds = this.#host.getBoundingClientRect()
    return { xPx: event.clientX - bounds.left, yPx: event.clientY - bounds.top }
  }

  #down(event: PointerEvent): void {
    const input = this.#input()
    const { xPx, yPx } = this.#place(event)
    const hit = input && hitTest(input, xPx, yPx)
    if (!input || !hit || event.button > 1) return
    this.#host.setPointerCapture(event.pointerId)
    this.#startX = xPx
    this.#gesture = { kind: 'press', hit, button: event.button }
    if (event.button === 1 || event.altKey) event.preventDefault()
    timelineData(this.#capture.captureId).setState({ hovered: undefined })
  }

  #move(event: PointerEvent): void {
    const { xPx, yPx } = this.#place(event)
    const input = this.#input()
    if (!input) return
    if (!this.#gesture) {
      this.#hover(input, xPx, yPx)
      return
    }
    if (this.#gesture.kind === 'press' && Math.abs(xPx - this.#startX) >= dragStartPx)
      this.#gesture = this.#begin(this.#gesture, event, input)
    if (this.#gesture.kind !== 'press') this.#drag(this.#gesture, input, xPx, event.ctrlKey)
  }

  /** Which gesture a drag is, by where it began and the keys held. */
  #begin(press: Gesture & { kind: 'press' }, event: PointerEvent, input: TimelineInput): Gesture {
    const { hit } = press
    if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
    if (press.button === 1 || event.shiftKey || this.#space) return { kind: 'pan', range: input.visible }
    const from = snapX(input, hit.x, event.ctrlKey)
    return { kind: event.altKey ? 'zoom' : 'select', from }
  }

  #drag(gesture: Gesture, input: TimelineInput, xPx: number, noSnap: boolean): void {
    const store = timelineData(this.#capture.captureId)
    if (gesture.kind === 'select' || gesture.kind === 'zoom') {
      const to = snapX(input, pxToX(scalesOf(input), xPx), noSnap)
      store.setState({ dragging: ordered(gesture.from, to), hover: { xPx, yPx: input.layout.ruler.yPx } })
    } else if (gesture.kind === 'pan') {
      const shift = ((this.#startX - xPx) / input.layout.plot.widthPx) * spanOf(gesture.range)
      showRange(this.#capture, { x0: gesture.range.x0 + shift, x1: gesture.range.x1 + shift })
    } else if (gesture.kind === 'overview') dragOverview(this.#capture, gesture.drag, pxToX(overviewScales(input), xPx))
  }

  #up(event: PointerEvent): void {
    const gesture = this.#gesture
    const { dragging } = timelineData(this.#capture.captureId).getState()
    this.#cancel()
    const input = this.#input()
    const { xPx, yPx } = this.#place(event)
    if (input) this.#hover(input, xPx, yPx)
    if (!gesture) return
    if (gesture.kind === 'press' && gesture.button === 0) this.#click(gesture.hit, event)
    else if (gesture.kind === 'select' && dragging) patchView(this.#capture.captureId, { selectedRange: dragging })
    else if (gesture.kind === 'zoom' && dragging) showRange(this.#capture, dragging)
  }

  #cancel(): void {
    this.#gesture = undefined
    timelineData(this.#capture.captureId).setState({ dragging: undefined })
  }

  #click(hit: Hit, event: PointerEvent): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    if (!view) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'lane' && hit.placed) {
      const { x0, x1 } = hit.placed
      patchView(captureId, { selectedRange: { x0: Math.max(x0, view.full.x0), x1: Math.min(x1, view.full.x1) } })
    } else if (event.shiftKey && view.cursorEvent !== undefined && hit.region !== 'lane') {
      const from = cursorX(view, focusData(captureId).getState().cursor)
      if (from !== undefined) patchView(captureId, { selectedRange: ordered(from, hit.x) })
    } else if (hit.region === 'plot' && hit.mark) void (hit.mark.kind === 'oom' ? goToFailure : goToEvent)(captureId, hit.mark.event)
    else void this.#pick(hit)
  }

  async #pick(hit: Hit): Promise<void> {
    const { captureId } = this.#capture
    const curves = this.#input()?.curves
    const column = curves && columnAt(curves, hit.x)
    const event = column === undefined ? undefined : curves?.data.repEvent[column]
    if (event === undefined || Number.isNaN(event)) return
    if (hit.region === 'plot') await pickAt(this.#capture, event, hit.bytes)
    else patchView(captureId, { cursorEvent: Math.max(0, event) })
  }

  /** Zooms to what lies under the pointer, to everything where nothing does. It is picked anew: the clicks' own answers may be on their way. */
  async #doubleClick(event: MouseEvent): Promise<void> {
    const input = this.#input()
    const { xPx, yPx } = this.#place(event)
    const hit = input && hitTest(input, xPx, yPx)
    if (hit?.region === 'overview') fitAll(this.#capture)
    else if (hit?.region === 'lane' && hit.placed) showRange(this.#capture, hit.placed)
    else if (hit?.region === 'plot' && hit.mark === undefined) {
      await this.#pick(hit)
      if (!(await focusAllocation(this.#capture))) fitAll(this.#capture)
    } else if (hit?.region === 'ruler') fitAll(this.#capture)
  }

  /** The menu is about what lies under the pointer, so that is selected first; a selected range under it stays. */
  async #contextMenu(event: MouseEvent): Promise<void> {
    event.preventDefault()
    const input = this.#input()
    if (!input) return
    const bounds = this.#host.getBoundingClientRect()
    if (!isPointed(event)) {
      const { plot } = input.layout
      this.#openMenu({ xPx: bounds.left + plot.xPx + plot.widthPx / 2, yPx: bounds.top + plot.yPx + plot.heightPx / 3 })
      return
    }
    const { xPx, yPx } = this.#place(event)
    const hit = hitTest(input, xPx, yPx)
    const range = input.selectedRange
    const isInRange = range !== undefined && hit !== undefined && hit.x >= range.x0 && hit.x < range.x1
    if (hit?.region === 'plot' && !isInRange) await this.#pick(hit)
    this.#leave()
    this.#openMenu({ xPx: event.clientX, yPx: event.clientY })
  }

  #wheel(event: WheelEvent): void {
    const input = this.#input()
    if (!input) return
    const { plot } = input.layout
    const xPx = Math.max(this.#place(event).xPx, plot.xPx)
    wheelAt(this.#capture, event, pxToX(scalesOf(input), xPx), plot.widthPx)
  }

  #hover(input: TimelineInput, xPx: number, yPx: number): void {
    const store = timelineData(this.#capture.captureId)
    const hit = hitTest(input, xPx, yPx)
    this.#host.style.cursor = cursorOf(hit)
    const shown = hit?.region === 'plot' || hit?.region === 'ruler' || hit?.region === 'lane'
    this.#cancelRest()
    store.setState({ hover: shown ? { xPx, yPx } : undefined, hovered: undefined })
    if (hit?.region === 'plot' && !hit.mark) this.#cancelRest = later(restMs, () => void this.#pickHovered(hit.x, hit.bytes))
  }

  async #pickHovered(x: number, bytes: number): Promise<void> {
    const { captureId } = this.#capture
    const curves = this.#input()?.curves
    const column = curves && columnAt(curves, x)
    const event = column === undefined ? undefined : curves?.data.repEvent[column]
    if (!curves || event === undefined || Number.isNaN(event)) return
    const answer = await engine.latest('timeline.hover', 'timeline.pick', { captureId, device: curves.device, event, bytes })
    const { hover } = timelineData(captureId).getState()
    if (answer.ok && hover) timelineData(captureId).setState({ hovered: answer.value.allocation ?? undefined })
  }

  #leave(): void {
    this.#cancelRest()
    if (!this.#gesture) timelineData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined })
  }
}

/** False for the menu key, whose event comes from no pointer. */
const isPointed = (event: MouseEvent): boolean => event.button === 2 || event.ctrlKey

function cursorOf(hit: Hit | undefined): string {
  if (!hit) return 'default'
  if (hit.region === 'overview') return overviewCursor(hit)
  if (hit.region === 'lane') return hit.placed ? 'pointer' : 'default'
  return hit.region === 'plot' && hit.mark ? 'pointer' : 'crosshair'
}
