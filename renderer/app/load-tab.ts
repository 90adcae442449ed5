// What a tab goes through until it shows something: one question to the engine, and its answer put into the tab.
import type { CaptureSummary, LoadProgress } from '../../preload/contract/capture.ts'
import type { Failures } from '../../preload/contract/diagnosis.ts'
import type { ErrorCode, Failure, Result } from '../../preload/contract/errors.ts'
import type { EngineOutput } from '../../preload/contract/queries.ts'
import type { Session } from '../../preload/contract/session.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { engine } from '../data/engine-client.ts'
import { translate } from '../i18n/language.ts'
import { type CaptureTab, type FailuresSource, type OpenRequest, useCaptures } from '../state/captures.ts'
import { attachSources, takeSources } from '../state/diagnosis-sources.ts'
import { type Note, notesOf, setNotes } from '../state/notes.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { patchView, setView, type ViewState, viewOf } from '../state/view-state.ts'
import { pastedName } from './pasted-name.ts'
import { refreshRecent } from './recent.ts'
import { snapshotOf } from './row-files.ts'
import { followSession, loadSession, showSession } from './sessions.ts'

/** What became of a load. undecided: no capture, so whoever asked for it says what is to become of the tab, which still loads. */
export type Outcome =
  | { readonly kind: 'capture'; readonly tabId: number; readonly capture: CaptureSummary }
  | Undecided
  | { readonly kind: 'ended' }

export interface Undecided {
  readonly kind: 'undecided'
  readonly tabId: number
  readonly request: OpenRequest
  readonly failure: Failure // why it is no capture
  readonly signal: AbortSignal
}

/** How a capture was looked at, to be shown again once it is open again. */
export interface KeptView {
  readonly fingerprint: string
  readonly notes: readonly Note[]
  readonly view: ViewState
  readonly sources: readonly string[]
}

export interface LoadOptions {
  readonly rebuild?: boolean
  readonly kept?: KeptView | undefined
  readonly view?: ViewId // shown whatever its session says
  readonly sources?: readonly string[] | undefined // read with it
  readonly isCapture?: boolean // known to be one, so a file that is none is damaged
  readonly keepsTab?: boolean // it was open before: a cancelled load leaves its tab, which offers to load it again
}

const ended: Outcome = { kind: 'ended' }
let nextTabId = 1
const running = new Map<number, Promise<Outcome>>()
// Views of captures whose tab shows a failure, for when it is opened again.
const keptViews = new Map<number, KeptView>()

export const tabById = (tabId: number): CaptureTab | undefined => useCaptures.getState().tabs.find((tab) => tab.tabId === tabId)

/** Opens in a new tab, in front. */
export function loadInNewTab(request: OpenRequest, options: LoadOptions = {}): Promise<Outcome> {
  useShell.setState({ showWelcome: false })
  const { tabs, setTabs } = useCaptures.getState()
  const tabId = nextTabId++
  setTabs([...tabs, loadingTab(tabId, request, () => {})], tabId)
  return loadTab(tabId, request, options)
}

/** A tab that shows a failure from the first. */
export function addFailedTab(name: string, failure: Failure): void {
  useShell.setState({ showWelcome: false })
  const { tabs, setTabs } = useCaptures.getState()
  const tabId = nextTabId++
  setTabs([...tabs, { tabId, request: { token: '', name, folder: '', sizeBytes: 0 }, status: 'failed', failure }], tabId)
}

/** Opens what is asked for in a tab that is there. */
export function loadTab(tabId: number, request: OpenRequest, options: LoadOptions = {}): Promise<Outcome> {
  const controller = new AbortController()
  useCaptures.getState().patchTab(tabId, () => loadingTab(tabId, request, () => controller.abort()))
  const { failures } = request
  const load = failures
    ? loadFailures(tabId, failures, { ...options, signal: controller.signal })
    : loadCapture(tabId, request, { ...options, signal: controller.signal })
  running.set(tabId, load)
  return load.finally(() => {
    if (running.get(tabId) === load) running.delete(tabId)
  })
}

/** The load that goes on in a tab. */
export const loadIn = (tabId: number): Promise<Outcome> | undefined => running.get(tabId)

function loadingTab(tabId: number, request: OpenRequest, cancel: () => void): CaptureTab {
  return { tabId, request, status: 'loading', progress: undefined, startedAtMs: performance.now(), cancel }
}

/** Shows a failure in a tab; `kept` comes back when it is opened again. */
export function failTab(tabId: number, failure: Failure, kept?: KeptView): void {
  if (kept) keptViews.set(tabId, kept)
  useCaptures.getState().patchTab(tabId, ({ request }) => ({ tabId, request, status: 'failed', failure }))
}

/** Takes a tab away. The tab to the right comes to the front, else the one to the left. */
export function removeTab(tabId: number): void {
  const { tabs, activeTabId } = useCaptures.getState()
  const index = tabs.findIndex((tab) => tab.tabId === tabId)
  if (index < 0) return
  keptViews.delete(tabId)
  const left = tabs.filter((tab) => tab.tabId !== tabId)
  const neighbour = left[Math.min(index, left.length - 1)]?.tabId
  useCaptures.setState({ tabs: left, activeTabId: activeTabId === tabId ? neighbour : activeTabId })
}

