// Mouse and track pad on the canvas: hover, click, rectangle, pan, zoom in both directions, overview window. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { axisCursor } from '../../focus/axis-pointer.ts'
import { cursorX } from '../../focus/cursor-x.ts'
import { focusData } from '../../focus/focus-data.ts'
import { clickFlag, editFlag } from '../../focus/note-actions.ts'
import { beginOverviewDrag, clickOverview, dragOverview, type OverviewDrag, ordered } from '../../focus/overview-drag.ts'
import { fitAll, showRange } from '../../focus/range-actions.ts'
import { rangeOfSpan } from '../../focus/step-marks.ts'
import { isPlainTurn, wheelAt, wheelStep, wheelTurn } from '../../focus/wheel.ts'
import { CanvasPointer, type PointerOwner, type Press } from '../../panels/canvas-pointer.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { overviewScales } from '../../plot/overview.ts'
import { eventAt, type Pointer, type Travel } from '../../plot/placed.ts'
import { panRange, pxToX } from '../../plot/scales.ts'
import { snapX } from '../../plot/snap.ts'
import type { Frame } from '../../scene/display-list.ts'
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

type Drag =
  | { readonly kind: 'select' | 'zoom'; readonly x: number; readonly y: number | undefined } // y undefined: the whole height
  | { readonly kind: 'rows'; readonly y: number }
  | { readonly kind: 'pan'; readonly range: Range; readonly y: YRange }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

export class LifetimesPointer implements PointerOwner<Hit, Drag> {
  readonly dragsAlong = 'both'
  readonly #capture: CaptureSummary
  readonly #input: () => LifetimesInput | undefined
  readonly #pointer: CanvasPointer<Hit, Drag>
  readonly #stops: readonly (() => void)[]

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => LifetimesInput | undefined, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#input = input
    this.#pointer = new CanvasPointer(host, openMenu, this)
    const { captureId } = capture
    this.#stops = [
      viewStates.subscribe(
        (state, old) => partsDiffer(state.byCapture[captureId], old.byCapture[captureId], viewParts) && this.#followPicture(),
      ),
      lifetimesData(captureId).subscribe((data, old) => partsDiffer(data, old, dataParts) && this.#followPicture()),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#pointer.stop()
  }

  /** What was under a resting pointer is forgotten at once. */
  #followPicture(): void {
    const store = lifetimesData(this.#capture.captureId)
    const { hover } = store.getState()
    if (!hover) return
    store.setState({ hover: { ...hover }, hovered: undefined, hoveredPlace: undefined })
    this.#pointer.followPicture(() => store.getState().hover)
  }

  hitAt({ xPx, yPx }: Pointer): Hit | undefined {
    const input = this.#input()
    return input && hitTest(input, xPx, yPx)
  }

