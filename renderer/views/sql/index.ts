// The SQL console as the rest of the window sees it.
import type { ViewDefinition } from '../view.ts'
import { saveResultCsv } from './actions.ts'
import { SqlDrawer } from './drawer.tsx'
import { SqlMain } from './main.tsx'
import { sqlPicture } from './picture.ts'
import { SqlSideBar } from './side-bar.tsx'
import { SqlStatus } from './status.tsx'
import { sqlViewText } from './texts.ts'

export const sqlView: ViewDefinition = {
  id: 'sql',
  digit: '8',
  takesProfiles: true,
  shows: () => true,
  Main: SqlMain,
  SideBar: SqlSideBar,
  Drawer: SqlDrawer,
  Status: SqlStatus,
  picture: sqlPicture,
  csv: { label: () => sqlViewText('result.csv'), save: saveResultCsv },
}