/** How the tab's capture is looked at, its notes and what is read with it; the capture itself is no longer shown. */
export function takeView(tab: CaptureTab): KeptView | undefined {
  if (tab.status !== 'ready') return undefined
  const { captureId, fingerprint } = tab.capture
  const view = viewOf(captureId)
  const notes = notesOf(captureId)
  const sources = takeSources(captureId)
  setView(captureId, undefined)
  return view && { fingerprint, view, notes, sources }
}

/** What was kept of a tab that shows a failure. */
export function takeKept(tabId: number): KeptView | undefined {
  const kept = keptViews.get(tabId)
  keptViews.delete(tabId)
  return kept
}

/** Asks the engine what fails in files or a text; progress goes to a tab. */
export function askFailures(
  tabId: number,
  { tokens, text }: FailuresSource,
  signal: AbortSignal,
): Promise<Result<EngineOutput<'failures.open'>>> {
  return engine.call('failures.open', { tokens: [...tokens], text }, { signal, onProgress: progressOf(tabId) })
}

const progressOf = (tabId: number) => (progress: LoadProgress) =>
  useCaptures.getState().patchTab(tabId, (tab) => (tab.status === 'loading' ? { ...tab, progress } : tab))

/** What a reader says of a file that is not what it looks like: it may still be a log, or metrics. */
const undecidedCodes: ReadonlySet<ErrorCode> = new Set([
  'file/unknown_format',
  'trace/not_a_trace',
  'profile/not_a_profile',
  'snapshot/not_a_snapshot',
])

interface SignalledLoad extends LoadOptions {
  readonly signal: AbortSignal
}

async function loadCapture(tabId: number, request: OpenRequest, options: SignalledLoad): Promise<Outcome> {
  const { rebuild = false, kept, signal, isCapture = kept !== undefined, keepsTab = kept !== undefined } = options
  const { token } = request
  const answer = await engine.call('capture.open', { token, ...(rebuild ? { rebuild } : {}) }, { signal, onProgress: progressOf(tabId) })
  const session = answer.ok && kept?.fingerprint !== answer.value.fingerprint ? await loadSession(answer.value) : undefined
  if (!tabById(tabId)) {
    if (answer.ok) void engine.call('capture.close', { captureId: answer.value.captureId })
    return ended
  }
  if (answer.ok) {
    void refreshRecent()
    return showCapture(tabId, answer.value, session, options)
  }
  if (answer.error.code === 'query/cancelled' && !keepsTab) removeTab(tabId)
  else if (undecidedCodes.has(answer.error.code) && !isCapture) return { kind: 'undecided', tabId, request, failure: answer.error, signal }
  else failTab(tabId, answer.error, kept)
  return ended
}

function showCapture(tabId: number, capture: CaptureSummary, session: Session | undefined, { kept, view, sources }: LoadOptions): Outcome {
  const { tabs, activate, patchTab } = useCaptures.getState()
  const same = tabs.find((tab) => tab.tabId !== tabId && tab.status === 'ready' && tab.capture.fingerprint === capture.fingerprint)
  const shown = same?.status === 'ready' ? { tabId: same.tabId, capture: same.capture } : { tabId, capture }
  const { captureId } = shown.capture
  if (shown.tabId !== tabId) {
    // The same bytes under another name: one tab is enough.
    if (captureId !== capture.captureId) void engine.call('capture.close', { captureId: capture.captureId })
    removeTab(tabId)
    activate(shown.tabId)
  } else {
    if (kept?.fingerprint === capture.fingerprint) {
      setNotes(captureId, kept.notes)
      setView(captureId, kept.view)
    } else showSession(capture, session)
    followSession(capture)
  }
  attachSources(captureId, [...(kept?.sources ?? []), ...(sources ?? [])])
  if (view) patchView(captureId, { view })
  if (shown.tabId === tabId) patchTab(tabId, ({ request }) => ({ tabId, request, status: 'ready', capture }))
  return { kind: 'capture', ...shown }
}

async function loadFailures(tabId: number, source: FailuresSource, { signal, keepsTab }: SignalledLoad): Promise<Outcome> {
  const answer = await askFailures(tabId, source, signal)
  if (!tabById(tabId)) {
    if (answer.ok) void engine.call('failures.close', { failuresId: answer.value.failuresId })
  } else if (answer.ok) {
    void refreshRecent()
    const snapshot = snapshotOf(answer.value)
    if (!snapshot) showFailures(tabId, source, answer.value)
    else {
      void engine.call('failures.close', { failuresId: answer.value.failuresId })
      return loadTab(tabId, snapshot.request, snapshot.options)
    }
  } else if (answer.error.code === 'query/cancelled' && !keepsTab) removeTab(tabId)
  else if (answer.error.code === 'file/unknown_format' && source.text !== null) {
    removeTab(tabId)
    showMessage(translate('failures:paste.nothing'), 'error')
  } else failTab(tabId, answer.error)
  return ended
}

function showFailures(tabId: number, { text }: FailuresSource, failures: Failures): void {
  const { tabs, patchTab } = useCaptures.getState()
  const taken = tabs.flatMap((tab) => (tab.tabId === tabId ? [] : [tab.request.name]))
  const named = text === null ? {} : { name: pastedName(failures, taken) }
  patchTab(tabId, ({ request }) => ({ tabId, request: { ...request, ...named }, status: 'failures', failures }))
}
