// Dragging on the overview: its window, an edge of it, or a new one.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { OverviewHit } from '../plot/overview.ts'
import { spanOf } from '../plot/scales.ts'
import { type Range, viewOf } from '../state/view-state.ts'
import { shownRange } from './home.ts'
import { showRange } from './range-actions.ts'

export type OverviewDrag =
  | { readonly kind: 'window' | 'left' | 'right'; readonly range: Range; readonly from: number }
  | { readonly kind: 'new'; readonly from: number }

/** The drag that begins at a hit, while `visible` is shown. */
export const beginOverviewDrag = ({ part, x }: OverviewHit, visible: Range): OverviewDrag =>
  part === 'outside' ? { kind: 'new', from: x } : { kind: part, range: visible, from: x }

/** The pointer is at x now. */
export function dragOverview(capture: CaptureSummary, drag: OverviewDrag, x: number): void {
  if (drag.kind === 'new') {
    showRange(capture, ordered(drag.from, x))
    return
  }
  const { x0, x1 } = drag.range
  const shift = x - drag.from
  if (drag.kind === 'window') showRange(capture, { x0: x0 + shift, x1: x1 + shift })
  else if (drag.kind === 'left') showRange(capture, ordered(x0 + shift, x1))
  else showRange(capture, ordered(x0, x1 + shift))
}

/** A click outside the window moves its middle there. */
export function clickOverview(capture: CaptureSummary, { part, x }: OverviewHit): void {
  const view = viewOf(capture.captureId)
  if (!view || part !== 'outside') return
  const half = spanOf(shownRange(capture, view)) / 2
  showRange(capture, { x0: x - half, x1: x + half })
}

/** The range between two places, whichever comes first. */
export const ordered = (a: number, b: number): Range => (a <= b ? { x0: a, x1: b } : { x0: b, x1: a })

/** The pointer's shape over the overview. */
export const overviewCursor = ({ part }: OverviewHit): string =>
  part === 'left' || part === 'right' ? 'ew-resize' : part === 'window' ? 'grab' : 'crosshair'
