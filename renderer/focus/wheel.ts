// The wheel on a picture with a horizontal axis.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Motion } from './held-keys.ts'
import { panBy, zoomBy } from './range-actions.ts'

export const wheelStep = 0.0016 // natural logarithm of the zoom factor a wheel unit
const pixelsPerLine = 33 // for wheels that count lines

/** How far a wheel has turned, in CSS pixels. */
export function wheelTurn({ deltaMode, deltaX, deltaY }: WheelEvent): { readonly dx: number; readonly dy: number } {
  const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1
  return { dx: deltaX * unit, dy: deltaY * unit }
}

/** Turned up or down, with neither Ctrl nor Shift: what scrolls where there is more than room. */
export const isPlainTurn = ({ ctrlKey, shiftKey, deltaX, deltaY }: WheelEvent): boolean =>
  !ctrlKey && !shiftKey && Math.abs(deltaY) >= Math.abs(deltaX)

/** Ctrl or pinch zooms; Shift or a sideways swipe pans; plain zooms too, since nothing there scrolls. */
export function turnAxis(event: WheelEvent, widthPx: number, motion: Motion): void {
  event.preventDefault()
  const { dx, dy } = wheelTurn(event)
  if (event.shiftKey) motion.panBy((dx + dy) / widthPx)
  else if (Math.abs(dx) > Math.abs(dy) && !event.ctrlKey) motion.panBy(dx / widthPx)
  else {
    const pinch = event.ctrlKey && Math.abs(dy) < 20 ? 6 : 1
    motion.zoomBy(Math.exp(-dy * wheelStep * pinch))
  }
}

/** Turns the axis of the view state; zooms at x, the place under the pointer. */
export function wheelAt(capture: CaptureSummary, event: WheelEvent, x: number, widthPx: number): void {
  turnAxis(event, widthPx, { zoomBy: (factor) => zoomBy(capture, factor, x), panBy: (share) => panBy(capture, share) })
}
