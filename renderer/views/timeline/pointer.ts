// Mouse and track pad on the canvas: hover, click, drag to select, pan, zoom, overview window. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { axisCursor } from '../../focus/axis-pointer.ts'
import { cursorX } from '../../focus/cursor-x.ts'
import { focusData } from '../../focus/focus-data.ts'
import { clickFlag, editFlag } from '../../focus/note-actions.ts'
import { clickOverview, ordered } from '../../focus/overview-drag.ts'
import { fitAll, focusAllocation, showRange } from '../../focus/range-actions.ts'
import { beginRangeDrag, dragRange, dropRange, type RangeDrag } from '../../focus/range-drag.ts'
import { rangeOfSpan } from '../../focus/step-marks.ts'
import { wheelAt } from '../../focus/wheel.ts'
import { CanvasPointer, type PointerOwner, type Press } from '../../panels/canvas-pointer.ts'
import { eventAt, type Pointer, type Travel } from '../../plot/placed.ts'
import { pxToX } from '../../plot/scales.ts'
import type { Frame } from '../../scene/display-list.ts'
import { goToEvent, goToFailure } from '../../state/go-to.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import { pickAt } from './actions.ts'
import { type Hit, hitTest } from './model.ts'
import { scalesOf, type TimelineInput } from './model-input.ts'
import { timelineData } from './timeline-data.ts'

export class TimelinePointer implements PointerOwner<Hit, RangeDrag> {
  readonly dragsAlong = 'x'
  readonly #capture: CaptureSummary
  readonly #input: () => TimelineInput | undefined
  readonly #pointer: CanvasPointer<Hit, RangeDrag>

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TimelineInput | undefined, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#input = input
    this.#pointer = new CanvasPointer(host, openMenu, this)
  }

  stop(): void {
    this.#pointer.stop()
  }

  hitAt({ xPx, yPx }: Pointer): Hit | undefined {
    const input = this.#input()
    return input && hitTest(input, xPx, yPx)
  }

  pressed(): undefined {
    timelineData(this.#capture.captureId).setState({ hovered: undefined })
  }

  begin({ hit }: Press<Hit>, event: PointerEvent, isPan: boolean): RangeDrag | undefined {
    const input = this.#input()
    return input && beginRangeDrag(input, hit, event, isPan)
  }

  drag(drag: RangeDrag, travel: Travel): void {
    const input = this.#input()
    const drawn = input && dragRange(this.#capture, input, drag, travel)
    if (drawn) timelineData(this.#capture.captureId).setState(drawn)
  }

  drop(drag: RangeDrag): void {
    dropRange(this.#capture, drag, timelineData(this.#capture.captureId).getState().dragging)
  }

  endDrag(): void {
    timelineData(this.#capture.captureId).setState({ dragging: undefined })
  }

  click({ hit }: Press<Hit>, event: PointerEvent): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    if (!view) return
    if (hit.region === 'overview') clickOverview(this.#capture, hit)
    else if (hit.region === 'ruler' && hit.flag) clickFlag(this.#capture, hit.flag)
    else if (hit.region === 'lane' && hit.placed) {
      patchView(captureId, { selectedRange: rangeOfSpan(hit.placed, view.full) })
    } else if (event.shiftKey && view.cursorEvent !== undefined && hit.region !== 'lane') {
      const from = cursorX(view, focusData(captureId).getState().cursor)
      if (from !== undefined) patchView(captureId, { selectedRange: ordered(from, hit.x) })
    } else if (hit.region === 'plot' && hit.mark) void (hit.mark.kind === 'oom' ? goToFailure : goToEvent)(captureId, hit.mark.event)
    else void this.#pick(hit)
  }

  async #pick(hit: Hit): Promise<void> {
    const event = eventAt(this.#input()?.curves, hit.x)
    if (event === undefined) return
    if (hit.region === 'plot') await pickAt(this.#capture, event, hit.bytes)
    else patchView(this.#capture.captureId, { cursorEvent: Math.max(0, event) })
  }

  /** Zooms to what lies under the pointer, to everything where nothing does. It is picked anew: the clicks' own answers may be on their way. */
  async doubleClick(hit: Hit): Promise<void> {
    if (hit.region === 'ruler' && hit.flag) editFlag(this.#capture, hit.flag.marks[0].noteId)
    else if (hit.region === 'overview' || hit.region === 'ruler') fitAll(this.#capture)
    else if (hit.region === 'lane' && hit.placed) showRange(this.#capture, hit.placed)
    else if (hit.region === 'plot' && hit.mark === undefined) {
      await this.#pick(hit)
      if (!(await focusAllocation(this.#capture))) fitAll(this.#capture)
    }
  }

  menuFrame(): Frame | undefined {
    return this.#input()?.layout.plot
  }

  /** The menu is about what lies under the pointer, so that is selected first; a selected range under it stays. */
  async beforeMenu(hit: Hit | undefined): Promise<void> {
    const range = this.#input()?.selectedRange
    const isInRange = range !== undefined && hit !== undefined && hit.x >= range.x0 && hit.x < range.x1
    if (hit?.region === 'plot' && !isInRange) await this.#pick(hit)
    this.#pointer.leave()
  }

  wheel(event: WheelEvent, at: Pointer): void {
    const input = this.#input()
    if (!input) return
    const { plot } = input.layout
    wheelAt(this.#capture, event, pxToX(scalesOf(input), Math.max(at.xPx, plot.xPx)), plot.widthPx)
  }

  hover(hit: Hit | undefined, at: Pointer): string {
    const isShown = hit !== undefined && hit.region !== 'overview'
    timelineData(this.#capture.captureId).setState({ hover: isShown ? at : undefined, hovered: undefined })
    if (hit?.region === 'plot' && !hit.mark) this.#pointer.rest(() => void this.#pickHovered(hit.x, hit.bytes))
    return axisCursor(hit, hit?.region === 'plot' && hit.mark !== undefined)
  }

  async #pickHovered(x: number, bytes: number): Promise<void> {
    const { captureId } = this.#capture
    const curves = this.#input()?.curves
    const event = eventAt(curves, x)
    if (!curves || event === undefined) return
    const answer = await engine.latest('timeline.hover', 'timeline.pick', { captureId, device: curves.device, event, bytes })
    const { hover } = timelineData(captureId).getState()
    if (answer.ok && hover) timelineData(captureId).setState({ hovered: answer.value.allocation ?? undefined })
  }

  leave(): void {
    timelineData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined })
  }
}
