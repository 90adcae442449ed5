// The drawer: the selected slice, the statistics of the selected range, an instant, or the selected allocation; a switch where there are several.
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { Switch } from '../../panels/chooser.tsx'
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { AreaStatistics } from './area-statistics.tsx'
import { tabsOf, tabToShow } from './drawer-tabs.ts'
import { InstantDetails } from './instant-drawer.tsx'
import { panelData, usePanel } from './panel-data.ts'
import { SelectedSlice } from './slice-drawer.tsx'
import { useTexts } from './use-trace.ts'

/** The drawer's content. */
export function TraceDrawer({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const selectedSlice = useView(captureId, (view) => view.selectedSlice)
  const selectedRange = useView(captureId, (view) => view.selectedRange)
  const selectedAllocation = useView(captureId, (view) => view.selectedAllocation)
  const instant = usePanel(captureId, (data) => data.instant)
  const chosen = usePanel(captureId, (data) => data.tab)
  const tabs = tabsOf({ selectedSlice, selectedRange, selectedAllocation }, instant !== undefined)
  const tab = tabToShow(tabs, chosen)
  useNewSelection(captureId, selectedSlice, selectedRange)
  if (tab === undefined) return <DetailsDrawer capture={capture} hint={t('drawer.hint')} />
  return (
    <div className='trace-drawer'>
      {tabs.length > 1 && (
        <div className='trace-tabs'>
          <Switch
            label={t('drawer.shows')}
            value={tab}
            options={tabs.map((value) => ({ value, label: t(`drawer.tab.${value}`) }))}
            onChoose={(each) => panelData(captureId).setState({ tab: each })}
          />
        </div>
      )}
      {tab === 'allocation' ? (
        <DetailsDrawer capture={capture} hint={t('drawer.hint')} />
      ) : (
        <div className='details-drawer'>
          <Head captureId={captureId} title={t(`drawer.tab.${tab}`)} />
          {tab === 'slice' && <SelectedSlice capture={capture} />}
          {tab === 'area' && <AreaStatistics capture={capture} />}
          {tab === 'instant' && instant !== undefined && <InstantDetails capture={capture} instantId={instant} />}
        </div>
      )}
    </div>
  )
}

/** What is selected anew is shown, whatever was looked at before. */
function useNewSelection(captureId: string, slice: number | undefined, range: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when something else is selected
  useEffect(() => () => panelData(captureId).setState({ tab: undefined, instant: undefined }), [captureId, slice, range])
}

function Head({ captureId, title }: { readonly captureId: string; readonly title: string }) {
  const t = useTexts()
  const close = () => patchView(captureId, { showDetails: false, showEmptyDetails: false })
  return (
    <header className='panel-head'>
      <h2>{title}</h2>
      <button type='button' className='icon-button' aria-label={t('drawer.close')} title={t('drawer.close')} onClick={close}>
        <X aria-hidden='true' size={14} />
      </button>
    </header>
  )
}
