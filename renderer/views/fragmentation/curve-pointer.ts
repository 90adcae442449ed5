// Mouse and track pad on the curves: hover, click, drag to select, pan, zoom, overview window. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { beginOverviewDrag, clickOverview, dragOverview, type OverviewDrag, ordered, overviewCursor } from '../../focus/overview-drag.ts'
import { fitAll, showRange } from '../../focus/range-actions.ts'
import { wheelAt } from '../../focus/wheel.ts'
import { overviewScales } from '../../plot/overview.ts'
import { columnAt, type Pointer } from '../../plot/placed.ts'
import { pxToX, spanOf } from '../../plot/scales.ts'
import { snapX } from '../../plot/snap.ts'
import { goToEvent } from '../../state/go-to.ts'
import { patchView, type Range, viewOf } from '../../state/view-state.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'
import { bothPlots } from './curve-layout.ts'
import { type CurveHit, hitCurves } from './curve-model.ts'
import { fragmentationData } from './fragmentation-data.ts'

const dragStartPx = 4

type Gesture =
  | { readonly kind: 'press'; readonly hit: CurveHit; readonly button: number }
  | { readonly kind: 'select' | 'zoom'; readonly from: number }
  | { readonly kind: 'pan'; readonly range: Range }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

export class CurvePointer {
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #input: () => CurveInput | undefined
  readonly #openMenu: (at: Pointer) => void
  #gesture: Gesture | undefined
  #startX = 0
  #space = false
  readonly #abort = new AbortController()

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => CurveInput | undefined, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#host = host
    this.#input = input
    this.#openMenu = openMenu
    const { signal } = this.#abort
    host.addEventListener('pointerdown', (event) => this.#down(event), { signal })
    host.addEventListener('pointermove', (event) => this.#move(event), { signal })
    host.addEventListener('pointerup', (event) => this.#up(event), { signal })
    host.addEventListener('pointercancel', () => this.#cancel(), { signal })
    host.addEventListener('pointerleave', () => this.#gesture || this.#setHover(undefined), { signal })
    host.addEventListener('dblclick', (event) => this.#doubleClick(event), { signal })
    host.addEventListener('contextmenu', (event) => this.#contextMenu(event), { signal })
    host.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false })
    host.addEventListener('keydown', (event) => this.#spaceKey(event, true), { signal })
    window.addEventListener('keyup', (event) => this.#spaceKey(event, false), { signal })
    window.addEventListener('blur', () => this.#losesKeys(), { signal })
  }

  stop(): void {
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

  #place(event: MouseEvent): Pointer {
    const bounds = this.#host.getBoundingClientRect()
    return { xPx: event.clientX - bounds.left, yPx: event.clientY - bounds.top }
  }

  #hitAt(event: MouseEvent): CurveHit | undefined {
    const input = this.#input()
    const { xPx, yPx } = this.#place(event)
    return input && hitCurves(input, xPx, yPx)
  }

  #setHover(hover: Pointer | undefined): void {
    fragmentationData(this.#capture.captureId).setState({ hover })
  }

  #down(event: PointerEvent): void {
    this.#host.focus({ preventScroll: true })
    const hit = this.#hitAt(event)
    if (!hit || event.button > 1) return
    this.#host.setPointerCapture(event.pointerId)
    this.#startX = this.#place(event).xPx
    this.#gesture = { kind: 'press', hit, button: event.button }
    if (event.button === 1 || event.altKey) event.preventDefault()
  }

  #move(event: PointerEvent): void {
    const { xPx, yPx } = this.#place(event)
    const input = this.#input()
    if (!input) return
    if (!this.#gesture) {
      const hit = hitCurves(input, xPx, yPx)
      this.#host.style.cursor = cursorOf(hit)
      this.#setHover(hit && hit.region !== 'overview' ? { xPx, yPx } : undefined)
      return
    }
    if (this.#gesture.kind === 'press' && Math.abs(xPx - this.#startX) >= dragStartPx)
      this.#gesture = this.#begin(this.#gesture, event, input)
    if (this.#gesture.kind !== 'press') this.#drag(this.#gesture, input, xPx, event.ctrlKey)
  }

  /** Which gesture a drag is, by where it began and the keys held. */
  #begin({ hit, button }: Gesture & { kind: 'press' }, event: PointerEvent, input: CurveInput): Gesture {
    if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
    if (button === 1 || event.shiftKey || this.#space) return { kind: 'pan', range: input.visible }
    return { kind: event.altKey ? 'zoom' : 'select', from: snapX(input, hit.x, event.ctrlKey) }
  }

  #drag(gesture: Exclude<Gesture, { kind: 'press' }>, input: CurveInput, xPx: number, noSnap: boolean): void {
    if (gesture.kind === 'overview') dragOverview(this.#capture, gesture.drag, pxToX(overviewScales(input), xPx))
    else if (gesture.kind === 'pan') {
      const shift = ((this.#startX - xPx) / input.layout.plot.widthPx) * spanOf(gesture.range)
      showRange(this.#capture, { x0: gesture.range.x0 + shift, x1: gesture.range.x1 + shift })
    } else {
      const to = snapX(input, pxToX(scalesOf(input), xPx), noSnap)
      const hover = { xPx, yPx: input.layout.ruler.yPx }
      fragmentationData(this.#capture.captureId).setState({ dragging: ordered(gesture.from, to), hover })
    }
  }

  #up(event: PointerEvent): void {
    const gesture = this.#gesture
    const { dragging } = fragmentationData(this.#capture.captureId).getState()
    this.#cancel()
    if (!gesture) return
    if (gesture.kind === 'press' && gesture.button === 0) this.#click(gesture.hit, event)
    else if (gesture.kind === 'select' && dragging) patchView(this.#capture.captureId, { selectedRange: dragging })
    else if (gesture.kind === 'zoom' && dragging) showRange(this.#capture, dragging)
  }

  #cancel(): void {
    this.#gesture = undefined
    fragmentationData(this.#capture.captureId).setState({ dragging: undefined })
  }

  /** Pins the cursor; with Shift selects from the moment shown to here. */
  #click(hit: CurveHit, event: PointerEvent): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const input = this.#input()
    if (!view || !input) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'lane' && hit.placed) {
      const { x0, x1 } = hit.placed
      patchView(captureId, { selectedRange: { x0: Math.max(x0, view.full.x0), x1: Math.min(x1, view.full.x1) } })
    } else if (event.shiftKey && input.moment) {
      const from = view.axis === 'event' ? input.moment.event : input.moment.timeNs
      if (from !== null) patchView(captureId, { selectedRange: ordered(from, hit.x) })
    } else if (hit.region === 'plot' && hit.mark) void goToEvent(captureId, hit.mark.event)
    else this.#pin(hit.x)
  }

  /** The cursor goes to the event whose state the column shows. */
  #pin(x: number): void {
    const curves = this.#input()?.curves
    const column = curves && columnAt(curves, x)
    const event = column === undefined ? undefined : curves?.data.repEvent[column]
    if (event === undefined || Number.isNaN(event)) return
    patchView(this.#capture.captureId, { cursorEvent: Math.max(0, event) })
  }

  #doubleClick(event: MouseEvent): void {
    const hit = this.#hitAt(event)
    if (hit?.region === 'lane' && hit.placed) showRange(this.#capture, hit.placed)
    else if (hit) fitAll(this.#capture)
  }

  /** The menu is about the moment under the pointer, so that is pinned first. */
  #contextMenu(event: MouseEvent): void {
    event.preventDefault()
    const input = this.#input()
    if (!input) return
    const isPointed = event.button === 2 || event.ctrlKey // the menu key's event comes from no pointer
    const bounds = this.#host.getBoundingClientRect()
    const hit = isPointed ? this.#hitAt(event) : undefined
    if (hit?.region === 'plot') this.#pin(hit.x)
    this.#setHover(undefined)
    const both = bothPlots(input.layout)
    this.#openMenu(
      isPointed
        ? { xPx: event.clientX, yPx: event.clientY }
        : { xPx: bounds.left + both.xPx + both.widthPx / 2, yPx: bounds.top + both.yPx + both.heightPx / 3 },
    )
  }

  /** A plain wheel scrolls the page where it is longer than the window; with Ctrl or Shift, or where all is in sight, it moves the curves. */
  #wheel(event: WheelEvent): void {
    const input = this.#input()
    const page = this.#host.closest('.frag-page')
    const scrolls = page !== null && page.scrollHeight > page.clientHeight + 1
    const isPlain = !event.ctrlKey && !event.shiftKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX)
    if (!input || (scrolls && isPlain)) return
    const { plot } = input.layout
    const xPx = Math.max(this.#place(event).xPx, plot.xPx)
    wheelAt(this.#capture, event, pxToX(scalesOf(input), xPx), plot.widthPx)
  }
}

function cursorOf(hit: CurveHit | undefined): string {
  if (!hit) return 'default'
  if (hit.region === 'overview') return overviewCursor(hit)
  if (hit.region === 'lane') return hit.placed ? 'pointer' : 'default'
  return hit.region === 'plot' && hit.mark ? 'pointer' : 'crosshair'
}
