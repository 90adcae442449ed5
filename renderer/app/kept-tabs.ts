// Which files are open, kept outside the page: a page that died is loaded again and opens them itself.
import { z } from 'zod'
import { shellEvents } from '../../preload/contract/shell.ts'
import { translate } from '../i18n/language.ts'
import { activeTab, type OpenRequest, useCaptures } from '../state/captures.ts'
import { showMessage } from '../state/shell.ts'
import { openCapture } from './open-captures.ts'

const key = 'tidemark.openFiles'
/** A page that dies again within this time may die of its files: they are not opened by themselves. */
const reopenOnceWithinMs = 60_000

const keptSchema = z.object({
  requests: z.array(shellEvents['open.requested']),
  front: z.string().optional(), // token of the tab in front
  reopenedAtMs: z.number(), // Unix time at which this was done last
})

type Kept = z.infer<typeof keptSchema>

function read(): Kept | undefined {
  try {
    return keptSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
  } catch {
    return undefined
  }
}

/** Opens again what was open when the page died, once in a while, and keeps track of what is open from now on. The session ends with the window. */
export function startKeptTabs(): void {
  const kept = read()
  const mayReopen = Date.now() - (kept?.reopenedAtMs ?? 0) > reopenOnceWithinMs
  const lost = kept?.requests ?? []
  const reopenedAtMs = lost.length > 0 ? Date.now() : (kept?.reopenedAtMs ?? 0)
  useCaptures.subscribe((state) => keep(state, reopenedAtMs))
  if (lost.length === 0) return
  if (mayReopen) reopen(lost, kept?.front)
  else keep(useCaptures.getState(), reopenedAtMs)
  showMessage(translate(mayReopen ? 'page.reopened' : 'page.closed', { count: lost.length }))
}

function reopen(requests: readonly OpenRequest[], front: string | undefined): void {
  for (const request of requests) openCapture(request)
  const { tabs, activate } = useCaptures.getState()
  activate(tabs.find(({ request }) => request.token === front)?.tabId ?? tabs.at(-1)?.tabId)
}

function keep(state: Pick<ReturnType<typeof useCaptures.getState>, 'tabs' | 'activeTabId'>, reopenedAtMs: number): void {
  const requests = state.tabs.map((tab) => tab.request).filter(({ token }) => token !== '')
  const next: Kept = { requests, front: activeTab(state)?.request.token, reopenedAtMs }
  const text = JSON.stringify(next)
  if (text !== sessionStorage.getItem(key)) sessionStorage.setItem(key, text)
}
