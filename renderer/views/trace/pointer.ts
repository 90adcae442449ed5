// Mouse and track pad on the canvas: hover, click, area, pan, zoom, scroll, overview window, headings. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { later } from '../../data/later.ts'
import { beginOverviewDrag, clickOverview, dragOverview, type OverviewDrag, ordered, overviewCursor } from '../../focus/overview-drag.ts'
import { fitAll, showRange } from '../../focus/range-actions.ts'
import { pixelsPerLine, wheelAt } from '../../focus/wheel.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { overviewScales } from '../../plot/overview.ts'
import type { Pointer } from '../../plot/placed.ts'
import { pxToX, spanOf } from '../../plot/scales.ts'
import { type Range, viewOf, viewStates } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { scrollBar } from './draw-marks.ts'
import type { ShownRow } from './layout.ts'
import { boxAt, type Hit, hitTest, instantAt, rowAt, rowsBetween, snapToSlice } from './model.ts'
import type { TraceInput } from './model-input.ts'
import { showInstant } from './panel-data.ts'
import { pickAt } from './pick.ts'
import { type TraceData, traceData } from './trace-data.ts'

const dragStartPx = 4
const restMs = 80

type RowsHit = Hit & { readonly region: 'rows' }
type Gesture =
  | { readonly kind: 'press'; readonly hit: Hit; readonly button: number }
  | { readonly kind: 'select'; readonly x: number; readonly yPx: number | undefined } // yPx undefined: all tracks
  | { readonly kind: 'zoom'; readonly x: number }
  | { readonly kind: 'pan'; readonly range: Range; readonly scrollPx: number }
  | { readonly kind: 'scroll'; readonly scrollPx: number }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

