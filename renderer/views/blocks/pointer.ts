// Mouse and track pad on the block map: hover, click, drag to zoom, pan, scroll. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { ordered } from '../../focus/overview-drag.ts'
import { isPlainTurn, turnAxis, wheelTurn } from '../../focus/wheel.ts'
import { CanvasPointer, type PointerOwner, type Press } from '../../panels/canvas-pointer.ts'
import type { Pointer, Travel } from '../../plot/placed.ts'
import { panRange } from '../../plot/scales.ts'
import type { Frame } from '../../scene/display-list.ts'
import type { Range } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { type BlocksData, blocksData, type Moment } from './blocks-data.ts'
import { type BlocksState, blocksState } from './blocks-state.ts'
import { type Hit, hitTest } from './model.ts'
import { pxToX } from './model-input.ts'

/** What of the view and of the answers moves the picture under a resting pointer. */
const stateParts = ['visible', 'scrollPx', 'rowPx', 'scaling', 'order'] as const satisfies readonly (keyof BlocksState)[]
const dataParts = ['picture', 'layout'] as const satisfies readonly (keyof BlocksData)[]

type Drag = { readonly kind: 'zoom'; readonly from: number } | { readonly kind: 'pan'; readonly range: Range; readonly scrollPx: number }

/** A drag may begin beside the rows too. */
type Place = Hit | { readonly region: 'beside' }

