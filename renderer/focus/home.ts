// What a view on a horizontal axis shows of it.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { homeRange, sameRange } from '../plot/scales.ts'
import type { Range, ViewState } from '../state/view-state.ts'

/** True when memory was in use before the first recorded event. */
export const startsLate = (capture: CaptureSummary): boolean => capture.findings.some(({ code }) => code === 'snapshot/history_starts_late')

/** All there is, with a little room at its ends. */
export const homeOf = (capture: CaptureSummary, view: Pick<ViewState, 'full'>): Range => homeRange(view.full, startsLate(capture))

/** What the canvas shows: everything is drawn with a little room at its ends. */
export const shownRange = (capture: CaptureSummary, view: Pick<ViewState, 'visible' | 'full'>): Range =>
  sameRange(view.visible, view.full) ? homeOf(capture, view) : view.visible

/** The part of what is shown that lies inside of all there is, without the room at its ends: what a status line tells. */
export function insideAll(shown: Range, full: Range): Range {
  const inside = { x0: Math.max(shown.x0, full.x0), x1: Math.min(shown.x1, full.x1) }
  return inside.x0 < inside.x1 ? inside : shown
}
