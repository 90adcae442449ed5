// What the engine has answered for one capture's trace, with the viewport each answer belongs to; how it is looked at; pointer-rate state.
// Scenes subscribe outside React; panels select the settled parts. The selected slice is part of the shared view state.
import { z } from 'zod'
import {
  type SliceDetails,
  type SliceRow,
  type TimelineCurves,
  type TraceColorBy,
  type TraceFlow,
  type TraceRaster,
  type TraceTracks,
  traceColorBySchema,
} from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { AnnotationSpan } from '../../plot/annotations.ts'
import type { AreaCurves } from '../../plot/draw-area.ts'
import type { AxisLayout } from '../../plot/layout.ts'
import type { Placed, Pointer } from '../../plot/placed.ts'
import type { KeptFields } from '../../state/own-look.ts'
import type { Range } from '../../state/view-state.ts'

/** Slices of the lanes that were in sight, a cell a column and wide ones as boxes. */
export interface PlacedRaster {
  readonly range: Range
  readonly colorBy: TraceColorBy
  readonly lanes: readonly number[] // lane ids, in the order of the cells
  readonly placeOf: ReadonlyMap<number, number> // lane id → place in `lanes`
  readonly firstBox: readonly number[] // by place: its first box, and one past the last of all
  readonly data: TraceRaster
}

/** A counter's values by column; NaN before its first sample. */
export interface PlacedSeries {
  readonly range: Range
  readonly min: Float64Array
  readonly max: Float64Array
  readonly last: Float64Array
}

/** A memory timeline by column: what each category holds when all hold most together; NaN before the first sample. */
export interface PlacedStack {
  readonly range: Range
  readonly values: readonly Float64Array[] // by series of the track
}

/** A track's instants by column. */
export interface PlacedMarks {
  readonly range: Range
  readonly count: Float64Array
  readonly first: Float64Array // instant id, NaN without
}

/** What lies under the resting pointer, or is known at once because it is drawn as a box. */
export type HoveredSlice = Pick<SliceRow, 'sliceId' | 'laneId' | 'name' | 'category' | 'startNs' | 'durNs'> & {
  readonly isUnfinished?: boolean
}

/** Selected tracks × range. It counts while its range is the selected range of the view; a range without one is of all tracks. */
export interface TraceArea {
  readonly range: Range
  readonly rows: readonly string[] // keys of rows (see layout.ts)
}

/** Names that a search has found: the others step back. */
export interface TraceSearch {
  readonly text: string
  readonly names: readonly number[] // name ids, at most 10,000
  readonly sliceCount: number // in the whole trace, also those of names left out
  readonly leftOut?: number // further names that contain the text; absent = none
  readonly isExact?: boolean // of the one name that is the text, instead of all that contain it
}

export interface TraceData extends WithFailure {
  readonly colorBy: TraceColorBy
  readonly collapsed: readonly string[] // keys of rows
  readonly pinned: readonly string[] | undefined // keys of rows, first on top; undefined = the memory of the device in view
  readonly scrollPx: number // of the rows that are not pinned; kept inside what there is when drawn
  readonly search: TraceSearch | undefined
  readonly emphasis: readonly number[] | undefined // colour slots that stand out while the others step back
  readonly area: TraceArea | undefined
  readonly layout: AxisLayout | undefined
  readonly tracks: TraceTracks | undefined
  readonly spans: readonly AnnotationSpan[] // steps and annotations of the program
  readonly spansLeftOut: number // more than an answer holds
  readonly raster: PlacedRaster | undefined
  readonly series: ReadonlyMap<number, PlacedSeries> // by series id
  readonly stacks: ReadonlyMap<number, PlacedStack> // by track id
  readonly stackPeaks: ReadonlyMap<number, number> // by track id: most bytes of all categories together
  readonly marks: ReadonlyMap<number, PlacedMarks> // by track id
  readonly memory: ReadonlyMap<number, Placed<TimelineCurves>> // by device
  readonly floors: ReadonlyMap<number, number> // by device: bytes held before the profile began
  readonly overview: Placed<AreaCurves> | undefined
  readonly selected: SliceDetails | undefined // of the view's selected slice; of the one before until its answer is there
  readonly picked: SliceRow | undefined // the selected slice, as far as it is known before its details
  readonly flows: { readonly sliceId: number; readonly flows: readonly TraceFlow[]; readonly op: SliceRow | undefined } | undefined
  readonly hover: Pointer | undefined
  readonly hovered: HoveredSlice | undefined
  readonly chosenRow: string | undefined // key of the row chosen by key
  readonly hoverRow: string | undefined // key of the row whose heading is under the pointer
  readonly dragging: { readonly range: Range; readonly rows: readonly string[] | undefined } | undefined // being drawn; undefined rows = all
}

const empty: TraceData = {
  colorBy: 'name',
  collapsed: [],
  pinned: undefined,
  scrollPx: 0,
  search: undefined,
  emphasis: undefined,
  area: undefined,
  layout: undefined,
  tracks: undefined,
  spans: [],
  spansLeftOut: 0,
  raster: undefined,
  series: new Map(),
  stacks: new Map(),
  stackPeaks: new Map(),
  marks: new Map(),
  memory: new Map(),
  floors: new Map(),
  overview: undefined,
  selected: undefined,
  picked: undefined,
  flows: undefined,
  hover: undefined,
  hovered: undefined,
  chosenRow: undefined,
  hoverRow: undefined,
  dragging: undefined,
  failure: undefined,
}

/** The store of a capture's trace. */
export const traceData = captureStores(empty)

const keys = z.array(z.string().max(1000)).max(10_000)

/** What of it is kept in a session. Keys of rows that there are not do nothing; scrolled farther than there are rows, the last are shown. */
export const keptLook: KeptFields<TraceData> = {
  colorBy: traceColorBySchema,
  collapsed: keys,
  pinned: keys,
  scrollPx: z.number().min(0),
}
