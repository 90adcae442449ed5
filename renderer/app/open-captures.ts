// Opening, closing and reopening captures: the life of a tab.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Failure } from '../../preload/contract/errors.ts'
import type { Session } from '../../preload/contract/session.ts'
import { engine } from '../data/engine-client.ts'
import { type CaptureTab, type OpenRequest, useCaptures } from '../state/captures.ts'
import { type Note, notesOf, setNotes } from '../state/notes.ts'
import { useShell } from '../state/shell.ts'
import { setView, type ViewState, viewOf } from '../state/view-state.ts'
import { askShell } from './bridge.ts'
import { refreshRecent } from './recent.ts'
import { followSession, loadSession, showSession } from './sessions.ts'

let nextTabId = 1
// How often the engine died while a capture was open in a tab. Once is bad luck and repaired silently; then the user decides.
const crashes = new Map<number, number>()
// Views of captures whose tab shows a failure, for when it is opened again.
const keptViews = new Map<number, KeptView>()

const tabById = (tabId: number) => useCaptures.getState().tabs.find((tab) => tab.tabId === tabId)

/** Opens a file that the user chose in a tab of its own; a file that is already open comes to the front. */
export function openCapture(request: OpenRequest): void {
  const { tabs, setTabs } = useCaptures.getState()
  const open = tabs.find((tab) => tab.request.token === request.token)
  if (open) {
    showTab(open.tabId)
    if (open.status === 'failed') reopen(open.tabId)
    return
  }
  useShell.setState({ showWelcome: false })
  const tabId = nextTabId++
  setTabs([...tabs, loadingTab(tabId, request, () => {})], tabId)
  void load(tabId, request)
}

/** Shows a failure in a tab of its own: a file that the main process could not even offer. */
export function showRefused(name: string, failure: Failure): void {
  useShell.setState({ showWelcome: false })
  const { tabs, setTabs } = useCaptures.getState()
  const tabId = nextTabId++
  setTabs([...tabs, { tabId, request: { token: '', name, folder: '', sizeBytes: 0 }, status: 'failed', failure }], tabId)
}

/** Brings a tab to the front, also from behind the welcome page. */
export function showTab(tabId: number): void {
  useShell.setState({ showWelcome: false })
  useCaptures.getState().activate(tabId)
}

/** Tries a failed file again, or makes the index of an open one anew. */
export function reopen(tabId: number, rebuild = false): void {
  const tab = tabById(tabId)
  if (!tab || tab.request.token === '' || tab.status === 'loading') return
  if (engine.isGone) void restartEngine()
  crashes.delete(tabId)
  const kept = takeView(tab) ?? keptViews.get(tabId)
  keptViews.delete(tabId)
  if (tab.status === 'ready') void engine.call('capture.close', { captureId: tab.capture.captureId })
  void load(tabId, tab.request, { rebuild, kept })
}

/** Asks for an engine after none followed by itself; calls wait for its port from now on. */
async function restartEngine(): Promise<void> {
  engine.expectAnother()
  useCaptures.setState({ engine: 'starting' })
  const asked = await askShell('engine.restart', {})
  if (asked.ok) return
  useCaptures.setState({ engine: 'stopped' })
  engine.giveUp(asked.error.message)
}

/** Closes a tab; a running load is cancelled. The tab to the right comes to the front, else the one to the left. */
export function closeTab(tabId: number): void {
  const tab = tabById(tabId)
  if (!tab) return
  if (tab.status === 'loading') tab.cancel()
  if (tab.status === 'ready') {
    setView(tab.capture.captureId, undefined)
    void engine.call('capture.close', { captureId: tab.capture.captureId })
  }
  removeTab(tabId)
}

/** Remembers that the engine died while captures were open. */
export function countCrash(): void {
  for (const { tabId, status } of useCaptures.getState().tabs) if (status === 'ready') crashes.set(tabId, (crashes.get(tabId) ?? 0) + 1)
}

/** Shows in every open tab that the engine is gone for good; its view comes back with it. Loads fail by their own calls. */
export function failOpen(reason: string): void {
  for (const tab of useCaptures.getState().tabs) {
    if (tab.status !== 'ready') continue
    const kept = takeView(tab)
    if (kept) keptViews.set(tab.tabId, kept)
    failTab(tab.tabId, { code: 'engine/crashed', message: reason })
  }
}

