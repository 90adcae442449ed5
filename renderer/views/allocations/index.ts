// The table of all allocations as the rest of the window sees it.
import type { ViewDefinition } from '../view.ts'
import { saveAllocationsCsv } from './actions.ts'
import { allocationsLook } from './allocations-data.ts'
import { AllocationsMain } from './main.tsx'
import { allocationsPicture } from './picture.ts'
import { AllocationsDrawer, AllocationsSideBar, AllocationsStatus } from './side.tsx'
import { allocationsText } from './texts.ts'

export const allocationsView: ViewDefinition = {
  id: 'allocations',
  digit: '7',
  shows: (_, device) => device !== undefined && device.allocationCount > 0,
  Main: AllocationsMain,
  SideBar: AllocationsSideBar,
  Drawer: AllocationsDrawer,
  Status: AllocationsStatus,
  picture: allocationsPicture,
  ownLook: allocationsLook,
  csv: { label: () => allocationsText('csv'), save: saveAllocationsCsv },
}
