// What becomes of files that are no captures: logs and metrics go to snapshots, or become a table of failures; the rest says what it is not.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Failure } from '../../preload/contract/errors.ts'
import { engine } from '../data/engine-client.ts'
import { translate } from '../i18n/language.ts'
import { activeTab, captureOf, type OpenRequest, useCaptures } from '../state/captures.ts'
import { useShell } from '../state/shell.ts'
import { viewOf } from '../state/view-state.ts'
import { attachFiles } from './attach-sources.ts'
import { askFailures, failTab, loadInNewTab, loadTab, type Outcome, removeTab, tabById, type Undecided } from './load-tab.ts'

interface Diagnosed {
  readonly tabId: number
  readonly capture: CaptureSummary
}

/** The snapshot whose diagnosis is in front. */
export function diagnosedInFront(): Diagnosed | undefined {
  const tab = useShell.getState().showWelcome ? undefined : activeTab(useCaptures.getState())
  if (tab?.status !== 'ready' || tab.capture.kind !== 'torch_snapshot') return undefined
  return viewOf(tab.capture.captureId)?.view === 'diagnosis' ? { tabId: tab.tabId, capture: tab.capture } : undefined
}

/** Several folders, or files that are no captures, as one table of failures. */
export function openTogether(requests: readonly OpenRequest[]): OpenRequest {
  const [first] = requests
  if (!first) throw new RangeError('nothing to open')
  const tokens = requests.map(({ token }) => token)
  const name = requests.length === 1 ? first.name : translate('failures:several', { name: first.name, count: requests.length - 1 })
  return { ...first, name, token: tokens.join(' '), failures: { tokens, text: null } }
}

/** Decides what loads left open that were begun together. front: the capture whose diagnosis takes them, if no snapshot came with them and it is still open. */
export async function settle(outcomes: readonly Outcome[], front?: Diagnosed): Promise<void> {
  const undecided = outcomes.filter((outcome) => outcome.kind === 'undecided')
  if (undecided.length === 0) return
  const dropped = outcomes.flatMap((outcome) => (outcome.kind === 'capture' && outcome.capture.kind === 'torch_snapshot' ? [outcome] : []))
  const snapshots = (dropped.length === 0 && front ? [front] : dropped).filter(isOpen)
  if (snapshots.length > 0) await attachAll(undecided, snapshots)
  else await openAsFailures(undecided)
}

const isOpen = ({ capture }: Diagnosed): boolean => captureOf(capture.captureId) !== undefined

/** Attaches what is a log or metrics of the snapshots' runs; metrics of another run become a page of their own, and the rest shows why it is no capture. */
async function attachAll(undecided: readonly Undecided[], snapshots: readonly Diagnosed[]): Promise<void> {
  const read = await Promise.all(undecided.map(async (each) => ((await isOfUse(each)) ? [each] : [])))
  // Any tab may have been closed while they were read.
  const attached = read.flat().filter(({ tabId }) => tabById(tabId))
  const open = snapshots.filter(isOpen)
  const [target] = open
  if (attached.length === 0) return
  if (!target) return openAsFailures(attached)
  const { activeTabId } = useCaptures.getState()
  for (const { tabId } of attached) removeTab(tabId)
  if (attached.some(({ tabId }) => tabId === activeTabId)) useCaptures.getState().activate(target.tabId)
  const foreign = await attachFiles(
    open.map(({ capture }) => capture),
    attached.map(({ request }) => request),
  )
  for (const request of foreign) void loadInNewTab(openTogether([request]))
}

async function isOfUse({ tabId, request, failure, signal }: Undecided): Promise<boolean> {
  const answer = await askFailures(tabId, { tokens: [request.token], text: null }, signal)
  if (answer.ok) void engine.call('failures.close', { failuresId: answer.value.failuresId })
  else showWhyNot(tabId, answer.error, failure)
  return answer.ok
}

/** One table for all of them, in the tab of the first. */
async function openAsFailures(undecided: readonly Undecided[]): Promise<void> {
  const open = undecided.filter(({ tabId }) => tabById(tabId))
  const [lead, ...others] = open
  if (!lead) return
  const together = openTogether(open.map(({ request }) => request))
  await loadTab(lead.tabId, together)
  const shown = tabById(lead.tabId)
  if (shown?.status === 'failed') for (const each of open) showWhyNot(each.tabId, shown.failure, each.failure, each.request)
  else for (const { tabId } of others) removeTab(tabId)
}

/** Why a file shows nothing: what it is not counts, where the engine found nothing of use in it. */
function showWhyNot(tabId: number, asked: Failure, failure: Failure, request?: OpenRequest): void {
  if (asked.code === 'query/cancelled') removeTab(tabId)
  else failTab(tabId, asked.code === 'file/unknown_format' ? failure : asked)
  if (request) useCaptures.getState().patchTab(tabId, (tab) => ({ ...tab, request }))
}
