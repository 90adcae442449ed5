// The drawer: the list of the selected rectangle, or the selected allocation; a switch where there are both.

import { Switch } from '../../panels/chooser.tsx'
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { lifetimesData } from './lifetimes-data.ts'
import { RectanglePanel } from './rectangle-panel.tsx'
import { useLifetimes, useTexts } from './use-lifetimes.ts'

/** The drawer's content. */
export function LifetimesDrawer({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const hasRange = useView(captureId, (view) => view.selectedRange !== undefined)
  const hasAllocation = useView(captureId, (view) => view.selectedAllocation !== undefined)
  const listTab = useLifetimes(captureId, (data) => data.listTab)
  if (!hasRange) return <DetailsDrawer capture={capture} hint={t('noSelection')} />
  return (
    <div className='lifetimes-drawer'>
      {hasAllocation && (
        <div className='lifetimes-tabs'>
          <Switch
            label={t('drawerShows')}
            value={listTab ? 'list' : 'allocation'}
            options={[
              { value: 'list', label: t('rectangle.title') },
              { value: 'allocation', label: t('rectangle.allocation') },
            ]}
            onChoose={(each) => lifetimesData(captureId).setState({ listTab: each === 'list' })}
          />
        </div>
      )}
      {listTab || !hasAllocation ? <RectanglePanel capture={capture} /> : <DetailsDrawer capture={capture} hint={t('noSelection')} />}
    </div>
  )
}
