// Axis units ↔ pixels, and the arithmetic of visible ranges. x is events or nanoseconds (the view's axis), bytes grow upwards.
import { wholeEvents } from '../../preload/contract/event-range.ts'
import type { Frame } from '../scene/display-list.ts'
import type { Range } from '../state/view-state.ts'

export { wholeEvents }

export interface XScale {
  readonly visible: Range
  readonly plot: Frame
}

export interface Scales extends XScale {
  readonly y1: number // bytes at the plot's top
}

export const spanOf = (range: Range): number => range.x1 - range.x0

export const xToPx = ({ visible, plot }: XScale, x: number): number => plot.xPx + ((x - visible.x0) / spanOf(visible)) * plot.widthPx

export const pxToX = ({ visible, plot }: XScale, xPx: number): number => visible.x0 + ((xPx - plot.xPx) / plot.widthPx) * spanOf(visible)

export const bytesToPx = ({ y1, plot }: Scales, bytes: number): number => plot.yPx + plot.heightPx * (1 - bytes / y1)

export const pxToBytes = ({ y1, plot }: Scales, yPx: number): number => (1 - (yPx - plot.yPx) / plot.heightPx) * y1

const marginShare = 0.04 // how far past the ends one may look, of the visible span
const leastSpan = { event: 4, time: 20 }

/** A range no wider than the home range, no narrower than is useful, and no farther out than a margin. */
export function clampRange(range: Range, home: Range, axis: 'event' | 'time'): Range {
  const span = Math.min(Math.max(spanOf(range), Math.min(leastSpan[axis], spanOf(home))), spanOf(home))
  const centre = (range.x0 + range.x1) / 2
  const margin = span * marginShare
  const low = home.x0 - (span < spanOf(home) ? margin : 0)
  const high = home.x1 + (span < spanOf(home) ? margin : 0)
  const x0 = Math.min(Math.max(centre - span / 2, low), high - span)
  return { x0, x1: x0 + span }
}

/** Zooms by a factor (> 1 = closer) so that `x` keeps its place. */
export function zoomRange(range: Range, factor: number, x: number): Range {
  return { x0: x - (x - range.x0) / factor, x1: x + (range.x1 - x) / factor }
}

export const panRange = (range: Range, share: number): Range => {
  const shift = spanOf(range) * share
  return { x0: range.x0 + shift, x1: range.x1 + shift }
}

/** All there is, with room at the start for the hatch of what lies before the history, and a sliver at the end. */
export function homeRange(full: Range, startsLate: boolean): Range {
  const span = Math.max(spanOf(full), 1)
  return { x0: full.x0 - span * (startsLate ? 0.02 : 0.004), x1: full.x0 + span * 1.004 }
}

/** The first and the last event of a range, as read-outs name them; twice the next one where no event is inside, or the last of all. */
export function endsOf(eventCount: number, range: Range): readonly [first: number, last: number] {
  const { x0, x1 } = wholeEvents(eventCount, range)
  const first = Math.max(0, Math.min(x0, eventCount - 1))
  return [first, Math.max(first, x1 - 1)]
}

export const isHome = (range: Range, home: Range): boolean => spanOf(range) >= spanOf(home) * 0.999

export const sameRange = (a: Range | undefined, b: Range | undefined): boolean => a?.x0 === b?.x0 && a?.x1 === b?.x1
