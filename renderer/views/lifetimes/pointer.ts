// Mouse and track pad on the canvas: hover, click, rectangle, pan, zoom in both directions, overview window. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { cursorX } from '../../focus/cursor-x.ts'
import { focusData } from '../../focus/focus-data.ts'
import { beginOverviewDrag, clickOverview, dragOverview, type OverviewDrag, ordered, overviewCursor } from '../../focus/overview-drag.ts'
import { fitAll, showRange } from '../../focus/range-actions.ts'
import { pixelsPerLine, wheelAt, wheelStep } from '../../focus/wheel.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { overviewScales } from '../../plot/overview.ts'
import { columnAt, type Pointer } from '../../plot/placed.ts'
import { pxToX, spanOf } from '../../plot/scales.ts'
import { snapX } from '../../plot/snap.ts'
import { askFilter } from '../../state/filter.ts'
import { patchView, type Range, viewOf, viewStates } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { spaceNow } from './assemble.ts'
import { lifetimesData } from './lifetimes-data.ts'
import { type Hit, hitTest } from './model.ts'
import { type LifetimesInput, yScaleOf } from './model-input.ts'
import { askLife } from './questions.ts'
import { toEngineY } from './row-fold.ts'
import { heightOf, pxToY, rowAt, type YRange } from './y-axis.ts'

const dragStartPx = 4
const restMs = 80

type Gesture =
  | { readonly kind: 'press'; readonly hit: Hit; readonly button: number }
  | { readonly kind: 'select' | 'zoom'; readonly x: number; readonly y: number | undefined } // y undefined: the whole height
  | { readonly kind: 'rows'; readonly y: number }
  | { readonly kind: 'pan'; readonly range: Range; readonly y: YRange }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

