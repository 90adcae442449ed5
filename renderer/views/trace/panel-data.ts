// What the panels show and how their tables are sorted: kept while the capture is open. The picture's own state is in trace-data.ts.
import { useStore } from 'zustand'
import type { SliceSort, TraceGroupBy } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { Order } from '../../panels/table-order.ts'
import { patchView } from '../../state/view-state.ts'
import type { GroupColumn, OpColumn, StepColumn } from './rows.ts'

export const twins = ['slices', 'names', 'instants', 'ops', 'steps'] as const
export type Twin = (typeof twins)[number]
export type DrawerTab = 'instant' | 'slice' | 'area' | 'allocation'

export interface PanelData {
  readonly tab: DrawerTab | undefined // chosen by hand; undefined = what was selected last
  readonly instant: number | undefined // instant id that the drawer tells about, until something else is selected
  readonly twin: Twin
  readonly groupBy: TraceGroupBy
  readonly groupOrder: Order<GroupColumn>
  readonly nameOrder: Order<GroupColumn>
  readonly sliceSort: SliceSort
  readonly opOrder: Order<OpColumn>
  readonly stepOrder: Order<StepColumn>
}

const empty: PanelData = {
  tab: undefined,
  instant: undefined,
  twin: 'slices',
  groupBy: 'name',
  groupOrder: { column: 'total', descending: true },
  nameOrder: { column: 'total', descending: true },
  sliceSort: 'start',
  opOrder: { column: 'self', descending: true },
  stepOrder: { column: 'start', descending: false },
}

/** The store of a capture. */
export const panelData = captureStores(empty)

/** Part of it in React. */
export const usePanel = <T>(captureId: string, pick: (data: PanelData) => T): T => useStore(panelData(captureId), pick)

/** Tells about an instant in the drawer. */
export function showInstant(captureId: string, instantId: number): void {
  panelData(captureId).setState({ instant: instantId, tab: undefined })
  patchView(captureId, { showDetails: true, showEmptyDetails: true })
}
