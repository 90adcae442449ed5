// Annotations (user spans of the program) as bars in rows by nesting.
import type { AnnotationSpan } from './timeline-data.ts'

export interface PlacedSpan {
  readonly span: AnnotationSpan
  readonly row: number
  readonly x0: number // axis units
  readonly x1: number
}

/** Rows by nesting: a span that starts inside another lies one row lower; what is past the last row joins it. */
export function packSpans(spans: readonly AnnotationSpan[], axis: 'event' | 'time', endX: number, maxRows: number): PlacedSpan[] {
  const extent = (span: AnnotationSpan): readonly [number, number] =>
    axis === 'time' ? [span.startNs, span.endNs ?? endX] : [span.startEvent, span.endNs === null ? endX : span.endEvent]
  const sorted = [...spans].sort((a, b) => extent(a)[0] - extent(b)[0] || extent(b)[1] - extent(a)[1])
  const open: number[] = [] // end of the open span in each row
  return sorted.map((span) => {
    const [x0, x1] = extent(span)
    while (open.length > 0 && (open.at(-1) ?? 0) <= x0) open.pop()
    const row = Math.min(open.length, maxRows - 1)
    open.push(x1)
    return { span, row, x0, x1: Math.max(x0, x1) }
  })
}

export const rowsOf = (placed: readonly PlacedSpan[]): number => placed.reduce((rows, { row }) => Math.max(rows, row + 1), 0)
