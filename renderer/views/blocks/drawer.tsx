// Details beside the block map.
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import type { ViewProps } from '../view.ts'
import { useBlocksTexts } from './texts.ts'

/** The selected allocation, or how to select one. */
export function BlocksDrawer({ capture }: ViewProps) {
  const t = useBlocksTexts()
  return <DetailsDrawer capture={capture} hint={t('selectHint')} />
}
