// The view's drawer: the selected allocation.
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import type { ViewProps } from '../view.ts'
import { useSqlTexts } from './texts.ts'

/** The drawer's content. */
export function SqlDrawer({ capture }: ViewProps) {
  const t = useSqlTexts()
  return <DetailsDrawer capture={capture} hint={t('drawer.hint')} />
}
