// The window: rows, columns, and what lies over them.
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { activeCapture, activeTab, type CaptureTab, useCaptures } from '../state/captures.ts'
import { useShell } from '../state/shell.ts'
import { useView } from '../state/use-view.ts'
import { ErrorBoundary } from '../widgets/error-boundary.tsx'
import { useMedia } from '../widgets/use-media.ts'
import { Dialogs } from './dialogs/dialogs.tsx'
import { DropTarget } from './drop-target.tsx'
import { Messages } from './messages.tsx'
import { SideBar } from './side-bar.tsx'
import { BrokenPart } from './states/broken-part.tsx'
import { FailureView } from './states/failure-view.tsx'
import { LoadingView } from './states/loading-view.tsx'
import { ViewArea } from './states/view-area.tsx'
import { Welcome } from './states/welcome.tsx'
import { StatusLine } from './status-line.tsx'
import { TitleRow } from './title-row.tsx'
import { useTitle } from './use-title.ts'
import { ViewBar } from './view-bar.tsx'
import { useActiveView, useCanShow } from './views.ts'

/** Everything in the window. */
export function App() {
  const { t } = useTranslation()
  const showWelcome = useShell((state) => state.showWelcome)
  const showSideBar = useShell((state) => state.showSideBar)
  const tab = useCaptures(activeTab)
  const active = useCaptures(activeCapture)
  const capture = showWelcome ? undefined : active
  useTitle()
  return (
    <div className='app'>
      <TitleRow />
      <ViewBar capture={capture} />
      <div className='middle'>
        {capture && showSideBar && (
          <Guarded>
            <SideBar capture={capture} />
          </Guarded>
        )}
        <main id='main' className='main' data-region='main' aria-label={t('region.main')} tabIndex={-1}>
          <Guarded>{showWelcome || !tab ? <Welcome /> : <TabContent key={tab.tabId} tab={tab} />}</Guarded>
        </main>
        {capture && <DrawerArea capture={capture} />}
      </div>
      <StatusLine capture={capture} />
      <Dialogs capture={capture} />
      <Messages />
      <DropTarget />
    </div>
  )
}

function TabContent({ tab }: { readonly tab: CaptureTab }) {
  if (tab.status === 'loading') return <LoadingView tab={tab} />
  if (tab.status === 'failed') return <FailureView tab={tab} />
  return <ViewArea key={tab.capture.captureId} capture={tab.capture} />
}

function DrawerArea({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const showDetails = useView(capture.captureId, (view) => view.showDetails)
  const hasSelection = useView(capture.captureId, (view) => view.selectedAllocation !== undefined || view.selectedRange !== undefined)
  // Where the drawer lies under the picture it must be worth the height that it takes.
  const narrow = useMedia('(width < 1200px)')
  const { Drawer } = useActiveView(capture)
  const isShown = useCanShow(capture)
  if (!showDetails || !isShown || (narrow && !hasSelection)) return null
  return (
    <aside className='drawer' data-region='details' aria-label={t('region.details')}>
      <Guarded>
        <Drawer capture={capture} />
      </Guarded>
    </aside>
  )
}

function Guarded({ children }: { readonly children: React.ReactNode }) {
  return <ErrorBoundary fallback={(error, retry) => <BrokenPart error={error} onRetry={retry} />}>{children}</ErrorBoundary>
}