export class BlocksPointer implements PointerOwner<Place, Drag> {
  readonly dragsAlong = 'both'
  readonly hasSpaceCommand = true // the scrubber plays
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #pointer: CanvasPointer<Place, Drag>
  readonly #stops: readonly (() => void)[]

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#host = host
    this.#pointer = new CanvasPointer(host, openMenu, this)
    const { captureId } = capture
    this.#stops = [
      blocksState(captureId).subscribe((state, old) => partsDiffer(state, old, stateParts) && this.#followPicture()),
      blocksData(captureId).subscribe((data, old) => partsDiffer(data, old, dataParts) && this.#followPicture()),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#pointer.stop()
  }

  /** What was under a resting pointer is forgotten at once. */
  #followPicture(): void {
    const store = blocksData(this.#capture.captureId)
    const { hover } = store.getState()
    if (!hover) return
    store.setState({ hover: { ...hover }, hovered: undefined })
    this.#pointer.followPicture(() => store.getState().hover)
  }

  /** The paging keys scroll the rows. */
  keyDown(event: KeyboardEvent): void {
    const input = actions.inputOf(this.#capture)
    const page = input ? Math.max(input.rowPx, input.layout.rows.heightPx - input.rowPx) : 0
    const target = { PageUp: -page, PageDown: page, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[event.key]
    if (!input || target === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    actions.scrollTo(this.#capture, input.scrollPx + target)
  }

  hitAt({ xPx, yPx }: Pointer): Place | undefined {
    const input = actions.inputOf(this.#capture)
    return input && (hitTest(input, xPx, yPx) ?? { region: 'beside' })
  }

  pressed(): undefined {
    blocksData(this.#capture.captureId).setState({ hovered: undefined })
  }

  begin({ at }: Press<Place>, _event: PointerEvent, isPan: boolean): Drag | undefined {
    const input = actions.inputOf(this.#capture)
    if (!input) return undefined
    return isPan ? { kind: 'pan', range: input.visible, scrollPx: input.scrollPx } : { kind: 'zoom', from: pxToX(input, at.xPx) }
  }

  drag(drag: Drag, { from, at }: Travel): void {
    const input = actions.inputOf(this.#capture)
    if (!input) return
    if (drag.kind === 'zoom') {
      const inside = (x: number) => Math.min(Math.max(x, input.visible.x0), input.visible.x1)
      blocksData(this.#capture.captureId).setState({ dragging: ordered(inside(drag.from), inside(pxToX(input, at.xPx))) })
    } else {
      actions.showRange(this.#capture, panRange(drag.range, (from.xPx - at.xPx) / input.layout.plot.widthPx))
      actions.scrollTo(this.#capture, drag.scrollPx + from.yPx - at.yPx)
    }
  }

  drop({ kind }: Drag): void {
    const { dragging } = blocksData(this.#capture.captureId).getState()
    if (kind === 'zoom' && dragging) actions.showRange(this.#capture, dragging)
  }

  endDrag(): void {
    blocksData(this.#capture.captureId).setState({ dragging: undefined })
  }

  async click({ hit }: { readonly hit: Place }): Promise<void> {
    if (hit.region === 'name') {
      const address = actions.inputOf(this.#capture)?.picture.segments.addresses[hit.segment]
      if (address !== undefined) actions.toggleSegment(this.#capture, address)
    } else if (hit.region === 'bar') actions.selectBlock(this.#capture, await actions.blockAt(this.#capture, hit.address))
  }

  /** Zooms to the block under the pointer, to everything beside the bars. */
  async doubleClick(hit: Place): Promise<void> {
    const block = hit.region === 'bar' ? await actions.blockAt(this.#capture, hit.address) : undefined
    if (block) actions.zoomToBlock(this.#capture, block)
    else if (hit.region === 'rows' || hit.region === 'ruler') actions.fitAll(this.#capture)
  }

  /** All of it: there are commands of the view also where no block is in sight. */
  menuFrame(): Frame {
    return { xPx: 0, yPx: 0, widthPx: this.#host.clientWidth, heightPx: this.#host.clientHeight }
  }

  /** The menu is about what lies under the pointer, so that is selected first. */
  async beforeMenu(hit: Place | undefined): Promise<void> {
    if (hit?.region === 'bar') await this.click({ hit })
    this.#pointer.leave()
  }

  /** Alt makes rows higher, plain scrolls where rows are out of sight; everything else moves along the lines. */
  wheel(event: WheelEvent, { xPx, yPx }: Pointer): void {
    const input = actions.inputOf(this.#capture)
    if (!input) return
    event.preventDefault()
    const { dy } = wheelTurn(event)
    const { plot, rows } = input.layout
    const scrolls = input.picture.list.lines.length * input.rowPx > rows.heightPx
    if (event.altKey) actions.stepRows(this.#capture, dy < 0 ? 1 : -1, yPx)
    else if (scrolls && isPlainTurn(event)) actions.scrollTo(this.#capture, input.scrollPx + dy)
    else {
      const about = pxToX(input, Math.min(Math.max(xPx, plot.xPx), plot.xPx + plot.widthPx))
      turnAxis(event, plot.widthPx, {
        zoomBy: (factor) => actions.zoomBy(this.#capture, factor, about),
        panBy: (share) => actions.panBy(this.#capture, share),
      })
    }
  }

  hover(hit: Place | undefined, at: Pointer): string {
    const store = blocksData(this.#capture.captureId)
    const { hovered } = store.getState()
    const isSame = hit?.region === 'bar' && hovered !== undefined && contains(hovered.block, hit.address)
    store.setState({ hover: hit?.region === 'bar' ? at : undefined, ...(isSame ? {} : { hovered: undefined }) })
    const picture = actions.inputOf(this.#capture)?.picture
    if (picture && hit?.region === 'bar' && !isSame) this.#pointer.rest(() => void this.#find(hit.address, picture))
    return hit?.region === 'name' || hit?.region === 'bar' ? 'pointer' : 'default'
  }

  async #find(address: string, { device, event }: Moment): Promise<void> {
    const { captureId } = this.#capture
    const { hover } = blocksData(captureId).getState()
    const at = await engine.latest('blocks.hover', 'blocks.at', { captureId, device, event, address })
    const block = at.ok ? at.value.block : null
    if (!block) return
    const { allocationId } = block
    const details =
      allocationId === null ? undefined : await engine.latest('blocks.card', 'allocation.details', { captureId, allocationId })
    if (!hover || blocksData(captureId).getState().hover !== hover) return // the pointer or the picture moved on
    blocksData(captureId).setState({ hovered: { device, event, block, details: details?.ok ? details.value : undefined } })
  }

  leave(): void {
    blocksData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined })
  }
}

function contains(block: { readonly address: string; readonly sizeBytes: number }, address: string): boolean {
  const offset = BigInt(address) - BigInt(block.address)
  return offset >= 0n && offset < BigInt(block.sizeBytes)
}
