// The view's drawer: the selected allocation.
import { useDiagnosisTexts } from '../../diagnosis/words.ts'
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import type { ViewProps } from '../view.ts'

/** The drawer's content. */
export function DiagnosisDrawer({ capture }: ViewProps) {
  const t = useDiagnosisTexts()
  return <DetailsDrawer capture={capture} hint={t('drawer.hint')} />
}
