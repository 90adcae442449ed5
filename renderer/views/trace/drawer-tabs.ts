// What the drawer can show of what is selected, and which of it it shows.
import type { ViewState } from '../../state/view-state.ts'
import type { DrawerTab } from './panel-data.ts'

type Selected = Pick<ViewState, 'selectedSlice' | 'selectedRange' | 'selectedAllocation'>

/** Everything that is selected, what was most likely selected last first: a new range takes the slice away. */
export function tabsOf({ selectedSlice, selectedRange, selectedAllocation }: Selected, hasInstant: boolean): DrawerTab[] {
  const tabs: DrawerTab[] = []
  if (hasInstant) tabs.push('instant')
  if (selectedSlice !== undefined) tabs.push('slice')
  if (selectedRange !== undefined) tabs.push('area')
  if (selectedAllocation !== undefined) tabs.push('allocation')
  return tabs
}

/** The tab to show: the one chosen by hand while there is something in it, else the first. */
export const tabToShow = (tabs: readonly DrawerTab[], chosen: DrawerTab | undefined): DrawerTab | undefined =>
  chosen !== undefined && tabs.includes(chosen) ? chosen : tabs[0]

/** True while the drawer has something to tell that other views would not. */
export const hasTraceDetails = (view: Selected): boolean => view.selectedSlice !== undefined || view.selectedRange !== undefined
