// What follows the pointer over a canvas: lines, an outline and the read-out. Plain elements moved by transforms, so that hovering draws
// nothing on the canvas and renders nothing in React.
import { later } from '../data/later.ts'
import { bottomOf, rightOf } from '../plot/layout.ts'
import type { Pointer } from '../plot/placed.ts'
import type { Frame } from '../scene/display-list.ts'
import { hiddenElement, placeElement, ReadOut, type ReadOutPart, type ReadOutRow } from './read-out.ts'

const restPaceMs = 100

/** What the read-out says. */
export interface Words {
  readonly title: string
  readonly aside?: string
  readonly rows?: readonly ReadOutRow[]
  readonly part?: ReadOutPart | undefined // below a line
}

export interface OverlayOwner {
  /** Follows the view's answers: `moved` when something else is hovered, `changed` when the picture says something else. Answers the removal. */
  readonly follow: (moved: () => void, changed: () => void) => () => void
  /** Shows anew what is to be seen; everything is hidden when it is called. */
  readonly update: () => void
}

/** The elements of one canvas, until `destroy()`. */
export class PointerOverlay {
  readonly #host: HTMLElement
  readonly #owner: OverlayOwner
  readonly #elements: HTMLElement[]
  readonly #readOut: ReadOut
  readonly #stop: () => void
  #frame = 0
  #cancel: (() => void) | undefined

  constructor(host: HTMLElement, owner: OverlayOwner) {
    this.#host = host
    this.#owner = owner
    this.#readOut = new ReadOut(host)
    this.#elements = [this.#readOut.element]
    this.#stop = owner.follow(
      () => {
        this.#frame ||= requestAnimationFrame(() => this.#update())
      },
      // While a pan brings answers with every frame, the read-out of a resting pointer follows at its own pace.
      () => {
        this.#cancel ??= later(restPaceMs, () => this.#update())
      },
    )
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    this.#cancel?.()
    this.#stop()
    for (const element of this.#elements) element.remove()
  }

  /** Another element over the canvas, hidden: a line of the cross, or what the class says. */
  add(className = 'crosshair'): HTMLElement {
    const element = hiddenElement(this.#host, className)
    this.#elements.push(element)
    return element
  }

  /** Shows an element in a frame of the canvas. */
  show(element: HTMLElement, { xPx, yPx, widthPx, heightPx }: Frame): void {
    element.hidden = false
    placeElement(element, xPx, yPx, widthPx, heightPx)
  }

  /** Shows an element as the upright line of a cross. */
  showUpright(element: HTMLElement, xPx: number, topPx: number, bottomPx: number): void {
    this.show(element, { xPx: Math.round(xPx), yPx: topPx, widthPx: 1, heightPx: bottomPx - topPx })
  }

  /** Shows what of a frame lies inside `clip`, if anything. */
  showInside(element: HTMLElement, frame: Frame, clip: Frame): void {
    const [xPx, yPx] = [Math.max(frame.xPx, clip.xPx), Math.max(frame.yPx, clip.yPx)]
    const widthPx = Math.min(rightOf(frame), rightOf(clip)) - xPx
    const heightPx = Math.min(bottomOf(frame), bottomOf(clip)) - yPx
    if (widthPx > 0 && heightPx > 0) this.show(element, { xPx, yPx, widthPx, heightPx })
  }

  /** Shows the read-out beside a place, inside a frame where it has room. */
  say({ title, aside = '', rows = [], part }: Words, frame: Frame, { xPx, yPx }: Pointer): void {
    this.#readOut.element.hidden = false
    this.#readOut.fill(title, aside, rows, part)
    this.#readOut.placeBeside(frame, xPx, yPx)
  }

  #update(): void {
    this.#frame = 0
    this.#cancel?.()
    this.#cancel = undefined
    for (const element of this.#elements) element.hidden = true
    this.#owner.update()
  }
}
