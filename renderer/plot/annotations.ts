// Annotations (user spans of the program) as bars in rows by nesting, below the steps of a training run where they tell of some.
import type { z } from 'zod'
import type { annotationSpanSchema } from '../../preload/contract/queries.ts'
import { maxLaneRows } from './layout.ts'
import { stepsOf } from './training-steps.ts'

export type AnnotationSpan = z.output<typeof annotationSpanSchema>

export interface PlacedSpan {
  readonly span: AnnotationSpan
  readonly step: number | undefined // number of the training step that it is
  readonly isWhole: boolean // both ends are known
  readonly row: number
  readonly x0: number // axis units
  readonly x1: number
}

type Axis = 'event' | 'time'

const extentOf = (span: AnnotationSpan, axis: Axis, endX: number): readonly [x0: number, x1: number] =>
  axis === 'time' ? [span.startNs, span.endNs ?? endX] : [span.startEvent, span.endNs === null ? endX : span.endEvent]

/** True for what ended before the first recorded event: among events it has neither width nor place. */
const isPast = (x1: number, axis: Axis): boolean => axis === 'event' && x1 <= 0

/** Training steps in the first row, everything else by nesting below them. */
export function placeSpans(spans: readonly AnnotationSpan[], axis: Axis, endX: number, maxRows: number): PlacedSpan[] {
  const { steps, others } = stepsOf(spans)
  const placedSteps = steps.flatMap(({ span, number, isWhole }): PlacedSpan[] => {
    const [x0, x1] = extentOf(span, axis, endX)
    return isPast(x1, axis) ? [] : [{ span, step: number, isWhole, row: 0, x0, x1: Math.max(x0, x1) }]
  })
  if (placedSteps.length === 0) return packSpans(spans, axis, endX, maxRows)
  const below = packSpans(others, axis, endX, maxRows - 1)
  return [...placedSteps, ...below.map((placed) => ({ ...placed, row: placed.row + 1 }))]
}

/** Rows by nesting: a span that starts inside another lies one row lower; what is past the last row joins it. */
export function packSpans(spans: readonly AnnotationSpan[], axis: Axis, endX: number, maxRows: number): PlacedSpan[] {
  const extent = (span: AnnotationSpan) => extentOf(span, axis, endX)
  const sorted = spans
    .filter((span) => !isPast(extent(span)[1], axis))
    .sort((a, b) => extent(a)[0] - extent(b)[0] || extent(b)[1] - extent(a)[1])
  const open: number[] = [] // end of the open span in each row
  return sorted.map((span) => {
    const [x0, x1] = extent(span)
    while (open.length > 0 && (open.at(-1) ?? 0) <= x0) open.pop()
    const row = Math.min(open.length, maxRows - 1)
    open.push(x1)
    return { span, step: undefined, isWhole: span.endNs !== null, row, x0, x1: Math.max(x0, x1) }
  })
}

export const rowsOf = (placed: readonly PlacedSpan[]): number => placed.reduce((rows, { row }) => Math.max(rows, row + 1), 0)

let lastPlaced:
  | { readonly spans: readonly AnnotationSpan[]; readonly axis: Axis; readonly endX: number; readonly placed: readonly PlacedSpan[] }
  | undefined

/** The lane's bars up to `endX`; kept between frames, since only spans and axis decide. */
export function placedSpans(spans: readonly AnnotationSpan[], axis: Axis, endX: number): readonly PlacedSpan[] {
  if (lastPlaced?.spans === spans && lastPlaced.axis === axis && lastPlaced.endX === endX) return lastPlaced.placed
  lastPlaced = { spans, axis, endX, placed: placeSpans(spans, axis, endX, maxLaneRows) }
  return lastPlaced.placed
}
