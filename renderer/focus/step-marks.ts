// Steps of training and annotations as places to go to by key, in every view on a horizontal axis.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type PlacedSpan, placedSpans } from '../plot/annotations.ts'
import { spanOf } from '../plot/scales.ts'
import { patchView, type Range, type ViewState, viewOf } from '../state/view-state.ts'
import { focusData } from './focus-data.ts'
import { shownRange } from './home.ts'
import { showRange } from './range-actions.ts'

const marginShare = 0.15

/** The marks of a view and what selects the range of one. */
export interface Marks {
  readonly spans: (view: ViewState) => readonly PlacedSpan[]
  readonly select: (range: Range) => void
}

/** Those of the device in view. */
export const deviceMarks = ({ captureId }: CaptureSummary): Marks => ({
  spans: ({ axis, full }) => placedSpans(focusData(captureId).getState().annotations, axis, full.x1),
  select: (selectedRange) => patchView(captureId, { selectedRange }),
})

/** Steps where there are some, else the outermost annotations. */
const leadingSpans = (spans: readonly PlacedSpan[]): PlacedSpan[] => spans.filter(({ row }) => row === 0).sort((a, b) => a.x0 - b.x0)

/** The step after (+1) or before (−1) the selected range; without one the first or the last in sight. */
export function neighbourSpan(
  spans: readonly PlacedSpan[],
  { selectedRange, shown }: { readonly selectedRange: Range | undefined; readonly shown: Range },
  direction: 1 | -1,
): PlacedSpan | undefined {
  const steps = leadingSpans(spans)
  if (selectedRange) {
    const { x0 } = selectedRange
    return direction > 0 ? steps.find((step) => step.x0 > x0) : steps.findLast((step) => step.x0 < x0)
  }
  return direction > 0 ? steps.find((step) => step.x1 > shown.x0) : steps.findLast((step) => step.x0 < shown.x1)
}

/** The range of a mark inside what there is, never empty. */
export const rangeOfSpan = ({ x0, x1 }: Pick<PlacedSpan, 'x0' | 'x1'>, full: Range): Range => {
  const from = Math.max(x0, full.x0)
  return { x0: from, x1: Math.max(from + 1, Math.min(x1, full.x1)) }
}

/** Selects the next or previous step and brings it into sight. */
export function selectNeighbourSpan(capture: CaptureSummary, marks: Marks, direction: 1 | -1): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const shown = shownRange(capture, view)
  const step = neighbourSpan(marks.spans(view), { selectedRange: view.selectedRange, shown }, direction)
  if (!step) return
  const range = rangeOfSpan(step, view.full)
  marks.select(range)
  const margin = spanOf(range) * marginShare
  if (range.x1 <= shown.x0 || range.x0 >= shown.x1) showRange(capture, { x0: range.x0 - margin, x1: range.x1 + margin })
}
