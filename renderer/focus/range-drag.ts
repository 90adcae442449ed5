// Dragging on curves: a range to select or to zoom to, a pan, or the overview's window. Their drags have no height.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type AxisInput, xScaleOf } from '../plot/axis-input.ts'
import { overviewScales } from '../plot/overview.ts'
import type { Pointer, Travel } from '../plot/placed.ts'
import { panRange, pxToX } from '../plot/scales.ts'
import { snapX } from '../plot/snap.ts'
import { patchView, type Range } from '../state/view-state.ts'
import type { AxisHit } from './axis-pointer.ts'
import { beginOverviewDrag, dragOverview, type OverviewDrag, ordered } from './overview-drag.ts'
import { showRange } from './range-actions.ts'

export type RangeDrag =
  | { readonly kind: 'select' | 'zoom'; readonly from: number }
  | { readonly kind: 'pan'; readonly range: Range }
  | { readonly kind: 'overview'; readonly drag: OverviewDrag }

/** What a view shows while a range is drawn: the range, and the read-out up at the ruler. */
export interface DrawnRange {
  readonly dragging: Range
  readonly hover: Pointer
}

/** Which drag begins at a hit, by where it is and the keys held: Alt zooms, Ctrl does not snap. */
export function beginRangeDrag(input: AxisInput, hit: AxisHit & { readonly x: number }, event: PointerEvent, isPan: boolean): RangeDrag {
  if (hit.region === 'overview') return { kind: 'overview', drag: beginOverviewDrag(hit, input.visible) }
  if (isPan) return { kind: 'pan', range: input.visible }
  return { kind: event.altKey ? 'zoom' : 'select', from: snapX(input, hit.x, event.ctrlKey) }
}

/** Moves what the drag moves; answers the range it draws, if it draws one. */
export function dragRange(
  capture: CaptureSummary,
  input: AxisInput,
  drag: RangeDrag,
  { from, at, isFree }: Travel,
): DrawnRange | undefined {
  if (drag.kind === 'overview') dragOverview(capture, drag.drag, pxToX(overviewScales(input), at.xPx))
  else if (drag.kind === 'pan') showRange(capture, panRange(drag.range, (from.xPx - at.xPx) / input.layout.plot.widthPx))
  else {
    const to = snapX(input, pxToX(xScaleOf(input), at.xPx), isFree)
    return { dragging: ordered(drag.from, to), hover: { xPx: at.xPx, yPx: input.layout.ruler.yPx } }
  }
  return undefined
}

/** Selects the range drawn, or zooms to it. */
export function dropRange(capture: CaptureSummary, { kind }: RangeDrag, drawn: Range | undefined): void {
  if (kind === 'select' && drawn) patchView(capture.captureId, { selectedRange: drawn })
  else if (kind === 'zoom' && drawn) showRange(capture, drawn)
}
