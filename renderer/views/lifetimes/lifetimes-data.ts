// What the engine has answered for one capture's lifetimes, with the viewport each answer belongs to; how they are looked at; pointer-rate
// state. Scenes subscribe outside React; panels select the settled parts.
import type {
  AllocationRow,
  LevelScale,
  LifetimeColor,
  LifetimeMeasure,
  LifetimeOrder,
  LifetimeRaster,
  LifetimeSpace,
  TimelineCurves,
} from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { AxisLayout } from '../../plot/layout.ts'
import type { Placed, Pointer } from '../../plot/placed.ts'
import type { Range } from '../../state/view-state.ts'
import type { Bars } from './lanes.ts'
import type { ListSort } from './list-rows.ts'
import type { RowFold } from './row-fold.ts'
import type { YRange } from './y-axis.ts'

export interface PlacedHeat extends Placed<LifetimeRaster> {
  readonly fold?: RowFold | undefined
  readonly order: LifetimeOrder
  readonly y: YRange
  readonly measure: LifetimeMeasure
  readonly scale: LevelScale
  readonly meanPx: number // mean width of an allocation in CSS pixels
}

export interface PlacedBars extends Placed<Bars> {
  readonly fold?: RowFold | undefined
  readonly colorBy: LifetimeColor
  readonly leastHeight: number // of a bar that shares its row; ∞ where none does
  readonly order: LifetimeOrder
  readonly y: YRange
}

export interface PlacedSpace {
  readonly device: number
  readonly order: LifetimeOrder
  readonly fold?: RowFold | undefined // while the filter empties rows; y of everything else is then that of the rows left
  readonly data: LifetimeSpace
}

/** Where one allocation is drawn: x in axis units, null where not in the capture. */
export interface PlacedLife {
  readonly device: number
  readonly axis: PlacedHeat['axis']
  readonly order: LifetimeOrder
  readonly allocationId: number
  readonly start: number | null
  readonly freeRequested: number | null
  readonly freeCompleted: number | null
  readonly y: YRange
}

/** Part of the vertical axis. */
export interface Band {
  readonly device: number
  readonly order: LifetimeOrder
  readonly y: YRange
}

/** The part of y in sight, of the rows that were left when it was chosen. */
export interface ShownBand extends Band {
  readonly fold?: RowFold | undefined
}

/** The y part of a selected rectangle, with the range that it was drawn with. */
export interface RectangleBand extends Band {
  readonly axis: PlacedHeat['axis']
  readonly range: Range
}

export type ListName = 'sight' | 'rectangle' // the table twin, the list in the drawer

export interface LifetimesData extends WithFailure {
  readonly order: LifetimeOrder
  readonly colorBy: LifetimeColor // of bars
  readonly measure: LifetimeMeasure
  readonly scale: LevelScale | undefined // undefined = what suits cells and rows
  readonly shownY: ShownBand | undefined // undefined = all
  readonly band: RectangleBand | undefined // of the selected range: together they are the selected rectangle; undefined = its whole height
  readonly level: 'heat' | 'single' | undefined // chosen by hand where both can be shown; undefined = what suits
  readonly sorts: Readonly<Record<ListName, ListSort>>
  readonly listTab: boolean // the drawer shows the rectangle's list, else the selected allocation
  readonly layout: AxisLayout | undefined
  readonly curves: Placed<TimelineCurves> | undefined
  readonly overview: Placed<TimelineCurves> | undefined
  readonly space: PlacedSpace | undefined
  readonly raster: PlacedHeat | undefined
  readonly bars: PlacedBars | undefined
  readonly place: PlacedLife | undefined // of the selected allocation
  readonly hover: Pointer | undefined
  readonly hovered: AllocationRow | undefined // under the resting pointer
  readonly hoveredPlace: PlacedLife | undefined
  readonly dragging: { readonly range: Range | undefined; readonly y: YRange | undefined } | undefined // being drawn; undefined part = all of it
}

const empty: LifetimesData = {
  order: 'address_sqrt',
  colorBy: 'stack',
  measure: 'bytes',
  scale: undefined,
  shownY: undefined,
  band: undefined,
  level: undefined,
  sorts: { sight: 'area', rectangle: 'area' },
  listTab: true,
  layout: undefined,
  curves: undefined,
  overview: undefined,
  space: undefined,
  raster: undefined,
  bars: undefined,
  place: undefined,
  failure: undefined,
  hover: undefined,
  hovered: undefined,
  hoveredPlace: undefined,
  dragging: undefined,
}

/** The store of a capture's lifetimes. */
export const lifetimesData = captureStores(empty)

/** What a list is sorted by, largest first. */
export function setSort(captureId: string, list: ListName, sort: ListSort): void {
  const store = lifetimesData(captureId)
  store.setState({ sorts: { ...store.getState().sorts, [list]: sort } })
}
