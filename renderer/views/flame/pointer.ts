// Mouse and track pad on the flame graph: hover, click, double click, wheel, drag to scroll. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { wheelTurn } from '../../focus/wheel.ts'
import { CanvasPointer, type PointerOwner } from '../../panels/canvas-pointer.ts'
import type { Pointer, Travel } from '../../plot/placed.ts'
import type { Frame } from '../../scene/display-list.ts'
import * as actions from './actions.ts'
import { inputOf } from './assemble.ts'
import type { FlameBox } from './boxes.ts'
import { flameData } from './flame-data.ts'
import { hitFlame } from './model.ts'

/** A box, or the canvas beside them. */
type Place = FlameBox | 'beside'

interface Drag {
  readonly scrollPx: number // when it began
}

export class FlamePointer implements PointerOwner<Place, Drag> {
  readonly dragsAlong = 'both'
  readonly hasSpaceCommand = true
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #pointer: CanvasPointer<Place, Drag>

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#host = host
    this.#pointer = new CanvasPointer(host, openMenu, this)
  }

  stop(): void {
    this.#pointer.stop()
  }

  hitAt({ xPx, yPx }: Pointer): Place | undefined {
    const input = inputOf(this.#capture)
    return input && (hitFlame(input, xPx, yPx) ?? 'beside')
  }

  hover(hit: Place | undefined, at: Pointer): string {
    const isBox = hit !== undefined && hit !== 'beside'
    const store = flameData(this.#capture.captureId)
    store.setState({ hover: undefined })
    if (isBox) this.#pointer.rest(() => store.setState({ hover: at }))
    return isBox ? 'pointer' : 'default'
  }

  leave(): void {
    flameData(this.#capture.captureId).setState({ hover: undefined })
  }

  begin(): Drag | undefined {
    const input = inputOf(this.#capture)
    return input && { scrollPx: input.scrollPx }
  }

  drag({ scrollPx }: Drag, { from, at }: Travel): void {
    actions.scrollTo(this.#capture, scrollPx + from.yPx - at.yPx)
  }

  drop(): void {}

  endDrag(): void {}

  click({ hit }: { readonly hit: Place }): void {
    actions.selectPlace(this.#capture, hit === 'beside' ? undefined : actions.placeOfBox(hit))
  }

  /** Zooms to what lies there, of merged nodes to their parent; one step out beside the boxes and at the node that is as wide as the canvas. */
  doubleClick(hit: Place): void {
    const isZoomed = hit !== 'beside' && actions.zoomTo(this.#capture, actions.placeOfBox(hit))
    if (!isZoomed && (hit === 'beside' || hit.kind === 'node')) actions.zoomOut(this.#capture)
  }

  menuFrame(): Frame {
    return { xPx: 0, yPx: 0, widthPx: this.#host.clientWidth, heightPx: this.#host.clientHeight }
  }

  /** The menu is about what lies under the pointer, so that is selected first. */
  beforeMenu(hit: Place | undefined): void {
    if (hit !== undefined && hit !== 'beside') this.click({ hit })
    this.#pointer.leave()
  }

  wheel(event: WheelEvent): void {
    const input = inputOf(this.#capture)
    if (!input) return
    event.preventDefault()
    actions.scrollTo(this.#capture, input.scrollPx + wheelTurn(event).dy)
  }

  /** Enter zooms in; the paging keys scroll the rows. */
  keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const input = inputOf(this.#capture)
    const page = input ? Math.max(input.rowPx, input.layout.rows.heightPx - input.rowPx) : 0
    const target = { PageUp: -page, PageDown: page, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[event.key]
    if (!input || (target === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    if (target === undefined) actions.zoomIn(this.#capture)
    else actions.scrollTo(this.#capture, input.scrollPx + target)
  }
}