/** Opens again what was open when the engine died: each capture once, then its tab shows the failure and asks. */
export function reopenAfterCrash(reason: string): boolean {
  let reopened = false
  // All views are taken before any capture is opened: a new engine may give an old id to another capture.
  const open = useCaptures.getState().tabs.map((tab) => ({ tab, kept: takeView(tab) }))
  for (const { tab, kept } of open) {
    if (tab.status !== 'ready') continue
    if ((crashes.get(tab.tabId) ?? 0) > 1) {
      if (kept) keptViews.set(tab.tabId, kept)
      failTab(tab.tabId, { code: 'engine/crashed', message: reason })
    } else {
      reopened = true
      void load(tab.tabId, tab.request, { kept })
    }
  }
  return reopened
}

function removeTab(tabId: number): void {
  const { tabs, activeTabId } = useCaptures.getState()
  const index = tabs.findIndex((tab) => tab.tabId === tabId)
  if (index < 0) return
  crashes.delete(tabId)
  keptViews.delete(tabId)
  const left = tabs.filter((tab) => tab.tabId !== tabId)
  const neighbour = left[Math.min(index, left.length - 1)]?.tabId
  useCaptures.setState({ tabs: left, activeTabId: activeTabId === tabId ? neighbour : activeTabId })
}

function loadingTab(tabId: number, request: OpenRequest, cancel: () => void): CaptureTab {
  return { tabId, request, status: 'loading', progress: undefined, startedAtMs: performance.now(), cancel }
}

function failTab(tabId: number, failure: Failure): void {
  useCaptures.getState().patchTab(tabId, ({ request }) => ({ tabId, request, status: 'failed', failure }))
}

interface KeptView {
  readonly fingerprint: string
  readonly notes: readonly Note[]
  readonly view: ViewState
}

/** How the tab's capture is looked at and its notes, to be shown again once it is open again. */
function takeView(tab: CaptureTab): KeptView | undefined {
  if (tab.status !== 'ready') return undefined
  const { captureId, fingerprint } = tab.capture
  const view = viewOf(captureId)
  const notes = notesOf(captureId)
  setView(captureId, undefined)
  return view && { fingerprint, view, notes }
}

interface LoadOptions {
  readonly rebuild?: boolean
  readonly kept?: KeptView | undefined
}

async function load(tabId: number, request: OpenRequest, { rebuild = false, kept }: LoadOptions = {}): Promise<void> {
  const controller = new AbortController()
  const { patchTab } = useCaptures.getState()
  const loading = loadingTab(tabId, request, () => controller.abort())
  patchTab(tabId, () => loading)
  const answer = await engine.call(
    'capture.open',
    { token: request.token, ...(rebuild ? { rebuild } : {}) },
    {
      signal: controller.signal,
      onProgress: (progress) => patchTab(tabId, (tab) => (tab.status === 'loading' ? { ...tab, progress } : tab)),
    },
  )
  const session = answer.ok && kept?.fingerprint !== answer.value.fingerprint ? await loadSession(answer.value) : undefined
  if (!tabById(tabId)) {
    if (answer.ok) void engine.call('capture.close', { captureId: answer.value.captureId })
    return
  }
  if (answer.ok) {
    void refreshRecent()
    showCapture(tabId, answer.value, kept, session)
  } else if (answer.error.code === 'query/cancelled' && !kept)
    removeTab(tabId) // a capture that was open keeps its tab
  else {
    if (kept) keptViews.set(tabId, kept)
    failTab(tabId, answer.error)
  }
}

function showCapture(tabId: number, capture: CaptureSummary, kept: KeptView | undefined, session: Session | undefined): void {
  const { tabs, activate, patchTab } = useCaptures.getState()
  const same = tabs.find((tab) => tab.tabId !== tabId && tab.status === 'ready' && tab.capture.fingerprint === capture.fingerprint)
  if (same?.status === 'ready') {
    // The same bytes under another name: one tab is enough.
    if (same.capture.captureId !== capture.captureId) void engine.call('capture.close', { captureId: capture.captureId })
    removeTab(tabId)
    activate(same.tabId)
    return
  }
  if (kept?.fingerprint === capture.fingerprint) {
    setNotes(capture.captureId, kept.notes)
    setView(capture.captureId, kept.view)
  } else showSession(capture, session)
  followSession(capture)
  patchTab(tabId, ({ request }) => ({ tabId, request, status: 'ready', capture }))
}
