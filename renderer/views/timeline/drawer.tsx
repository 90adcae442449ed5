// The timeline's drawer: details of the selected allocation.
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import type { ViewProps } from '../view.ts'
import { useTexts } from './use-timeline.ts'

/** The drawer's content. */
export function TimelineDrawer({ capture }: ViewProps) {
  const t = useTexts()
  return <DetailsDrawer capture={capture} hint={t('noSelection')} />
}
