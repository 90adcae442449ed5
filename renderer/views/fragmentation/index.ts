// Fragmentation as the rest of the window sees it.
import type { ViewDefinition } from '../view.ts'
import { saveFragmentationCsv } from './csv.ts'
import { FragmentationDrawer } from './drawer.tsx'
import { FragmentationMain } from './main.tsx'
import { fragmentationPicture } from './picture.ts'
import { FragmentationSideBar } from './side-bar.tsx'
import { FragmentationStatus } from './status.tsx'
import { fragmentationText } from './texts.ts'

export const fragmentationView: ViewDefinition = {
  id: 'fragmentation',
  digit: '4',
  shows: ({ hasBlocks }, device) => hasBlocks && device !== undefined, // also without events: the state of the dump
  Main: FragmentationMain,
  SideBar: FragmentationSideBar,
  Drawer: FragmentationDrawer,
  Status: FragmentationStatus,
  picture: fragmentationPicture,
  csv: { label: () => fragmentationText('table.csv'), save: saveFragmentationCsv },
}
