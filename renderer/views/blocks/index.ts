// The block map as the rest of the window sees it.
import { lookOf } from '../../state/own-look.ts'
import type { ViewDefinition } from '../view.ts'
import { setColorBy } from './actions.ts'
import { blocksState, keptLook } from './blocks-state.ts'
import { saveBlocksViewCsv } from './csv.ts'
import { BlocksDrawer } from './drawer.tsx'
import { BlocksMain } from './main.tsx'
import { blocksPicture } from './picture.ts'
import { BlocksSideBar } from './side-bar.tsx'
import { BlocksStatus } from './status.tsx'
import { blocksText } from './texts.ts'

export const blocksView: ViewDefinition = {
  id: 'blocks',
  digit: '3',
  shows: ({ hasBlocks }, device) => hasBlocks && device !== undefined, // also without events: the state of the dump
  Main: BlocksMain,
  SideBar: BlocksSideBar,
  Drawer: BlocksDrawer,
  tellsFailure: true,
  Status: BlocksStatus,
  picture: blocksPicture,
  ownLook: lookOf(blocksState, ['order', 'scaling', 'visible', 'rowPx', 'scrollPx'], keptLook),
  setColorBy,
  csv: { label: () => blocksText('table.csv'), save: saveBlocksViewCsv },
}
