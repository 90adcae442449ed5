// Mouse and track pad on the canvas: hover, click, area, pan, zoom, scroll, overview window, headings. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { clickFlag, editFlag } from '../../focus/note-actions.ts'
import { beginOverviewDrag, clickOverview, dragOverview, type OverviewDrag, ordered, overviewCursor } from '../../focus/overview-drag.ts'
import { fitAll, showRange } from '../../focus/range-actions.ts'
import { isPlainTurn, wheelAt, wheelTurn } from '../../focus/wheel.ts'
import { CanvasPointer, type PointerOwner, type Press } from '../../panels/canvas-pointer.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { overviewScales } from '../../plot/overview.ts'
import type { Pointer, Travel } from '../../plot/placed.ts'
import { panRange, pxToX } from '../../plot/scales.ts'
import type { Frame } from '../../scene/display-list.ts'
import { type Range, viewOf, viewStates } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { scrollBar } from './draw-marks.ts'
import type { ShownRow } from './layout.ts'
import { boxAt, type Hit, hitTest, instantAt, rowAt, rowsBetween, snapToEdge } from './model.ts'
import type { TraceInput } from './model-input.ts'
import { showInstant } from './panel-data.ts'
import { pickAt } from './pick.ts'
import { traceData } from './trace-data.ts'

type RowsHit = Hit & { readonly region: 'rows' }
type Drag =
  | { readonly kind: 'select'; readonly x: number; readonly yPx: number | undefined } // yPx undefined: all tracks
  | { readonly kind: 'zoom'; readonly x: number }
  | { readonly kind: 'pan'; readonly range: Range; readonly scrollPx: number }
  | { readonly kind: 'scroll'; readonly scrollPx: number }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

export class TracePointer implements PointerOwner<Hit, Drag> {
  readonly dragsAlong = 'both'
  readonly #capture: CaptureSummary
  readonly #input: () => TraceInput | undefined
  readonly #pointer: CanvasPointer<Hit, Drag>
  readonly #stops: readonly (() => void)[]

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TraceInput | undefined, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#input = input
    this.#pointer = new CanvasPointer(host, openMenu, this)
    const { captureId } = capture
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[captureId]?.visible !== old.byCapture[captureId]?.visible && this.#follow()),
      traceData(captureId).subscribe((data, old) => partsDiffer(data, old, dataParts) && this.#follow()),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#pointer.stop()
  }

  /** What was under a resting pointer is forgotten at once. */
  #follow(): void {
    const store = traceData(this.#capture.captureId)
    const { hover, hovered } = store.getState()
    if (!hover) return
    if (hovered) store.setState({ hovered: undefined })
    this.#pointer.followPicture(() => store.getState().hover)
  }

  keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const pagePx = (this.#input()?.layout.plot.heightPx ?? 0) * pageShare
    const keys: Readonly<Record<string, () => void>> = {
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

  hitAt({ xPx, yPx }: Pointer): Hit | undefined {
    const input = this.#input()
    return input && hitTest(input, xPx, yPx)
  }

  /** The bar scrolls from the first pixel. */
  pressed({ hit, at }: Press<Hit>): Drag | undefined {
    const input = this.#input()
    return input && hit.region === 'scrollBar' ? this.#pressBar(input, hit.isThumb, at) : undefined
  }

  /** Beside the thumb a press brings it there. */
  #pressBar(input: TraceInput, isThumb: boolean, { yPx }: Pointer): Drag {
    const bar = scrollBar(input)
    if (bar && !isThumb) {
      const share = (yPx - bar.frame.yPx - bar.thumb.heightPx / 2) / Math.max(1, bar.frame.heightPx - bar.thumb.heightPx)
      actions.scroll(this.#capture, share * (input.rows.contentPx - bar.frame.heightPx))
    }
    return { kind: 'scroll', scrollPx: traceData(this.#capture.captureId).getState().scrollPx }
  }

  /** Which gesture a drag is, by where it began and the keys held. */
  begin({ hit, at }: Press<Hit>, event: PointerEvent, isPan: boolean): Drag | undefined {
    const input = this.#input()
    if (!input) return undefined
    if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
    if (isPan || hit.region === 'head' || hit.region === 'scrollBar') return { kind: 'pan', range: input.visible, scrollPx: input.scrollPx }
    const row = hit.region === 'rows' ? hit.row : undefined
    const x = snapToEdge(input, hit.x, row, event.ctrlKey)
    if (event.altKey) return { kind: 'zoom', x }
    return { kind: 'select', x, yPx: hit.region === 'rows' ? at.yPx : undefined }
  }

  drag(gesture: Drag, { from, at, isFree }: Travel): void {
    const input = this.#input()
    if (!input) return
    const store = traceData(this.#capture.captureId)
    const { plot } = input.layout
    const x = () => snapToEdge(input, pxToX(xScaleOf(input), at.xPx), rowAt(input, at.yPx), isFree)
    if (gesture.kind === 'select') {
      const rows = gesture.yPx === undefined ? undefined : rowsBetween(input, gesture.yPx, at.yPx)
      store.setState({ dragging: { range: ordered(gesture.x, x()), rows }, hover: undefined })
    } else if (gesture.kind === 'zoom') store.setState({ dragging: { range: ordered(gesture.x, x()), rows: undefined }, hover: undefined })
    else if (gesture.kind === 'pan') {
      showRange(this.#capture, panRange(gesture.range, (from.xPx - at.xPx) / plot.widthPx))
      actions.scroll(this.#capture, gesture.scrollPx + from.yPx - at.yPx)
    } else if (gesture.kind === 'scroll') this.#dragBar(gesture.scrollPx, input, at.yPx - from.yPx)
    else dragOverview(this.#capture, gesture.drag, pxToX(overviewScales(input), at.xPx))
  }

  #dragBar(fromPx: number, input: TraceInput, distancePx: number): void {
    const bar = scrollBar(input)
    if (!bar) return
    const perPx = (input.rows.contentPx - bar.frame.heightPx) / Math.max(1, bar.frame.heightPx - bar.thumb.heightPx)
    actions.scroll(this.#capture, fromPx + distancePx * perPx)
  }

  drop({ kind }: Drag): void {
    const { dragging } = traceData(this.#capture.captureId).getState()
    if (kind === 'select' && dragging) actions.selectArea(this.#capture, dragging.range, dragging.rows)
    else if (kind === 'zoom' && dragging) showRange(this.#capture, dragging.range)
  }

  endDrag(): void {
    traceData(this.#capture.captureId).setState({ dragging: undefined })
  }

  async click({ hit, at }: Press<Hit>, event: PointerEvent): Promise<void> {
    const input = this.#input()
    if (!input) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'ruler' && hit.flag) clickFlag(this.#capture, hit.flag)
    else if (hit.region === 'ruler') await actions.setCursorAt(this.#capture, hit.x)
    else if (hit.region === 'lane') {
      if (hit.mark) actions.selectMark(this.#capture, hit.mark)
    } else if (hit.region === 'head') this.#clickHead(hit.row, hit.part)
    else if (hit.region === 'rows' && event.shiftKey) this.#extendTo(hit, input)
    else if (hit.region === 'rows') await this.#pick(hit, input, at)
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
  async #pick(hit: RowsHit, input: TraceInput, at: Pointer): Promise<boolean | undefined> {
    const { row, laneId, x } = hit
    if (row?.row.kind === 'memory') {
      if (row.row.device === viewOf(this.#capture.captureId)?.device) await actions.setCursorAt(this.#capture, x)
      return undefined
    }
    const instant = row && instantAt(input, row, x, at.yPx)
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
  async doubleClick(hit: Hit, at: Pointer): Promise<void> {
    const input = this.#input()
    if (hit.region === 'ruler' && hit.flag) editFlag(this.#capture, hit.flag.marks[0].noteId)
    else if (hit.region === 'overview' || hit.region === 'ruler') fitAll(this.#capture)
    else if (hit.region === 'lane' && hit.mark) showRange(this.#capture, hit.mark)
    else if (input && hit.region === 'rows') {
      const isPicked = await this.#pick(hit, input, at)
      const slice = actions.selectedRow(this.#capture)
      if (isPicked && slice) actions.zoomToSlice(this.#capture, slice)
      else if (isPicked === false) fitAll(this.#capture)
    }
  }

  menuFrame(): Frame | undefined {
    return this.#input()?.layout.plot
  }

  /** The menu is about what lies under the pointer, so that is selected first; a selected area under it stays. */
  async beforeMenu(hit: Hit | undefined, at: Pointer): Promise<void> {
    const input = this.#input()
    if (input && hit?.region === 'rows' && !isInArea(input, hit)) await this.#pick(hit, input, at)
    if (hit?.region !== 'head') this.#pointer.leave()
  }

  /** A plain wheel scrolls the rows where there are more than room, and on the headings; everything else moves the time axis. */
  wheel(event: WheelEvent, { xPx, yPx }: Pointer): void {
    const input = this.#input()
    if (!input) return
    const { plot } = input.layout
    if (isPlainTurn(event) && !event.metaKey && yPx >= plot.yPx && actions.canScroll(this.#capture)) {
      event.preventDefault()
      actions.scrollBy(this.#capture, wheelTurn(event).dy)
    } else wheelAt(this.#capture, event, pxToX(xScaleOf(input), Math.max(xPx, plot.xPx)), plot.widthPx)
  }

  hover(hit: Hit | undefined, at: Pointer): string {
    const input = this.#input()
    const laneId = hit?.region === 'rows' ? hit.laneId : undefined
    const box = input && hit?.region === 'rows' && laneId !== undefined ? boxAt(input, laneId, hit.x) : undefined
    const isShown = hit !== undefined && hit.region !== 'overview' && hit.region !== 'scrollBar'
    const hoverRow = hit?.region === 'head' ? hit.row.row.key : undefined
    const { hover: from, hoverRow: old } = traceData(this.#capture.captureId).getState()
    traceData(this.#capture.captureId).setState({ hover: isShown ? at : undefined, hovered: box, hoverRow })
    // The row that the pointer is moved to is the one that is meant; one that a key has scrolled under it is not.
    const isMoved = from?.xPx !== at.xPx || from.yPx !== at.yPx
    if (isMoved && hoverRow !== undefined && hoverRow !== old) traceData(this.#capture.captureId).setState({ chosenRow: undefined })
    if (input && hit?.region === 'rows' && laneId !== undefined && !box) this.#pointer.rest(() => void this.#pickHovered(input, hit, at))
    return cursorOf(hit, box !== undefined)
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

  leave(): void {
    traceData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined, hoverRow: undefined })
  }
}

const pageShare = 0.8

/** What of the answers moves the picture under a resting pointer. */
const dataParts = ['scrollPx', 'collapsed', 'pinned', 'layout', 'tracks'] as const

function isInArea({ selectedRange: range, areaRows }: TraceInput, { x, row }: RowsHit): boolean {
  if (!range || x < range.x0 || x >= range.x1) return false
  return !areaRows || (row !== undefined && areaRows.includes(row.row.key))
}

function cursorOf(hit: Hit | undefined, isOnBox: boolean): string {
  if (!hit || hit.region === 'scrollBar') return 'default'
  if (hit.region === 'overview') return overviewCursor(hit)
  if (hit.region === 'lane') return hit.mark ? 'pointer' : 'crosshair'
  if (hit.region === 'head') return hit.part === 'name' ? 'default' : 'pointer'
  if (hit.region === 'ruler' && hit.flag) return 'pointer'
  return isOnBox ? 'pointer' : 'crosshair'
}
