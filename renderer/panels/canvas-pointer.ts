// The pointer on a view's canvas: which presses are clicks and which are drags, the held Space, the rest, the wheel, the menu's place.
// What any of it means is the view's to say. Runs outside React.
import { later } from '../data/later.ts'
import type { Pointer, Travel } from '../plot/placed.ts'
import type { Frame } from '../scene/display-list.ts'

const dragStartPx = 4
const restMs = 80

/** A button held down on the canvas: the left one, or the middle one (1). */
export interface Press<Hit> {
  readonly hit: Hit // what lay under it when it went down
  readonly at: Pointer
  readonly button: number
}

/** What a view makes of the pointer; `Drag` is its own note of a drag under way. Places are of the canvas, in CSS pixels. */
export interface PointerOwner<Hit, Drag> {
  /** The way a press has to move to become a drag: a picture whose drags have no height takes no notice of the other. */
  readonly dragsAlong: 'x' | 'both'
  /** Pressed alone, Space is a command of the view: it is left to go on its way. */
  readonly hasSpaceCommand?: boolean
  /** What lies at a place; undefined also while there is no picture. There a press is none. */
  hitAt(at: Pointer): Hit | undefined
  /** The cursor's shape there. Told of every move without a press; the last rest is over. */
  hover(hit: Hit | undefined, at: Pointer): string
  /** The pointer is not over the canvas any more. */
  leave(): void
  /** Answers a drag that needs no distance to begin. */
  pressed?(press: Press<Hit>): Drag | undefined
  /** Which drag a press becomes; `isPan` with the middle button, Shift or Space. */
  begin(press: Press<Hit>, event: PointerEvent, isPan: boolean): Drag | undefined
  drag(drag: Drag, travel: Travel): void
  /** The button was let go after a drag; `endDrag` follows. */
  drop(drag: Drag): void
  /** Takes away what is drawn of a drag, also of one that was broken off. */
  endDrag(): void
  /** The left button went down and up in one place. */
  click(press: Press<Hit>, event: PointerEvent): unknown
  doubleClick(hit: Hit, at: Pointer): unknown
  /** The part of the canvas that the menu key's menu opens in; undefined opens none, by the pointer neither. */
  menuFrame(): Frame | undefined
  /** Selects what the menu will be about, and calls `leave()` where nothing is hovered under a menu. */
  beforeMenu(hit: Hit | undefined, at: Pointer): unknown
  wheel(event: WheelEvent, at: Pointer): void
  /** Keys that mean something only while the canvas has the focus. */
  keyDown?(event: KeyboardEvent): void
}

/** Listens on a canvas until `stop()`. */
export class CanvasPointer<Hit, Drag> {
  readonly #host: HTMLElement
  readonly #openMenu: (at: Pointer) => void
  readonly #owner: PointerOwner<Hit, Drag>
  readonly #abort = new AbortController()
  #press: Press<Hit> | undefined
  #drag: Drag | undefined
  #isSpaceDown = false
  #cancelRest = (): void => {}