export class LifetimesPointer {
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #input: () => LifetimesInput | undefined
  readonly #openMenu: (at: Pointer) => void
  readonly #abort = new AbortController()
  #gesture: Gesture | undefined
  #start: Pointer = { xPx: 0, yPx: 0 }
  #cancelRest = (): void => {}
  #cancelFollow = (): void => {}
  readonly #stops: readonly (() => void)[]
  #space = false

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => LifetimesInput | undefined, openMenu: (at: Pointer) => void) {
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
    const { captureId } = capture
    this.#stops = [
      viewStates.subscribe(
        (state, old) => isMoved(state.byCapture[captureId], old.byCapture[captureId], viewParts) && this.#followPicture(),
      ),
      lifetimesData(captureId).subscribe((data, old) => isMoved(data, old, dataParts) && this.#followPicture()),
    ]
  }

  stop(): void {
    this.#cancelRest()
    this.#cancelFollow()
    for (const stop of this.#stops) stop()
    this.#abort.abort()
  }

  /** The picture moved under a resting pointer: what was under it is forgotten at once, what is there now is asked for when it rests. */
  #followPicture(): void {
    const store = lifetimesData(this.#capture.captureId)
    const { hover } = store.getState()
    if (!hover) return
    this.#cancelRest()
    this.#cancelFollow()
    store.setState({ hover: { ...hover }, hovered: undefined, hoveredPlace: undefined })
    this.#cancelFollow = later(restMs, () => {
      const input = this.#input()
      const { hover: at } = store.getState()
      if (input && at && !this.#gesture) this.#hover(input, at) // outside the canvas, as when the drawer has opened over it, nothing is hit
    })
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

  #down(event: PointerEvent): void {
    const input = this.#input()
    const at = this.#place(event)
    const hit = input && hitTest(input, at.xPx, at.yPx)
    if (!input || !hit || event.button > 1) return
    this.#host.setPointerCapture(event.pointerId)
    this.#start = at
    this.#gesture = { kind: 'press', hit, button: event.button }
    if (event.button === 1 || event.altKey) event.preventDefault()
    this.#forgetHovered()
  }

  #move(event: PointerEvent): void {
    const at = this.#place(event)
    const input = this.#input()
    if (!input) return
    if (!this.#gesture) {
      this.#hover(input, at)
      return
    }
    const moved = Math.max(Math.abs(at.xPx - this.#start.xPx), Math.abs(at.yPx - this.#start.yPx))
    if (this.#gesture.kind === 'press' && moved >= dragStartPx) this.#gesture = this.#begin(this.#gesture, event, input)
    if (this.#gesture.kind !== 'press') this.#drag(this.#gesture, input, at, event.ctrlKey)
  }

  /** Which gesture a drag is, by where it began and the keys held. */
  #begin({ hit, button }: Gesture & { kind: 'press' }, event: PointerEvent, input: LifetimesInput): Gesture {
    if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
    if (button === 1 || event.shiftKey || this.#space) return { kind: 'pan', range: input.visible, y: input.y }
    if (hit.region === 'rows') return { kind: 'rows', y: hit.y }
    const x = snapX(input, hit.x, event.ctrlKey)
    return { kind: event.altKey ? 'zoom' : 'select', x, y: hit.region === 'plot' ? hit.y : undefined }
  }

  #drag(gesture: Gesture, input: LifetimesInput, at: Pointer, noSnap: boolean): void {
    const store = lifetimesData(this.#capture.captureId)
    const { plot } = input.layout
    const y = pxToY(yScaleOf(input), Math.min(Math.max(at.yPx, plot.yPx), plot.yPx + plot.heightPx))
    if (gesture.kind === 'select' || gesture.kind === 'zoom') {
      const range = ordered(gesture.x, snapX(input, pxToX(xScaleOf(input), at.xPx), noSnap))
      store.setState({ dragging: { range, y: gesture.y === undefined ? undefined : orderedY(gesture.y, y) }, hover: undefined })
    } else if (gesture.kind === 'rows') store.setState({ dragging: { range: input.visible, y: orderedY(gesture.y, y) }, hover: undefined })
    else if (gesture.kind === 'pan') {
      const dx = ((this.#start.xPx - at.xPx) / plot.widthPx) * spanOf(gesture.range)
      const dy = ((this.#start.yPx - at.yPx) / plot.heightPx) * heightOf(gesture.y)
      showRange(this.#capture, { x0: gesture.range.x0 + dx, x1: gesture.range.x1 + dx })
      if (actions.isYZoomed(this.#capture)) actions.showY(this.#capture, { y0: gesture.y.y0 + dy, y1: gesture.y.y1 + dy })
    } else if (gesture.kind === 'overview') dragOverview(this.#capture, gesture.drag, pxToX(overviewScales(input), at.xPx))
  }

  #up(event: PointerEvent): void {
    const gesture = this.#gesture
    const { dragging } = lifetimesData(this.#capture.captureId).getState()
    this.#cancel()
    const input = this.#input()
    if (input) this.#hover(input, this.#place(event))
    if (!gesture) return
    if (gesture.kind === 'press' && gesture.button === 0) this.#click(gesture.hit, event)
    else if (gesture.kind === 'select' && dragging?.range) actions.selectRectangle(this.#capture, dragging.range, dragging.y)
    else if (gesture.kind === 'zoom' || gesture.kind === 'rows') {
      if (gesture.kind === 'zoom' && dragging?.range) showRange(this.#capture, dragging.range)
      if (dragging?.y) actions.showY(this.#capture, dragging.y)
    }
  }

  #cancel(): void {
    this.#gesture = undefined
    lifetimesData(this.#capture.captureId).setState({ dragging: undefined })
  }

  #click(hit: Hit, event: PointerEvent): void {
    const view = viewOf(this.#capture.captureId)
    if (!view) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'lane' && hit.placed) {
      const { x0, x1 } = hit.placed
      actions.selectRectangle(this.#capture, { x0: Math.max(x0, view.full.x0), x1: Math.min(x1, view.full.x1) }, undefined)
    } else if (event.shiftKey && view.cursorEvent !== undefined && hit.region === 'plot') {
      const from = cursorX(view, focusData(this.#capture.captureId).getState().cursor)
      if (from !== undefined) actions.selectRectangle(this.#capture, ordered(from, hit.x), undefined)
    } else if (hit.region === 'ruler' || hit.region === 'lane') this.#pinCursor(hit.x)
    else if (hit.region === 'plot') void this.#pick(hit)
  }

  #pinCursor(x: number): void {
    const curves = this.#input()?.curves
    const column = curves && columnAt(curves, x)
    const event = column === undefined ? undefined : curves?.data.repEvent[column]
    if (event !== undefined && !Number.isNaN(event)) patchView(this.#capture.captureId, { cursorEvent: Math.max(0, event) })
  }

  /** Selects what lies there, and pins the cursor; answers as `pickAt` does. */
  async #pick(hit: Hit & { region: 'plot' }): Promise<boolean | undefined> {
    this.#pinCursor(hit.x)
    if (hit.allocationId === undefined) return actions.pickAt(this.#capture, hit.x, hit.y)
    actions.select(this.#capture, hit.allocationId)
    return true
  }

  /** Zooms to what lies under the pointer, to everything where nothing does. It is picked anew: the clicks' own answers may be on their way. */
  async #doubleClick(event: MouseEvent): Promise<void> {
    const input = this.#input()
    const { xPx, yPx } = this.#place(event)
    const hit = input && hitTest(input, xPx, yPx)
    if (hit?.region === 'overview' || hit?.region === 'ruler') fitAll(this.#capture)
    else if (hit?.region === 'lane' && hit.placed) showRange(this.#capture, hit.placed)
    else if (hit?.region === 'rows') this.#showRow(input?.space ? rowAt(input.space.rows, hit.y) : undefined)
    else if (hit?.region === 'plot') {
      const isPicked = await this.#pick(hit)
      if (isPicked) await actions.focusPicked(this.#capture)
      else if (isPicked === false) actions.fitBoth(this.#capture)
    }
  }

  /** One row, or all when it is what is shown. */
  #showRow(row: YRange | undefined): void {
    if (!row || actions.isYZoomed(this.#capture)) actions.fitY(this.#capture)
    else actions.showY(this.#capture, row)
  }

  /** The menu is about what lies under the pointer, so that is selected first; a selected rectangle under it stays. */
  async #contextMenu(event: MouseEvent): Promise<void> {
    event.preventDefault()
    const input = this.#input()
    if (!input) return
    if (event.button !== 2 && !event.ctrlKey) {
      const bounds = this.#host.getBoundingClientRect()
      const { plot } = input.layout
      this.#openMenu({ xPx: bounds.left + plot.xPx + plot.widthPx / 2, yPx: bounds.top + plot.yPx + plot.heightPx / 3 })
      return
    }
    const { xPx, yPx } = this.#place(event)
    const hit = hitTest(input, xPx, yPx)
    if (hit?.region === 'plot' && !isInRectangle(input, hit)) await this.#pick(hit)
    this.#leave()
    this.#openMenu({ xPx: event.clientX, yPx: event.clientY })
  }

  /** Alt, or Ctrl and Shift, zooms the rows; a plain wheel scrolls them while zoomed; everything else moves the horizontal axis. */
  #wheel(event: WheelEvent): void {
    const input = this.#input()
    if (!input) return
    const { plot } = input.layout
    const { xPx, yPx } = this.#place(event)
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1
    const delta = (event.deltaY || event.deltaX) * unit // with Shift some systems turn the wheel sideways
    const isOnRows = xPx < plot.xPx && yPx >= plot.yPx
    if (event.altKey || (event.ctrlKey && (event.shiftKey || isOnRows))) {
      event.preventDefault()
      actions.zoomYBy(this.#capture, Math.exp(-delta * wheelStep), pxToY(yScaleOf(input), Math.max(yPx, plot.yPx)))
    } else if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX) && actions.isYZoomed(this.#capture)) {
      event.preventDefault()
      actions.panYBy(this.#capture, delta / plot.heightPx)
    } else wheelAt(this.#capture, event, pxToX(xScaleOf(input), Math.max(xPx, plot.xPx)), plot.widthPx)
  }

  #hover(input: LifetimesInput, at: Pointer): void {
    const hit = hitTest(input, at.xPx, at.yPx)
    this.#host.style.cursor = cursorOf(hit)
    this.#cancelRest()
    const shown = hit !== undefined && hit.region !== 'overview'
    lifetimesData(this.#capture.captureId).setState({ hover: shown ? at : undefined, hovered: undefined, hoveredPlace: undefined })
    if (hit?.region === 'plot') this.#cancelRest = later(restMs, () => void this.#pickHovered(input, hit))
  }

  async #pickHovered(input: LifetimesInput, hit: Hit & { region: 'plot' }): Promise<void> {
    if (input.bars && hit.allocationId === undefined) return
    const { captureId } = this.#capture
    const store = lifetimesData(captureId)
    const { hover: asked, space } = store.getState()
    const { axis, order } = input
    const device = input.device.device
    const fold = spaceNow({ device }, { space, order })?.fold
    const filter = await askFilter(captureId)
    if (!filter.ok) return
    const question = { captureId, device, axis, order, x: hit.x, y: toEngineY(fold, hit.y), filter: filter.value }
    const answer = hit.allocationId === undefined ? await engine.latest('lifetimes.hover', 'lifetimes.pick', question) : undefined
    const picked = answer?.ok ? answer.value.allocation : null
    const allocationId = hit.allocationId ?? picked?.allocationId
    if (allocationId === undefined) return
    const [row, life] = await Promise.all([
      picked ?? rowOf(captureId, allocationId),
      askLife(captureId, { device, axis, order, allocationId }, fold),
    ])
    // The pointer or the picture may have moved since.
    if (asked && store.getState().hover === asked) store.setState({ hovered: row, hoveredPlace: life.ok ? life.value : undefined })
  }

  #forgetHovered(): void {
    lifetimesData(this.#capture.captureId).setState({ hovered: undefined, hoveredPlace: undefined })
  }

  #leave(): void {
    this.#cancelRest()
    if (this.#gesture) return
    this.#forgetHovered()
    lifetimesData(this.#capture.captureId).setState({ hover: undefined })
  }
}

const viewParts = ['visible', 'filter', 'device', 'axis'] as const
const dataParts = ['shownY', 'order', 'layout', 'level', 'bars', 'measure'] as const

/** True when one of the parts that decide what lies where has changed. */
const isMoved = <T, K extends keyof T>(now: T | undefined, old: T | undefined, parts: readonly K[]): boolean =>
  parts.some((part) => now?.[part] !== old?.[part])

async function rowOf(captureId: string, allocationId: number) {
  const answer = await engine.latest('lifetimes.hover', 'allocation.details', { captureId, allocationId })
  return answer.ok ? answer.value : undefined
}

const orderedY = (a: number, b: number): YRange => (a <= b ? { y0: a, y1: b } : { y0: b, y1: a })

function isInRectangle({ selectedRange: range, band }: LifetimesInput, { x, y }: { readonly x: number; readonly y: number }): boolean {
  if (!range || x < range.x0 || x >= range.x1) return false
  return !band || (y >= band.y0 && y < band.y1)
}

function cursorOf(hit: Hit | undefined): string {
  if (!hit) return 'default'
  if (hit.region === 'overview') return overviewCursor(hit)
  if (hit.region === 'rows') return 'row-resize'
  if (hit.region === 'lane') return hit.placed ? 'pointer' : 'default'
  return hit.region === 'plot' && hit.allocationId !== undefined ? 'pointer' : 'crosshair'
}
