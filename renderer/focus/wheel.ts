// The wheel on a picture with a horizontal axis.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { panBy, zoomBy } from './range-actions.ts'

export const wheelStep = 0.0016 // natural logarithm of the zoom factor a wheel unit
/** CSS pixels of a line, for wheels that count lines. */
export const pixelsPerLine = 33

/** Ctrl or pinch zooms at x, the place under the pointer; Shift or a sideways swipe pans; plain zooms too, since nothing there scrolls. */
export function wheelAt(capture: CaptureSummary, event: WheelEvent, x: number, widthPx: number): void {
  event.preventDefault()
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
  if (event.shiftKey) panBy(capture, (dx + dy) / widthPx)
  else if (Math.abs(dx) > Math.abs(dy) && !event.ctrlKey) panBy(capture, dx / widthPx)
  else {
    const pinch = event.ctrlKey && Math.abs(dy) < 20 ? 6 : 1
    zoomBy(capture, Math.exp(-dy * wheelStep * pinch), x)
  }
}
