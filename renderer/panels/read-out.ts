// The read-out under the pointer: plain elements moved by transforms, so that hovering draws nothing on the canvas and renders nothing in
// React.
import { bottomOf } from '../plot/layout.ts'
import type { Frame } from '../scene/display-list.ts'

const gapPx = 14
const rowPx = 18
const paddingPx = 24

export interface ReadOutRow {
  readonly label: string
  readonly value: string
  readonly strong?: boolean
}

/** A part with a head of its own. */
export interface ReadOutPart {
  readonly title: string
  readonly aside: string
  readonly rows: readonly ReadOutRow[]
}

/** An element over the canvas, unseen until it is shown. */
export function hiddenElement(host: HTMLElement, className: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  element.hidden = true
  element.setAttribute('aria-hidden', 'true')
  host.append(element)
  return element
}

/** A hidden line over the canvas; `placeElement` gives it place and size. */
export const crosshair = (host: HTMLElement): HTMLElement => hiddenElement(host, 'crosshair')

/** Moves an element that lies at the host's corner. */
export function placeElement(element: HTMLElement, xPx: number, yPx: number, widthPx: number, heightPx: number): void {
  element.style.transform = `translate(${xPx}px, ${yPx}px)`
  element.style.width = `${widthPx}px`
  element.style.height = `${heightPx}px`
}

export class ReadOut {
  readonly element: HTMLElement

  constructor(host: HTMLElement) {
    // Beside the canvas, which cuts off what leaves it: with a table below there may be less height than lines.
    this.element = hiddenElement(host.parentElement ?? host, 'read-out')
  }

  /** Puts in a head, rows, and a part below a line. */
  fill(title: string, aside: string, rows: readonly ReadOutRow[], part?: ReadOutPart): void {
    const extra = part ? [line(part.title, part.aside, 'read-out-part'), ...part.rows.map(lineOf)] : []
    this.element.replaceChildren(line(title, aside, 'read-out-head'), ...rows.map(lineOf), ...extra)
  }

  /** On the side with room inside the frame, never under the pointer. Nothing is measured, so moving costs no layout. */
  placeBeside(frame: Frame, xPx: number, yPx: number): void {
    const heightPx = this.element.childElementCount * rowPx + paddingPx
    const onRight = xPx < frame.xPx + frame.widthPx * 0.6
    const top = Math.min(Math.max(yPx + gapPx, frame.yPx + 4), bottomOf(frame) - heightPx - 4)
    const left = onRight ? `${Math.round(xPx + gapPx)}px` : `calc(${Math.round(xPx - gapPx)}px - 100%)`
    this.element.style.transform = `translate(${left}, ${Math.round(Math.max(top, 4))}px)`
  }
}

const lineOf = ({ label, value, strong }: ReadOutRow): HTMLElement => line(label, value, strong ? 'strong' : '')

function line(label: string, value: string, className: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  const [name, number] = [document.createElement('span'), document.createElement('span')]
  name.textContent = label
  number.textContent = value
  element.append(name, number)
  return element
}
