// The lifetimes as the rest of the window sees them.
import { lifetimeOrderSchema } from '../../../preload/contract/queries.ts'
import { lookOf } from '../../state/own-look.ts'
import type { ViewDefinition } from '../view.ts'
import { saveShown } from './csv.ts'
import { LifetimesDrawer } from './drawer.tsx'
import { lifetimesData } from './lifetimes-data.ts'
import { LifetimesMain } from './main.tsx'
import { lifetimesPicture } from './picture.ts'
import { LifetimesSideBar } from './side-bar.tsx'
import { LifetimesStatus } from './status.tsx'
import { lifetimesText } from './texts.ts'

export const lifetimesView: ViewDefinition = {
  id: 'lifetimes',
  digit: '2',
  shows: (_, device) => (device?.eventCount ?? 0) > 0,
  Main: LifetimesMain,
  SideBar: LifetimesSideBar,
  Drawer: LifetimesDrawer,
  hasDetails: (view) => view.selectedRange !== undefined, // it lists what lies in a rectangle
  Status: LifetimesStatus,
  picture: lifetimesPicture,
  ownLook: lookOf(lifetimesData, ['order', 'colorBy', 'shownY'], { order: lifetimeOrderSchema }),
  // Bars alone have colours, so they are wanted.
  setColorBy: (capture, colorBy) =>
    lifetimesData(capture.captureId).setState({ colorBy: colorBy === 'category' ? 'category' : 'stack', level: 'single' }),
  csv: { label: () => lifetimesText('table.csv'), save: saveShown },
}