  pressed(): undefined {
    lifetimesData(this.#capture.captureId).setState({ hovered: undefined, hoveredPlace: undefined })
  }

  /** Which gesture a drag is, by where it began and the keys held. */
  begin({ hit }: Press<Hit>, event: PointerEvent, isPan: boolean): Drag | undefined {
    const input = this.#input()
    if (!input) return undefined
    if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
    if (isPan) return { kind: 'pan', range: input.visible, y: input.y }
    if (hit.region === 'rows') return { kind: 'rows', y: hit.y }
    const x = snapX(input, hit.x, event.ctrlKey)
    return { kind: event.altKey ? 'zoom' : 'select', x, y: hit.region === 'plot' ? hit.y : undefined }
  }

  drag(drag: Drag, { from, at, isFree }: Travel): void {
    const input = this.#input()
    if (!input) return
    const store = lifetimesData(this.#capture.captureId)
    const { plot } = input.layout
    const y = pxToY(yScaleOf(input), Math.min(Math.max(at.yPx, plot.yPx), plot.yPx + plot.heightPx))
    if (drag.kind === 'overview') dragOverview(this.#capture, drag.drag, pxToX(overviewScales(input), at.xPx))
    else if (drag.kind === 'pan') {
      const dy = ((from.yPx - at.yPx) / plot.heightPx) * heightOf(drag.y)
      showRange(this.#capture, panRange(drag.range, (from.xPx - at.xPx) / plot.widthPx))
      if (actions.isYZoomed(this.#capture)) actions.showY(this.#capture, { y0: drag.y.y0 + dy, y1: drag.y.y1 + dy })
    } else if (drag.kind === 'rows') store.setState({ dragging: { range: input.visible, y: orderedY(drag.y, y) }, hover: undefined })
    else {
      const range = ordered(drag.x, snapX(input, pxToX(xScaleOf(input), at.xPx), isFree))
      store.setState({ dragging: { range, y: drag.y === undefined ? undefined : orderedY(drag.y, y) }, hover: undefined })
    }
  }

  drop({ kind }: Drag): void {
    const { dragging } = lifetimesData(this.#capture.captureId).getState()
    if (kind === 'select' && dragging?.range) actions.selectRectangle(this.#capture, dragging.range, dragging.y)
    else if (kind === 'zoom' || kind === 'rows') {
      if (kind === 'zoom' && dragging?.range) showRange(this.#capture, dragging.range)
      if (dragging?.y) actions.showY(this.#capture, dragging.y)
    }
  }

  endDrag(): void {
    lifetimesData(this.#capture.captureId).setState({ dragging: undefined })
  }

  click({ hit }: Press<Hit>, event: PointerEvent): void {
    const view = viewOf(this.#capture.captureId)
    if (!view) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'ruler' && hit.flag) clickFlag(this.#capture, hit.flag)
    else if (hit.region === 'lane' && hit.placed) {
      actions.selectRectangle(this.#capture, rangeOfSpan(hit.placed, view.full), undefined)
    } else if (event.shiftKey && view.cursorEvent !== undefined && hit.region === 'plot') {
      const from = cursorX(view, focusData(this.#capture.captureId).getState().cursor)
      if (from !== undefined) actions.selectRectangle(this.#capture, ordered(from, hit.x), undefined)
    } else if (hit.region === 'ruler' || hit.region === 'lane') this.#pinCursor(hit.x)
    else if (hit.region === 'plot') void this.#pick(hit)
  }

  #pinCursor(x: number): void {
    const event = eventAt(this.#input()?.curves, x)
    if (event !== undefined) patchView(this.#capture.captureId, { cursorEvent: Math.max(0, event) })
  }

  /** Selects what lies there, and pins the cursor; answers as `pickAt` does. */
  async #pick(hit: Hit & { region: 'plot' }): Promise<boolean | undefined> {
    this.#pinCursor(hit.x)
    if (hit.allocationId === undefined) return actions.pickAt(this.#capture, hit.x, hit.y)
    actions.select(this.#capture, hit.allocationId)
    return true
  }

  /** Zooms to what lies under the pointer, to everything where nothing does. It is picked anew: the clicks' own answers may be on their way. */
  async doubleClick(hit: Hit): Promise<void> {
    const space = this.#input()?.space
    if (hit.region === 'ruler' && hit.flag) editFlag(this.#capture, hit.flag.marks[0].noteId)
    else if (hit.region === 'overview' || hit.region === 'ruler') fitAll(this.#capture)
    else if (hit.region === 'lane' && hit.placed) showRange(this.#capture, hit.placed)
    else if (hit.region === 'rows') this.#showRow(space && rowAt(space.rows, hit.y))
    else if (hit.region === 'plot') {
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

  menuFrame(): Frame | undefined {
    return this.#input()?.layout.plot
  }

  /** The menu is about what lies under the pointer, so that is selected first; a selected rectangle under it stays. */
  async beforeMenu(hit: Hit | undefined): Promise<void> {
    const input = this.#input()
    if (input && hit?.region === 'plot' && !isInRectangle(input, hit)) await this.#pick(hit)
    this.#pointer.leave()
  }

  /** Alt, or Ctrl and Shift, zooms the rows; a plain wheel scrolls them while zoomed; everything else moves the horizontal axis. */
  wheel(event: WheelEvent, { xPx, yPx }: Pointer): void {
    const input = this.#input()
    if (!input) return
    const { plot } = input.layout
    const { dx, dy } = wheelTurn(event)
    const delta = dy || dx // with Shift some systems turn the wheel sideways
    const isOnRows = xPx < plot.xPx && yPx >= plot.yPx
    if (event.altKey || (event.ctrlKey && (event.shiftKey || isOnRows))) {
      event.preventDefault()
      actions.zoomYBy(this.#capture, Math.exp(-delta * wheelStep), pxToY(yScaleOf(input), Math.max(yPx, plot.yPx)))
    } else if (isPlainTurn(event) && actions.isYZoomed(this.#capture)) {
      event.preventDefault()
      actions.panYBy(this.#capture, delta / plot.heightPx)
    } else wheelAt(this.#capture, event, pxToX(xScaleOf(input), Math.max(xPx, plot.xPx)), plot.widthPx)
  }

  hover(hit: Hit | undefined, at: Pointer): string {
    const isShown = hit !== undefined && hit.region !== 'overview'
    lifetimesData(this.#capture.captureId).setState({ hover: isShown ? at : undefined, hovered: undefined, hoveredPlace: undefined })
    if (hit?.region === 'plot') this.#pointer.rest(() => void this.#pickHovered(hit))
    return hit?.region === 'rows' ? 'row-resize' : axisCursor(hit, hit?.region === 'plot' && hit.allocationId !== undefined)
  }

  async #pickHovered(hit: Hit & { region: 'plot' }): Promise<void> {
    const input = this.#input()
    if (!input || (input.bars && hit.allocationId === undefined)) return
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

  leave(): void {
    lifetimesData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined, hoveredPlace: undefined })
  }
}

const viewParts = ['visible', 'filter', 'device', 'axis'] as const
const dataParts = ['shownY', 'order', 'layout', 'level', 'bars', 'measure'] as const

async function rowOf(captureId: string, allocationId: number) {
  const answer = await engine.latest('lifetimes.hover', 'allocation.details', { captureId, allocationId })
  return answer.ok ? answer.value : undefined
}

const orderedY = (a: number, b: number): YRange => (a <= b ? { y0: a, y1: b } : { y0: b, y1: a })

function isInRectangle({ selectedRange: range, band }: LifetimesInput, { x, y }: { readonly x: number; readonly y: number }): boolean {
  if (!range || x < range.x0 || x >= range.x1) return false
  return !band || (y >= band.y0 && y < band.y1)
}
