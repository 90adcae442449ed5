// Mouse and track pad on the block map: hover, click, drag to zoom, pan, scroll. Runs outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { ordered } from '../../focus/overview-drag.ts'
import { pixelsPerLine, wheelStep } from '../../focus/wheel.ts'
import type { Pointer } from '../../plot/placed.ts'
import type { Range } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { type BlocksData, blocksData, type Moment } from './blocks-data.ts'
import { type BlocksState, blocksState } from './blocks-state.ts'
import { type Hit, hitTest } from './model.ts'
import { type BlocksInput, pxToX, spanOf } from './model-input.ts'

const dragStartPx = 4
const restMs = 80

/** What of the view and of the answers moves the picture under a resting pointer. */
const stateParts = ['visible', 'scrollPx', 'rowPx', 'scaling', 'order'] as const satisfies readonly (keyof BlocksState)[]
const dataParts = ['picture', 'layout'] as const satisfies readonly (keyof BlocksData)[]

type Gesture =
  | { readonly kind: 'press'; readonly hit: Hit | undefined; readonly button: number }
  | { readonly kind: 'zoom'; readonly from: number }
  | { readonly kind: 'pan'; readonly range: Range; readonly scrollPx: number }

export class BlocksPointer {
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #openMenu: (at: Pointer) => void
  readonly #abort = new AbortController()
  #gesture: Gesture | undefined
  #start: Pointer = { xPx: 0, yPx: 0 }
  #space = false
  #cancelRest = (): void => {}
  #cancelFollow = (): void => {}
  readonly #stops: readonly (() => void)[]

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void) {
    this.#capture = capture
    this.#host = host
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
    host.addEventListener('keydown', (event) => this.#keyDown(event), { signal })
    window.addEventListener('keyup', (event) => this.#keyUp(event), { signal })
    window.addEventListener('blur', () => this.#losesKeys(), { signal })
    const { captureId } = capture
    this.#stops = [
      blocksState(captureId).subscribe((state, old) => isMoved(state, old, stateParts) && this.#followPicture()),
      blocksData(captureId).subscribe((data, old) => isMoved(data, old, dataParts) && this.#followPicture()),
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
    const store = blocksData(this.#capture.captureId)
    const { hover } = store.getState()
    if (!hover) return
    this.#cancelRest()
    this.#cancelFollow()
    store.setState({ hover: { ...hover }, hovered: undefined })
    this.#cancelFollow = later(restMs, () => {
      const input = actions.inputOf(this.#capture)
      const { hover: at } = store.getState()
      if (input && at && !this.#gesture) this.#hover(input, at)
    })
  }

  /** Space held makes a drag a pan (that it plays when pressed alone is the scrubber's); the paging keys scroll the rows. */
  #keyDown(event: KeyboardEvent): void {
    if (event.code === 'Space') this.#space = true
    const input = actions.inputOf(this.#capture)
    const page = input ? Math.max(input.rowPx, input.layout.rows.heightPx - input.rowPx) : 0
    const target = { PageUp: -page, PageDown: page, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[event.key]
    if (!input || target === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    actions.scrollTo(this.#capture, input.scrollPx + target)
  }

  /** Another window gets the key's release. */
  #losesKeys(): void {
    this.#space = false
  }

  #keyUp(event: KeyboardEvent): void {
    if (event.code === 'Space') this.#space = false
  }

  #place(event: MouseEvent): Pointer {
    const bounds = this.#host.getBoundingClientRect()
    return { xPx: event.clientX - bounds.left, yPx: event.clientY - bounds.top }
  }

  #hit(event: MouseEvent): { readonly input: BlocksInput; readonly hit: Hit | undefined } | undefined {
    const input = actions.inputOf(this.#capture)
    const { xPx, yPx } = this.#place(event)
    return input && { input, hit: hitTest(input, xPx, yPx) }
  }

  #down(event: PointerEvent): void {
    const found = this.#hit(event)
    if (!found || event.button > 1) return
    this.#host.setPointerCapture(event.pointerId)
    this.#start = this.#place(event)
    this.#gesture = { kind: 'press', hit: found.hit, button: event.button }
    if (event.button === 1 || event.altKey) event.preventDefault()
    blocksData(this.#capture.captureId).setState({ hovered: undefined })
  }

  #move(event: PointerEvent): void {
    const place = this.#place(event)
    const input = actions.inputOf(this.#capture)
    if (!input) return
    if (!this.#gesture) {
      this.#hover(input, place)
      return
    }
    const moved = Math.hypot(place.xPx - this.#start.xPx, place.yPx - this.#start.yPx)
    if (this.#gesture.kind === 'press' && moved >= dragStartPx) this.#gesture = this.#begin(this.#gesture, event, input)
    this.#drag(this.#gesture, input, place)
  }

  #begin({ button }: Gesture & { kind: 'press' }, event: PointerEvent, input: BlocksInput): Gesture {
    if (button === 1 || event.shiftKey || this.#space) return { kind: 'pan', range: input.visible, scrollPx: input.scrollPx }
    return { kind: 'zoom', from: pxToX(input, this.#start.xPx) }
  }

  #drag(gesture: Gesture, input: BlocksInput, { xPx, yPx }: Pointer): void {
    if (gesture.kind === 'zoom') {
      const inside = (x: number) => Math.min(Math.max(x, input.visible.x0), input.visible.x1)
      blocksData(this.#capture.captureId).setState({ dragging: ordered(inside(gesture.from), inside(pxToX(input, xPx))) })
    } else if (gesture.kind === 'pan') {
      const shift = ((this.#start.xPx - xPx) / input.layout.plot.widthPx) * spanOf(gesture.range)
      actions.showRange(this.#capture, { x0: gesture.range.x0 + shift, x1: gesture.range.x1 + shift })
      actions.scrollTo(this.#capture, gesture.scrollPx + this.#start.yPx - yPx)
    }
  }

  #up(event: PointerEvent): void {
    const gesture = this.#gesture
    const { dragging } = blocksData(this.#capture.captureId).getState()
    this.#cancel()
    const input = actions.inputOf(this.#capture)
    if (input) this.#hover(input, this.#place(event))
    if (gesture?.kind === 'press' && gesture.button === 0) void this.#click(gesture.hit)
    else if (gesture?.kind === 'zoom' && dragging) actions.showRange(this.#capture, dragging)
  }

  #cancel(): void {
    this.#gesture = undefined
    blocksData(this.#capture.captureId).setState({ dragging: undefined })
  }

  async #click(hit: Hit | undefined): Promise<void> {
    if (hit?.region === 'name') {
      const address = actions.inputOf(this.#capture)?.picture.segments.addresses[hit.segment]
      if (address !== undefined) actions.toggleSegment(this.#capture, address)
    } else if (hit?.region === 'bar') actions.selectBlock(this.#capture, await actions.blockAt(this.#capture, hit.address))
  }

  /** Zooms to the block under the pointer, to everything beside the bars. */
  async #doubleClick(event: MouseEvent): Promise<void> {
    const hit = this.#hit(event)?.hit
    const block = hit?.region === 'bar' ? await actions.blockAt(this.#capture, hit.address) : undefined
    if (block) actions.zoomToBlock(this.#capture, block)
    else if (hit?.region === 'rows' || hit?.region === 'ruler') actions.fitAll(this.#capture)
  }

  /** The menu is about what lies under the pointer, so that is selected first. */
  async #contextMenu(event: MouseEvent): Promise<void> {
    event.preventDefault()
    const bounds = this.#host.getBoundingClientRect()
    const isPointed = event.button === 2 || event.ctrlKey
    if (isPointed) await this.#click(this.#barHit(event))
    this.#leave()
    this.#openMenu(
      isPointed ? { xPx: event.clientX, yPx: event.clientY } : { xPx: bounds.left + bounds.width / 2, yPx: bounds.top + bounds.height / 3 },
    )
  }

  #barHit(event: MouseEvent): Hit | undefined {
    const hit = this.#hit(event)?.hit
    return hit?.region === 'bar' ? hit : undefined
  }

  /** Ctrl or pinch zooms at the pointer, Alt makes rows higher, Shift or a sideways swipe pans, plain scrolls where rows are out of sight. */
  #wheel(event: WheelEvent): void {
    const input = actions.inputOf(this.#capture)
    if (!input) return
    event.preventDefault()
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
    const { xPx, yPx } = this.#place(event)
    const { plot, rows } = input.layout
    const scrolls = input.picture.list.lines.length * input.rowPx > rows.heightPx
    if (event.altKey) actions.stepRows(this.#capture, dy < 0 ? 1 : -1, yPx)
    else if (event.shiftKey) actions.panBy(this.#capture, (dx + dy) / plot.widthPx)
    else if (Math.abs(dx) > Math.abs(dy) && !event.ctrlKey) actions.panBy(this.#capture, dx / plot.widthPx)
    else if (event.ctrlKey || !scrolls) {
      const pinch = event.ctrlKey && Math.abs(dy) < 20 ? 6 : 1
      const about = pxToX(input, Math.min(Math.max(xPx, plot.xPx), plot.xPx + plot.widthPx))
      actions.zoomBy(this.#capture, Math.exp(-dy * wheelStep * pinch), about)
    } else actions.scrollTo(this.#capture, input.scrollPx + dy)
  }

  #hover(input: BlocksInput, place: Pointer): void {
    const store = blocksData(this.#capture.captureId)
    const hit = hitTest(input, place.xPx, place.yPx)
    this.#host.style.cursor = hit?.region === 'name' || hit?.region === 'bar' ? 'pointer' : 'default'
    this.#cancelRest()
    const { hovered } = store.getState()
    const isSame = hit?.region === 'bar' && hovered !== undefined && contains(hovered.block, hit.address)
    store.setState({ hover: hit?.region === 'bar' ? place : undefined, ...(isSame ? {} : { hovered: undefined }) })
    if (hit?.region === 'bar' && !isSame) this.#cancelRest = later(restMs, () => void this.#find(hit.address, input.picture))
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

  #leave(): void {
    this.#cancelRest()
    if (!this.#gesture) blocksData(this.#capture.captureId).setState({ hover: undefined, hovered: undefined })
  }
}

const isMoved = <T, K extends keyof T>(now: T, old: T, parts: readonly K[]): boolean => parts.some((part) => now[part] !== old[part])

function contains(block: { readonly address: string; readonly sizeBytes: number }, address: string): boolean {
  const offset = BigInt(address) - BigInt(block.address)
  return offset >= 0n && offset < BigInt(block.sizeBytes)
}