export class TracePointer {
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #input: () => TraceInput | undefined
  readonly #openMenu: (at: Pointer) => void
  readonly #abort = new AbortController()
  readonly #stops: readonly (() => void)[]
  #gesture: Gesture | undefined
  #start: Pointer = { xPx: 0, yPx: 0 }
  #cancelRest = (): void => {}
  #space = false

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TraceInput | undefined, openMenu: (at: Pointer) => void) {
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
    host.addEventListener('keydown', (event) => this.#key(event), { signal })
    window.addEventListener('keyup', (event) => this.#spaceUp(event), { signal })
    window.addEventListener('blur', () => this.#losesKeys(), { signal })
    const { captureId } = capture
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[captureId]?.visible !== old.byCapture[captureId]?.visible && this.#follow()),
      traceData(captureId).subscribe((data, old) => isMoved(data, old) && this.#follow()),
    ]
  }

  stop(): void {
    this.#cancelRest()
    for (const stop of this.#stops) stop()
    this.#abort.abort()
  }

  /** The picture moved under a resting pointer: what was under it is forgotten at once, what is there now is asked for when it rests. */
  #follow(): void {
    const store = traceData(this.#capture.captureId)
    const { hover, hovered } = store.getState()
    if (!hover) return
    this.#cancelRest()
    if (hovered) store.setState({ hovered: undefined })
    this.#cancelRest = later(restMs, () => {
      const input = this.#input()
      const at = store.getState().hover
      if (input && at && !this.#gesture) this.#hover(input, at)
    })
  }

  /** Another window gets the key's release. */
  #losesKeys(): void {
    this.#space = false
  }

  #spaceUp(event: KeyboardEvent): void {
    if (event.code === 'Space') this.#space = false
  }

  /** Keys that mean something only while the canvas has the focus. */
  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const pagePx = (this.#input()?.layout.plot.heightPx ?? 0) * pageShare
    const keys: Readonly<Record<string, () => void>> = {
      Space: () => {
        this.#space = true
      },
      PageUp: () => actions.scrollBy(this.#capture, -pagePx),
      PageDown: () => actions.scrollBy(this.#capture, pagePx),
      Home: () => actions.scroll(this.#capture, 0),
      End: () => actions.scroll(this.#capture, Number.MAX_SAFE_INTEGER),
      Enter: () => actions.openDetails(this.#capture),
    }
    const run = keys[event.code]
    if (!run) return
    event.preventDefault()
    run()
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
    if (hit.region === 'scrollBar') this.#pressBar(input, hit.isThumb, at)
    this.#cancelRest()
  }

  /** Beside the thumb a press brings it there. */
  #pressBar(input: TraceInput, isThumb: boolean, { yPx }: Pointer): void {
    const bar = scrollBar(input)
    if (bar && !isThumb) {
      const share = (yPx - bar.frame.yPx - bar.thumb.heightPx / 2) / Math.max(1, bar.frame.heightPx - bar.thumb.heightPx)
      actions.scroll(this.#capture, share * (input.rows.contentPx - bar.frame.heightPx))
    }
    this.#gesture = { kind: 'scroll', scrollPx: traceData(this.#capture.captureId).getState().scrollPx }
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
  #begin({ hit, button }: Gesture & { kind: 'press' }, event: PointerEvent, input: TraceInput): Gesture {
    const { scrollPx } = input
    if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
    if (button === 1 || event.shiftKey || this.#space || hit.region === 'head' || hit.region === 'scrollBar')
      return { kind: 'pan', range: input.visible, scrollPx }
    const row = hit.region === 'rows' ? hit.row : undefined
    const x = snapToSlice(input, hit.x, row, event.ctrlKey)
    if (event.altKey) return { kind: 'zoom', x }
    return { kind: 'select', x, yPx: hit.region === 'rows' ? this.#start.yPx : undefined }
  }

  #drag(gesture: Gesture, input: TraceInput, at: Pointer, noSnap: boolean): void {
    const store = traceData(this.#capture.captureId)
    const { plot } = input.layout
    const x = () => snapToSlice(input, pxToX(xScaleOf(input), at.xPx), rowAt(input, at.yPx), noSnap)
    if (gesture.kind === 'select') {
      const rows = gesture.yPx === undefined ? undefined : rowsBetween(input, gesture.yPx, at.yPx)
      store.setState({ dragging: { range: ordered(gesture.x, x()), rows }, hover: undefined })
    } else if (gesture.kind === 'zoom') store.setState({ dragging: { range: ordered(gesture.x, x()), rows: undefined }, hover: undefined })
    else if (gesture.kind === 'pan') {
      const shift = ((this.#start.xPx - at.xPx) / plot.widthPx) * spanOf(gesture.range)
      showRange(this.#capture, { x0: gesture.range.x0 + shift, x1: gesture.range.x1 + shift })
      actions.scroll(this.#capture, gesture.scrollPx + this.#start.yPx - at.yPx)
    } else if (gesture.kind === 'scroll') this.#dragBar(gesture.scrollPx, input, at)
    else if (gesture.kind === 'overview') dragOverview(this.#capture, gesture.drag, pxToX(overviewScales(input), at.xPx))
  }

  #dragBar(fromPx: number, input: TraceInput, at: Pointer): void {
    const bar = scrollBar(input)
    if (!bar) return
    const perPx = (input.rows.contentPx - bar.frame.heightPx) / Math.max(1, bar.frame.heightPx - bar.thumb.heightPx)
    actions.scroll(this.#capture, fromPx + (at.yPx - this.#start.yPx) * perPx)
  }

  #up(event: PointerEvent): void {
    const gesture = this.#gesture
    const { dragging } = traceData(this.#capture.captureId).getState()
    this.#cancel()
    const input = this.#input()
    if (input) this.#hover(input, this.#place(event))
    if (!gesture || !input) return
    if (gesture.kind === 'press' && gesture.button === 0) void this.#click(gesture.hit, event, input)
    else if (gesture.kind === 'select' && dragging) actions.selectArea(this.#capture, dragging.range, dragging.rows)
    else if (gesture.kind === 'zoom' && dragging) showRange(this.#capture, dragging.range)
  }

  #cancel(): void {
    this.#gesture = undefined
    traceData(this.#capture.captureId).setState({ dragging: undefined })
  }

  async #click(hit: Hit, event: PointerEvent, input: TraceInput): Promise<void> {
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'ruler') await actions.setCursorAt(this.#capture, hit.x)
    else if (hit.region === 'head') this.#clickHead(hit.row, hit.part)
    else if (hit.region === 'rows' && event.shiftKey) this.#extendTo(hit, input)
    else if (hit.region === 'rows') await this.#pick(hit, input)
  }

  #clickHead({ row }: ShownRow, part: 'fold' | 'pin' | 'name'): void {
    if (part === 'pin') actions.togglePinned(this.#capture, row.key)
    else if (part === 'fold') actions.toggleFolded(this.#capture, row.key)
  }

  /** The selected range, or one from the selected slice, reaches to here. */
  #extendTo({ x }: RowsHit, { selectedRange, selected, areaRows }: TraceInput): void {
    if (selectedRange) {
      const [from, to] = x > (selectedRange.x0 + selectedRange.x1) / 2 ? [selectedRange.x0, x] : [x, selectedRange.x1]
      actions.selectArea(this.#capture, ordered(from, to), areaRows)
    } else if (selected) actions.selectArea(this.#capture, ordered(selected.startNs, x), undefined)
  }

  /** Selects what lies there; on the memory, the moment. Says whether a slice does, undefined without an answer. */
  async #pick(hit: RowsHit, input: TraceInput): Promise<boolean | undefined> {
    const { row, laneId, x } = hit
    if (row?.row.kind === 'memory') {
      if (row.row.device === viewOf(this.#capture.captureId)?.device) await actions.setCursorAt(this.#capture, x)
      return undefined
    }
    const instant = row && instantAt(input, row, x, this.#start.yPx)
    if (instant !== undefined) {
      showInstant(this.#capture.captureId, instant)
      return undefined
    }
    const slice = laneId === undefined ? null : await pickAt(this.#capture, input, laneId, x, 'trace.pick')
    if (slice === undefined) return undefined
    actions.selectSlice(this.#capture, slice ?? undefined)
    return slice !== null
  }

  /** Zooms to what lies under the pointer, to everything where nothing does. */
  async #doubleClick(event: MouseEvent): Promise<void> {
    const input = this.#input()
    const { xPx, yPx } = this.#place(event)
    const hit = input && hitTest(input, xPx, yPx)
    if (hit?.region === 'overview' || hit?.region === 'ruler') fitAll(this.#capture)
    else if (input && hit?.region === 'rows') {
      const isPicked = await this.#pick(hit, input)
      const slice = actions.selectedRow(this.#capture)
      if (isPicked && slice) actions.zoomToSlice(this.#capture, slice)
      else if (isPicked === false) fitAll(this.#capture)
    }
  }

  /** The menu is about what lies under the pointer, so that is selected first; a selected area under it stays. */
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
    if (hit?.region === 'rows' && !isInArea(input, hit)) await this.#pick(hit, input)
    if (hit?.region !== 'head') this.#leave()
    this.#openMenu({ xPx: event.clientX, yPx: event.clientY })
  }

  /** A plain wheel scrolls the rows where there are more than room, and on the headings; everything else moves the time axis. */
  #wheel(event: WheelEvent): void {
    const input = this.#input()
    if (!input) return
    const { plot } = input.layout
    const { xPx, yPx } = this.#place(event)
    const isPlain = !event.ctrlKey && !event.shiftKey && !event.metaKey
    if (isPlain && yPx >= plot.yPx && Math.abs(event.deltaY) >= Math.abs(event.deltaX) && actions.canScroll(this.#capture)) {
      event.preventDefault()
      actions.scrollBy(this.#capture, event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1))
    } else wheelAt(this.#capture, event, pxToX(xScaleOf(input), Math.max(xPx, plot.xPx)), plot.widthPx)
  }

  #hover(input: TraceInput, at: Pointer): void {
    const hit = hitTest(input, at.xPx, at.yPx)
    this.#cancelRest()
    const box = hit?.region === 'rows' && hit.laneId !== undefined ? boxAt(input, hit.laneId, hit.x) : undefined
    this.#host.style.cursor = cursorOf(hit, box !== undefined)
    const isShown = hit !== undefined && hit.region !== 'overview' && hit.region !== 'scrollBar'
    const hoverRow = hit?.region === 'head' ? hit.row.row.key : undefined
    traceData(this.#capture.captureId).setState({ hover: isShown ? at : undefined, hovered: box, hoverRow })
    if (hit?.region === 'rows' && hit.laneId !== undefined && !box)
      this.#cancelRest = later(restMs, () => void this.#pickHovered(input, hit, at))
  }

  async #pickHovered(input: TraceInput, { laneId, x }: RowsHit, at: Pointer): Promise<void> {
    const { captureId } = this.#capture
    if (laneId === undefined) return
    const slice = await pickAt(this.#capture, input, laneId, x, 'trace.hover')
    const store = traceData(captureId)
    // The pointer or the picture may have moved since.
    const now = store.getState().hover
    if (slice && now?.xPx === at.xPx && now.yPx === at.yPx) store.setState({ hovered: slice })
  }

  #leave(): void {
    this.#cancelRest()
    if (this.#gesture) return
    traceData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined, hoverRow: undefined })
  }
}

const pageShare = 0.8

/** True when what lies where has changed. */
const isMoved = (data: TraceData, old: TraceData): boolean =>
  (['scrollPx', 'collapsed', 'pinned', 'layout', 'tracks'] as const).some((part) => data[part] !== old[part])

function isInArea({ selectedRange: range, areaRows }: TraceInput, { x, row }: RowsHit): boolean {
  if (!range || x < range.x0 || x >= range.x1) return false
  return !areaRows || (row !== undefined && areaRows.includes(row.row.key))
}

function cursorOf(hit: Hit | undefined, isOnBox: boolean): string {
  if (!hit || hit.region === 'scrollBar') return 'default'
  if (hit.region === 'overview') return overviewCursor(hit)
  if (hit.region === 'head') return hit.part === 'name' ? 'default' : 'pointer'
  return isOnBox ? 'pointer' : 'crosshair'
}
