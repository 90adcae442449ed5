// The trace as the rest of the window sees it.
import { lookOf } from '../../state/own-look.ts'
import type { ViewDefinition } from '../view.ts'
import { saveTraceTable } from './csv.ts'
import { TraceDrawer } from './drawer.tsx'
import { hasTraceDetails } from './drawer-tabs.ts'
import { TraceMain } from './main.tsx'
import { tracePicture } from './picture.ts'
import { TraceSideBar } from './side-bar.tsx'
import { TraceStatus } from './status.tsx'
import { traceText } from './texts.ts'
import { keptLook, traceData } from './trace-data.ts'

export const traceView: ViewDefinition = {
  id: 'trace',
  digit: '6',
  offers: ({ trace }) => trace !== null,
  shows: ({ trace }) => trace !== null, // also without memory, and so without a device
  Main: TraceMain,
  SideBar: TraceSideBar,
  Drawer: TraceDrawer,
  hasDetails: hasTraceDetails,
  Status: TraceStatus,
  picture: tracePicture,
  csv: { label: () => traceText('table.csvLabel'), save: saveTraceTable },
  ownLook: lookOf(traceData, ['colorBy', 'collapsed', 'pinned', 'scrollPx', 'emphasis'], keptLook),
}
