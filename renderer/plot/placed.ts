// Answers of the engine with the viewport each belongs to. A scene stretches an answer for another viewport into place until the right one
// arrives, so that panning never waits.
import type { Axis, ColorBy, StackShare, TimelineCurves } from '../../preload/contract/queries.ts'
import type { Range } from '../state/view-state.ts'

/** An answer and the viewport it was asked for. */
export interface Placed<T> {
  readonly range: Range
  readonly axis: Axis
  readonly device: number
  readonly data: T
}

/** What every answer of curves says about its columns, whichever curves it holds. */
export type CurveFrame = Pick<TimelineCurves, 'repEvent' | 'firstEvent' | 'lastEvent' | 'repTimeNs'>

/** State of the curves after one event. NaN time where the file has none. */
export interface EventState {
  readonly event: number
  readonly timeNs: number
  readonly allocated: number
  readonly active: number
  readonly reserved: number
  readonly requested: number
}

/** The largest stacks after an event, and all that is allocated there. */
export interface TopStacks {
  readonly device: number
  readonly event: number
  readonly stacks: readonly StackShare[]
  readonly totalBytes: number
}

/** A place in CSS pixels: of the canvas, or of the window where it says so. */
export interface Pointer {
  readonly xPx: number
  readonly yPx: number
}

/** Where a drag began and has come. */
export interface Travel {
  readonly from: Pointer
  readonly at: Pointer
  readonly isFree: boolean // with Ctrl nothing snaps
}

/** A legend entry whose colours stand out. */
export interface Emphasis {
  readonly device: number
  readonly colorBy: ColorBy
  readonly key: string // of the swatch
  readonly slots: ReadonlySet<number>
}

/** Index of the column of `placed` that covers x; undefined outside it. */
export function columnAt(placed: Placed<CurveFrame>, x: number): number | undefined {
  const columns = placed.data.repEvent.length
  const column = Math.floor(((x - placed.range.x0) / (placed.range.x1 - placed.range.x0)) * columns)
  return column >= 0 && column < columns ? column : undefined
}

/** The event whose state the column at x shows (-1 before the first); undefined where none is known. */
export function eventAt(placed: Placed<CurveFrame> | undefined, x: number): number | undefined {
  const column = placed && columnAt(placed, x)
  const event = column === undefined ? undefined : placed?.data.repEvent[column]
  return event === undefined || Number.isNaN(event) ? undefined : event
}

/** What the curves show in a column. */
export function stateAt({ data }: Placed<TimelineCurves>, column: number): EventState {
  const at = (values: Float64Array): number => values[column] ?? Number.NaN
  return {
    event: at(data.repEvent),
    timeNs: at(data.repTimeNs),
    allocated: at(data.allocated.rep),
    active: at(data.active.rep),
    reserved: at(data.reserved.rep),
    requested: at(data.requested.rep),
  }
}
