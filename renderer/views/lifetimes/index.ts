// The lifetimes as the rest of the window sees them.
import type { ViewDefinition } from '../view.ts'
import { saveShown } from './csv.ts'
import { LifetimesDrawer } from './drawer.tsx'
import { LifetimesMain } from './main.tsx'
import { lifetimesPicture } from './picture.ts'
import { LifetimesSideBar } from './side-bar.tsx'
import { LifetimesStatus } from './status.tsx'
import { lifetimesText } from './texts.ts'

export const lifetimesView: ViewDefinition = {
  id: 'lifetimes',
  digit: '2',
  needsEvents: true,
  Main: LifetimesMain,
  SideBar: LifetimesSideBar,
  Drawer: LifetimesDrawer,
  hasDetails: (view) => view.selectedRange !== undefined, // it lists what lies in a rectangle
  Status: LifetimesStatus,
  picture: lifetimesPicture,
  csv: { label: () => lifetimesText('table.csv'), save: saveShown },
}
