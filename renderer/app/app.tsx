// The window: rows, columns, and what lies over them.
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { forgetClosed } from '../data/capture-stores.ts'
import { useRested } from '../data/use-rested.ts'
import { FailuresPage } from '../failures/failures-page.tsx'
import { lookKey } from '../failures/look.ts'
import { activeCapture, activeTab, type CaptureTab, useCaptures } from '../state/captures.ts'
import { useShell } from '../state/shell.ts'
import { useView } from '../state/use-view.ts'
import { ErrorBoundary } from '../widgets/error-boundary.tsx'
import { Dialogs } from './dialogs/dialogs.tsx'
import { DropTarget } from './drop-target.tsx'
import { Messages } from './messages.tsx'
import { openRow } from './open-captures.ts'
import { saveTableAs } from './save-table.ts'
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
import { hasDetails, useActiveView, useCanShow } from './views.ts'

/** Everything in the window. */
export function App() {
  const { t } = useTranslation()
  const showWelcome = useShell((state) => state.showWelcome)
  const showSideBar = useShell((state) => state.showSideBar)
  const tab = useCaptures(activeTab)
  const active = useCaptures(activeCapture)
  const capture = showWelcome ? undefined : active
  useTitle()
  useForgetting()
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
        {capture && <DrawerArea key={capture.captureId} capture={capture} />}
      </div>
      <StatusLine capture={capture} />
      <Dialogs capture={capture} />
      <Messages />
      <DropTarget />
    </div>
  )
}

/** Forgets what is kept about a capture when its tab has closed: after its view is gone, which would make its stores anew. */
function useForgetting(): void {
  const tabs = useCaptures((state) => state.tabs)
  useEffect(() => forgetClosed(new Set(tabs.map((tab) => (tab.status === 'ready' ? tab.capture.captureId : lookKey(tab.tabId))))), [tabs])
}

function TabContent({ tab }: { readonly tab: CaptureTab }) {
  if (tab.status === 'loading') return <LoadingView tab={tab} />
  if (tab.status === 'failed') return <FailureView tab={tab} />
  if (tab.status === 'failures') return <FailuresTab tab={tab} />
  return <ViewArea key={tab.capture.captureId} capture={tab.capture} />
}

function FailuresTab({ tab: { tabId, request, failures } }: { readonly tab: Extract<CaptureTab, { status: 'failures' }> }) {
  const { name } = request
  const save = useCallback((text: string) => void saveTableAs(`${name}-failures.csv`, text), [name])
  return <FailuresPage tabId={tabId} name={name} failures={failures} onOpenSnapshot={openRow} onSave={save} />
}

/** A second click must land where the first did, so the drawer takes or gives back its room only when a double click is over. */
const roomRestMs = 350

function DrawerArea({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const { captureId } = capture
  const hasSome = useView(captureId, (view) => hasDetails(capture, view)) ?? false
  const hasRoom = useRested(hasSome, roomRestMs)
  const isOpen = useView(captureId, (view) => (hasRoom ? view.showDetails : view.showEmptyDetails))
  const isEmptyOpen = useView(captureId, (view) => view.showEmptyDetails)
  const { Drawer } = useActiveView(capture)
  const isShown = useCanShow(capture)
  if (!isOpen || !isShown) return null
  return (
    <aside className='drawer' data-region='details' aria-label={t('region.details')}>
      <Guarded>{(hasSome || isEmptyOpen) && <Drawer capture={capture} />}</Guarded>
    </aside>
  )
}

function Guarded({ children }: { readonly children: React.ReactNode }) {
  return <ErrorBoundary fallback={(error, retry) => <BrokenPart error={error} onRetry={retry} />}>{children}</ErrorBoundary>
}
