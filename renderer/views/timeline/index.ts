// The timeline as the rest of the window sees it.
import type { ViewDefinition } from '../view.ts'
import { TimelineDrawer } from './drawer.tsx'
import { TimelineMain } from './main.tsx'
import { timelinePicture } from './picture.ts'
import { TimelineSideBar } from './side-bar.tsx'
import { TimelineStatus } from './status.tsx'

export const timelineView: ViewDefinition = {
  id: 'timeline',
  digit: '1',
  shows: (_, device) => (device?.eventCount ?? 0) > 0,
  Main: TimelineMain,
  SideBar: TimelineSideBar,
  Drawer: TimelineDrawer,
  Status: TimelineStatus,
  picture: timelinePicture,
}
