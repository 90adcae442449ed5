// The program's own marks on the time axis, taken from the trace's slices: they need no memory events.
import type { TraceSpan } from '../../../preload/contract/queries.ts'
import type { AnnotationSpan } from '../../plot/annotations.ts'

const profilerStep = /^ProfilerStep#\d+$/

/** The track that the steps are taken from: that with most of them, the first of equals. A file of several programs has steps of each at once. */
function leadingTrack(steps: readonly TraceSpan[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { trackId } of steps) counts.set(trackId, (counts.get(trackId) ?? 0) + 1)
  const [first] = [...counts].sort(([a, many], [b, more]) => more - many || a - b)
  return first?.[0]
}

/** Spans as the lane draws them. Events are not known here: this view is over time alone. */
export function marksOf(spans: readonly TraceSpan[]): AnnotationSpan[] {
  const isStep = ({ name }: TraceSpan) => profilerStep.test(name)
  const leading = leadingTrack(spans.filter(isStep))
  return spans
    .filter((span) => !isStep(span) || span.trackId === leading)
    .map(({ name, startNs, endNs }) => ({ name, startNs, endNs, startEvent: 0, endEvent: 0 }))
}
