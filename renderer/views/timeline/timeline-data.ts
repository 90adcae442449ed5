// What the engine has answered for one capture's timeline, with the viewport each answer belongs to, and pointer-rate state. Scenes
// subscribe outside React; panels select the settled parts.
import type { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Failure } from '../../../preload/contract/errors.ts'
import type {
  AllocationDetails,
  AllocationRow,
  Axis,
  annotationSpanSchema,
  ColorBy,
  RangeStats,
  StackShare,
  TimelineCurves,
  TimelineRaster,
} from '../../../preload/contract/queries.ts'
import type { Range } from '../../state/view-state.ts'
import type { TimelineLayout } from './layout.ts'

export type AnnotationSpan = z.output<typeof annotationSpanSchema>

/** An answer and the viewport it was asked for. */
export interface Placed<T> {
  readonly range: Range
  readonly axis: Axis
  readonly device: number
  readonly data: T
}

export interface PlacedRaster extends Placed<TimelineRaster> {
  readonly y1: number // bytes at its top
  readonly colorBy: ColorBy
}

export interface PlacedOutline extends Placed<{ readonly y0: Float64Array }> {
  readonly allocationId: number
  readonly bytes: number
}

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

export interface Pointer {
  readonly xPx: number
  readonly yPx: number
}

/** A legend entry whose bands stand out. */
export interface Emphasis {
  readonly device: number
  readonly colorBy: ColorBy
  readonly key: string // of the swatch
  readonly slots: ReadonlySet<number>
}

export interface TimelineData {
  readonly layout: TimelineLayout | undefined
  readonly curves: Placed<TimelineCurves> | undefined
  readonly raster: PlacedRaster | undefined
  readonly overview: Placed<TimelineCurves> | undefined
  readonly annotations: readonly AnnotationSpan[]
  readonly annotationsLeftOut: number // more than an answer holds
  readonly outline: PlacedOutline | undefined
  readonly cursor: EventState | undefined
  readonly stats: RangeStats | 'no events' | undefined
  readonly statsOfSelection: boolean
  readonly topStacks: TopStacks | undefined
  readonly details: AllocationDetails | undefined
  readonly failure: { readonly question: string; readonly error: Failure } | undefined // until the same question is answered
  readonly hover: Pointer | undefined
  readonly hovered: AllocationRow | undefined // under the resting pointer
  readonly dragging: Range | undefined // range being drawn
  readonly fitsHeight: boolean // the plot's top follows what is allocated in view
  readonly fitted: { readonly device: number; readonly bytes: number } | undefined // that top
  readonly emphasis: Emphasis | undefined
}

const empty: TimelineData = {
  layout: undefined,
  curves: undefined,
  raster: undefined,
  overview: undefined,
  annotations: [],
  annotationsLeftOut: 0,
  outline: undefined,
  cursor: undefined,
  stats: undefined,
  statsOfSelection: false,
  topStacks: undefined,
  details: undefined,
  failure: undefined,
  hover: undefined,
  hovered: undefined,
  dragging: undefined,
  fitsHeight: false,
  fitted: undefined,
  emphasis: undefined,
}

const stores = new Map<string, StoreApi<TimelineData>>()

/** The store of a capture's timeline; made at first use. */
export function timelineData(captureId: string): StoreApi<TimelineData> {
  const known = stores.get(captureId)
  if (known) return known
  const store = createStore<TimelineData>(() => empty)
  stores.set(captureId, store)
  return store
}

/** Forgets the answers of captures that are no longer open. */
export function forgetClosed(open: ReadonlySet<string>): void {
  for (const captureId of stores.keys()) if (!open.has(captureId)) stores.delete(captureId)
}

/** Index of the column of `placed` that covers x; undefined outside it. */
export function columnAt(placed: Placed<TimelineCurves>, x: number): number | undefined {
  const columns = placed.data.repEvent.length
  const column = Math.floor(((x - placed.range.x0) / (placed.range.x1 - placed.range.x0)) * columns)
  return column >= 0 && column < columns ? column : undefined
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
