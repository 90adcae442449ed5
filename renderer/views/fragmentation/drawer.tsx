// The view's drawer: details of the selected allocation.
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import type { ViewProps } from '../view.ts'
import { useFragmentationTexts } from './texts.ts'

/** The drawer's content. */
export function FragmentationDrawer({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  return <DetailsDrawer capture={capture} hint={t('noSelection')} />
}
