// The flame graph as the rest of the window sees it.
import { lookOf } from '../../state/own-look.ts'
import type { ViewDefinition } from '../view.ts'
import { setColorBy } from './actions.ts'
import { saveFlameCsv } from './csv.ts'
import { FlameDrawer } from './drawer.tsx'
import { flameState, keptLook } from './flame-state.ts'
import { FlameMain } from './main.tsx'
import { flamePicture } from './picture.ts'
import { FlameSideBar } from './side-bar.tsx'
import { FlameStatus } from './status.tsx'
import { flameText } from './texts.ts'

export const flameView: ViewDefinition = {
  id: 'flame',
  digit: '5',
  takesProfiles: true,
  // Of a snapshot also the state of the dump.
  shows: ({ trace, profile }, device) => profile !== null || (device !== undefined && (trace === null || device.eventCount > 0)),
  Main: FlameMain,
  SideBar: FlameSideBar,
  Drawer: FlameDrawer,
  hasDetails: ({ selectedNode }) => selectedNode !== undefined,
  Status: FlameStatus,
  picture: flamePicture,
  ownLook: lookOf(
    flameState,
    [
      'weight',
      'unit',
      'valueType',
      'colorBy',
      'direction',
      'order',
      'shape',
      'merge',
      'foldRecursion',
      'hidesLibrary',
      'hideText',
      'with',
      'without',
      'pivot',
      'trail',
      'template',
    ],
    keptLook,
  ),
  setColorBy: (capture, colorBy) => setColorBy(capture, colorBy === 'category' ? 'category' : 'module'),
  csv: { label: () => flameText('table.csv'), save: saveFlameCsv },
}