  /** `openMenu` is called with a place of the window, in CSS pixels. */
  constructor(host: HTMLElement, openMenu: (at: Pointer) => void, owner: PointerOwner<Hit, Drag>) {
    this.#host = host
    this.#openMenu = openMenu
    this.#owner = owner
    const { signal } = this.#abort
    host.addEventListener('pointerdown', (event) => this.#down(event), { signal })
    host.addEventListener('pointermove', (event) => this.#move(event), { signal })
    host.addEventListener('pointerup', (event) => this.#up(event), { signal })
    host.addEventListener('pointercancel', () => this.#end(), { signal })
    host.addEventListener('pointerleave', () => this.leave(), { signal })
    host.addEventListener('dblclick', (event) => this.#doubleClick(event), { signal })
    host.addEventListener('contextmenu', (event) => void this.#contextMenu(event), { signal })
    host.addEventListener('wheel', (event) => owner.wheel(event, this.#place(event)), { signal, passive: false })
    host.addEventListener('keydown', (event) => this.#keyDown(event), { signal })
    window.addEventListener('keyup', (event) => this.#keyUp(event), { signal })
    window.addEventListener('blur', () => this.#losesKeys(), { signal })
  }

  stop(): void {
    this.#cancelRest()
    this.#abort.abort()
  }

  /** Does the work once the pointer has rested, unless it moves, presses or leaves before. */
  rest(work: () => void): void {
    this.#cancelRest()
    this.#cancelRest = later(restMs, work)
  }

  /** The picture moved under a resting pointer: what lies under it now is looked for when the picture rests too. */
  followPicture(place: () => Pointer | undefined): void {
    this.rest(() => {
      const at = place() // outside the canvas, as when the drawer has opened over it, nothing is hit
      if (at && !this.#press) this.#hover(at)
    })
  }

  /** Nothing is hovered any more, except while a button is down. */
  leave(): void {
    this.#cancelRest()
    if (!this.#press) this.#owner.leave()
  }

  #place(event: MouseEvent): Pointer {
    const bounds = this.#host.getBoundingClientRect()
    return { xPx: event.clientX - bounds.left, yPx: event.clientY - bounds.top }
  }

  #keyDown(event: KeyboardEvent): void {
    if (event.code === 'Space') {
      this.#isSpaceDown = true
      if (!this.#owner.hasSpaceCommand) event.preventDefault()
    }
    this.#owner.keyDown?.(event)
  }

  #keyUp(event: KeyboardEvent): void {
    if (event.code === 'Space') this.#isSpaceDown = false
  }

  /** Another window gets the key's release. */
  #losesKeys(): void {
    this.#isSpaceDown = false
  }

  #down(event: PointerEvent): void {
    const at = this.#place(event)
    const hit = this.#owner.hitAt(at)
    if (hit === undefined || event.button > 1) return
    this.#host.setPointerCapture(event.pointerId)
    this.#cancelRest()
    this.#press = { hit, at, button: event.button }
    if (event.button === 1 || event.altKey) event.preventDefault()
    this.#drag = this.#owner.pressed?.(this.#press)
  }

  #move(event: PointerEvent): void {
    const at = this.#place(event)
    const press = this.#press
    if (!press) {
      this.#hover(at)
      return
    }
    if (this.#drag === undefined && this.#hasMoved(press.at, at)) {
      const isPan = press.button === 1 || event.shiftKey || this.#isSpaceDown
      this.#drag = this.#owner.begin(press, event, isPan)
    }
    if (this.#drag !== undefined) this.#owner.drag(this.#drag, { from: press.at, at, isFree: event.ctrlKey })
  }

  #hasMoved(from: Pointer, at: Pointer): boolean {
    const [dx, dy] = [Math.abs(at.xPx - from.xPx), Math.abs(at.yPx - from.yPx)]
    return (this.#owner.dragsAlong === 'x' ? dx : Math.max(dx, dy)) >= dragStartPx
  }

  #up(event: PointerEvent): void {
    const press = this.#press
    const drag = this.#drag
    if (drag !== undefined) this.#owner.drop(drag)
    this.#end()
    this.#hover(this.#place(event))
    if (press?.button === 0 && drag === undefined) this.#owner.click(press, event)
  }

  #end(): void {
    this.#press = undefined
    this.#drag = undefined
    this.#owner.endDrag()
  }

  #hover(at: Pointer): void {
    this.#cancelRest()
    this.#host.style.cursor = this.#owner.hover(this.#owner.hitAt(at), at)
  }

  #doubleClick(event: MouseEvent): void {
    const at = this.#place(event)
    const hit = this.#owner.hitAt(at)
    if (hit !== undefined) this.#owner.doubleClick(hit, at)
  }

  /** The menu key's event comes from no pointer. */
  async #contextMenu(event: MouseEvent): Promise<void> {
    event.preventDefault()
    const frame = this.#owner.menuFrame()
    if (!frame) return
    if (event.button === 2 || event.ctrlKey) {
      const at = this.#place(event)
      await this.#owner.beforeMenu(this.#owner.hitAt(at), at)
      this.#openMenu({ xPx: event.clientX, yPx: event.clientY })
    } else {
      const bounds = this.#host.getBoundingClientRect()
      this.#openMenu({ xPx: bounds.left + frame.xPx + frame.widthPx / 2, yPx: bounds.top + frame.yPx + frame.heightPx / 3 })
    }
  }
}
