// The page of a failure as the rest of the window sees it.
import type { ViewDefinition } from '../view.ts'
import { DiagnosisDrawer } from './drawer.tsx'
import { DiagnosisMain } from './main.tsx'
import { diagnosisPicture } from './picture.ts'
import { DiagnosisSideBar } from './side-bar.tsx'
import { DiagnosisStatus } from './status.tsx'

export const diagnosisView: ViewDefinition = {
  id: 'diagnosis',
  digit: '9',
  offers: ({ kind }) => kind === 'torch_snapshot',
  shows: (_, device) => device !== undefined,
  Main: DiagnosisMain,
  SideBar: DiagnosisSideBar,
  Drawer: DiagnosisDrawer,
  tellsFailure: true,
  Status: DiagnosisStatus,
  picture: diagnosisPicture,
}
