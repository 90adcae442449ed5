// What the engine has answered for one capture's timeline, with the viewport each answer belongs to, and pointer-rate state. Scenes
// subscribe outside React; panels select the settled parts.
import type { AllocationRow, ColorBy, RangeStats, StackShare, TimelineCurves, TimelineRaster } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { AxisLayout } from '../../plot/layout.ts'
import type { Emphasis, Placed, Pointer, TopStacks } from '../../plot/placed.ts'
import type { Range } from '../../state/view-state.ts'

export interface PlacedRaster extends Placed<TimelineRaster> {
  readonly y1: number // bytes at its top
  readonly colorBy: ColorBy
}

export interface PlacedOutline extends Placed<{ readonly y0: Float64Array }> {
  readonly allocationId: number
  readonly bytes: number
}

export interface TimelineData extends WithFailure {
  readonly layout: AxisLayout | undefined
  readonly curves: Placed<TimelineCurves> | undefined
  readonly raster: PlacedRaster | undefined
  readonly overview: Placed<TimelineCurves> | undefined
  readonly outline: PlacedOutline | undefined
  readonly stats: RangeStats | 'no events' | undefined
  readonly statsOfSelection: boolean
  readonly span?: { readonly device: number; readonly ns: number } | undefined // from the first visible event to the last, on the axis of events
  readonly topStacks: TopStacks | undefined
  readonly elsewhere: { readonly device: number; readonly stacks: readonly StackShare[] } | undefined // large in sight, not among these
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
  outline: undefined,
  stats: undefined,
  statsOfSelection: false,
  topStacks: undefined,
  elsewhere: undefined,
  failure: undefined,
  hover: undefined,
  hovered: undefined,
  dragging: undefined,
  fitsHeight: false,
  fitted: undefined,
  emphasis: undefined,
}

/** The store of a capture's timeline. */
export const timelineData = captureStores(empty)
