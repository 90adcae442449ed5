// Mouse and track pad on the curves: hover, click, drag to select, pan, zoom, overview window. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { axisCursor } from '../../focus/axis-pointer.ts'
import { clickFlag, editFlag } from '../../focus/note-actions.ts'
import { clickOverview, ordered } from '../../focus/overview-drag.ts'
import { fitAll, showRange } from '../../focus/range-actions.ts'
import { beginRangeDrag, dragRange, dropRange, type RangeDrag } from '../../focus/range-drag.ts'
import { rangeOfSpan } from '../../focus/step-marks.ts'
import { isPlainTurn, wheelAt } from '../../focus/wheel.ts'
import { CanvasPointer, type PointerOwner, type Press } from '../../panels/canvas-pointer.ts'
import { eventAt, type Pointer, type Travel } from '../../plot/placed.ts'
import { pxToX } from '../../plot/scales.ts'
import type { Frame } from '../../scene/display-list.ts'
import { goToEvent } from '../../state/go-to.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'
import { bothPlots } from './curve-layout.ts'
import { type CurveHit, hitCurves } from './curve-model.ts'
import { fragmentationData } from './fragmentation-data.ts'

export class CurvePointer implements PointerOwner<CurveHit, RangeDrag> {
  readonly dragsAlong = 'x'
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #input: () => CurveInput | undefined
  readonly #pointer: CanvasPointer<CurveHit, RangeDrag>
  readonly #abort = new AbortController()

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => CurveInput | undefined, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#host = host
    this.#input = input
    // The focus that a press brings would scroll the page to the canvas.
    host.addEventListener('pointerdown', () => host.focus({ preventScroll: true }), { signal: this.#abort.signal })
    this.#pointer = new CanvasPointer(host, openMenu, this)
  }

  stop(): void {
    this.#abort.abort()
    this.#pointer.stop()
  }

  hitAt({ xPx, yPx }: Pointer): CurveHit | undefined {
    const input = this.#input()
    return input && hitCurves(input, xPx, yPx)
  }

  hover(hit: CurveHit | undefined, at: Pointer): string {
    const isShown = hit !== undefined && hit.region !== 'overview'
    fragmentationData(this.#capture.captureId).setState({ hover: isShown ? at : undefined })
    return axisCursor(hit, hit?.region === 'plot' && hit.mark !== undefined)
  }

  leave(): void {
    fragmentationData(this.#capture.captureId).setState({ hover: undefined })
  }

  begin({ hit }: Press<CurveHit>, event: PointerEvent, isPan: boolean): RangeDrag | undefined {
    const input = this.#input()
    return input && beginRangeDrag(input, hit, event, isPan)
  }

  drag(drag: RangeDrag, travel: Travel): void {
    const input = this.#input()
    const drawn = input && dragRange(this.#capture, input, drag, travel)
    if (drawn) fragmentationData(this.#capture.captureId).setState(drawn)
  }

  drop(drag: RangeDrag): void {
    dropRange(this.#capture, drag, fragmentationData(this.#capture.captureId).getState().dragging)
  }

  endDrag(): void {
    fragmentationData(this.#capture.captureId).setState({ dragging: undefined })
  }

  /** Pins the cursor; with Shift selects from the moment shown to here. */
  click({ hit }: Press<CurveHit>, event: PointerEvent): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const input = this.#input()
    if (!view || !input) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'ruler' && hit.flag) clickFlag(this.#capture, hit.flag)
    else if (hit.region === 'lane' && hit.placed) {
      patchView(captureId, { selectedRange: rangeOfSpan(hit.placed, view.full) })
    } else if (event.shiftKey && input.moment) {
      const from = view.axis === 'event' ? input.moment.event : input.moment.timeNs
      if (from !== null) patchView(captureId, { selectedRange: ordered(from, hit.x) })
    } else if (hit.region === 'plot' && hit.mark) void goToEvent(captureId, hit.mark.event)
    else this.#pin(hit.x)
  }

  /** The cursor goes to the event whose state the column shows. */
  #pin(x: number): void {
    const event = eventAt(this.#input()?.curves, x)
    if (event !== undefined) patchView(this.#capture.captureId, { cursorEvent: Math.max(0, event) })
  }

  doubleClick(hit: CurveHit): void {
    if (hit.region === 'ruler' && hit.flag) editFlag(this.#capture, hit.flag.marks[0].noteId)
    else if (hit.region === 'lane' && hit.placed) showRange(this.#capture, hit.placed)
    else fitAll(this.#capture)
  }

  menuFrame(): Frame | undefined {
    const input = this.#input()
    return input && bothPlots(input.layout)
  }

  /** The menu is about the moment under the pointer, so that is pinned first. */
  beforeMenu(hit: CurveHit | undefined): void {
    if (hit?.region === 'plot') this.#pin(hit.x)
    this.#pointer.leave()
  }

  /** A plain wheel scrolls the page where it is longer than the window; with Ctrl or Shift, or where all is in sight, it moves the curves. */
  wheel(event: WheelEvent, at: Pointer): void {
    const input = this.#input()
    const page = this.#host.closest('.frag-page')
    const scrolls = page !== null && page.scrollHeight > page.clientHeight + 1
    if (!input || (scrolls && isPlainTurn(event))) return
    const { plot } = input.layout
    wheelAt(this.#capture, event, pxToX(scalesOf(input), Math.max(at.xPx, plot.xPx)), plot.widthPx)
  }
}
