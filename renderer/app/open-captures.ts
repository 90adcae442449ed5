// Opening, closing and reopening tabs: of captures and of tables of failures.
import type { FailureRow } from '../../preload/contract/diagnosis.ts'
import type { Failure } from '../../preload/contract/errors.ts'
import { engine } from '../data/engine-client.ts'
import { type CaptureTab, type OpenRequest, useCaptures } from '../state/captures.ts'
import { attachSources, takeSources } from '../state/diagnosis-sources.ts'
import { dismissErrors, useShell } from '../state/shell.ts'
import { patchView, setView } from '../state/view-state.ts'
import { askShell } from './bridge.ts'
import { diagnosedInFront, openTogether, settle } from './decide-files.ts'
import {
  addFailedTab,
  failTab,
  type LoadOptions,
  loadIn,
  loadInNewTab,
  loadTab,
  type Outcome,
  removeTab,
  tabById,
  takeKept,
  takeView,
} from './load-tab.ts'
import { filesOfRow } from './row-files.ts'

// How often the engine died while a tab showed what it knew. Once is bad luck and repaired silently; then the user decides.
const crashes = new Map<number, number>()

export interface OpenedFiles {
  readonly files: readonly OpenRequest[]
  /** The user handed them to the window: a log may go to the diagnosis in front. */
  readonly mayAttach: boolean
}

/** Opens what came in together: captures in a tab each, logs and metrics with the snapshots among them, else as a table of failures, as folders are. */
export async function openFiles({ files, mayAttach }: OpenedFiles): Promise<void> {
  const front = mayAttach ? diagnosedInFront() : undefined
  const folders = files.filter(({ isFolder }) => isFolder)
  if (folders.length > 0) openRequest(openTogether(folders))
  await settle(await Promise.all(files.filter(({ isFolder }) => !isFolder).map((file) => openRequest(file))), front)
}

/** Opens one file that the user chose; one that is already open comes to the front. */
export const openCapture = (request: OpenRequest, options: LoadOptions = {}): Promise<void> =>
  openRequest(request, options).then((outcome) => settle([outcome]))

/** Opens a pasted text as a table of failures. */
export const openText = (request: OpenRequest): void => void openRequest(request)

/** Opens the snapshot of a row, in its diagnosis. */
export function openRow(row: FailureRow): void {
  const files = filesOfRow(row)
  if (files) void openCapture(files.request, files.options)
}

/** In a tab of its own, or the one that has it. */
function openRequest(request: OpenRequest, options: LoadOptions = {}): Promise<Outcome> {
  const open = useCaptures.getState().tabs.find((tab) => tab.request.token === request.token)
  if (!open) return loadInNewTab(request, options)
  showTab(open.tabId)
  if (open.status === 'failed') reopen(open.tabId)
  else if (open.status === 'ready') {
    const { capture, tabId } = open
    attachSources(capture.captureId, options.sources ?? [])
    if (options.view) patchView(capture.captureId, { view: options.view })
    return Promise.resolve({ kind: 'capture', tabId, capture })
  }
  return captureOnly(loadIn(open.tabId))
}

/** Whoever began a load decides what is not a capture. */
async function captureOnly(load: Promise<Outcome> | undefined): Promise<Outcome> {
  const outcome = await load
  return outcome?.kind === 'capture' ? outcome : { kind: 'ended' }
}

/** Shows a failure in a tab of its own: a file that the main process could not even offer. */
export const showRefused = (name: string, failure: Failure): void => addFailedTab(name, failure)

/** Brings a tab to the front, also from behind the welcome page. */
export function showTab(tabId: number): void {
  if (tabId !== useCaptures.getState().activeTabId) dismissErrors()
  useShell.setState({ showWelcome: false })
  useCaptures.getState().activate(tabId)
}

/** Tries a failed file again, or makes the index of an open one anew. */
export function reopen(tabId: number, rebuild = false): void {
  const tab = tabById(tabId)
  if (!tab || tab.request.token === '' || tab.status === 'loading') return
  if (engine.isGone) void restartEngine()
  crashes.delete(tabId)
  const kept = takeView(tab) ?? takeKept(tabId)
  letGo(tab)
  void loadTab(tabId, tab.request, { rebuild, kept }).then((outcome) => settle([outcome]))
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

/** The engine no longer needs to hold what a tab shows. */
function letGo(tab: CaptureTab): void {
  if (tab.status === 'ready') void engine.call('capture.close', { captureId: tab.capture.captureId })
  if (tab.status === 'failures') void engine.call('failures.close', { failuresId: tab.failures.failuresId })
}

/** Closes a tab; a running load is cancelled. The tab to the right comes to the front, else the one to the left. */
export function closeTab(tabId: number): void {
  const tab = tabById(tabId)
  if (!tab) return
  if (tab.status === 'loading') tab.cancel()
  if (tab.status === 'ready') {
    setView(tab.capture.captureId, undefined)
    takeSources(tab.capture.captureId)
  }
  letGo(tab)
  crashes.delete(tabId)
  removeTab(tabId)
}

const isOpen = ({ status }: CaptureTab): boolean => status === 'ready' || status === 'failures'

/** Remembers that the engine died while tabs showed what it knew. */
export function countCrash(): void {
  for (const tab of useCaptures.getState().tabs) if (isOpen(tab)) crashes.set(tab.tabId, (crashes.get(tab.tabId) ?? 0) + 1)
}

/** Shows in every open tab that the engine is gone for good; its view comes back with it. Loads fail by their own calls. */
export function failOpen(reason: string): void {
  for (const tab of useCaptures.getState().tabs)
    if (isOpen(tab)) failTab(tab.tabId, { code: 'engine/crashed', message: reason }, takeView(tab))
}

/** Opens again what was open when the engine died: each tab once, then it shows the failure and asks. */
export function reopenAfterCrash(reason: string): boolean {
  let reopened = false
  // All views are taken before any capture is opened: a new engine may give an old id to another capture.
  const open = useCaptures.getState().tabs.map((tab) => ({ tab, kept: takeView(tab) }))
  for (const { tab, kept } of open) {
    if (!isOpen(tab)) continue
    if ((crashes.get(tab.tabId) ?? 0) > 1) failTab(tab.tabId, { code: 'engine/crashed', message: reason }, kept)
    else {
      reopened = true
      void loadTab(tab.tabId, tab.request, { kept, keepsTab: true })
    }
  }
  return reopened
}
