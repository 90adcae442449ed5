// Which files are open, kept outside the page: a page that died is loaded again and opens them itself.
import { z } from 'zod'
import { openFileSchema } from '../../preload/contract/shell.ts'
import { translate } from '../i18n/language.ts'
import { activeTab, type CaptureTab, useCaptures } from '../state/captures.ts'
import { sourcesOf, watchSources } from '../state/diagnosis-sources.ts'
import { showMessage } from '../state/shell.ts'
import { openCapture } from './open-captures.ts'

const key = 'tidemark.openFiles'
/** A page that dies again within this time may die of its files: they are not opened by themselves. */
const reopenOnceWithinMs = 60_000

/** A longer pasted text is not kept: the session storage takes a few million characters in all. */
const mostKeptText = 500_000

const requestSchema = openFileSchema.extend({
  isFolder: z.boolean().optional(),
  failures: z.object({ tokens: z.array(z.string()), text: z.string().nullable() }).optional(),
  sources: z.array(z.string()).optional(), // read with it
})
type KeptRequest = z.infer<typeof requestSchema>

const keptSchema = z.object({
  requests: z.array(requestSchema),
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
  const keepNow = () => keep(useCaptures.getState(), reopenedAtMs)
  useCaptures.subscribe(keepNow)
  watchSources(keepNow)
  if (lost.length === 0) return
  if (mayReopen) reopen(lost, kept?.front)
  else keepNow()
  showMessage(translate(mayReopen ? 'page.reopened' : 'page.closed', { count: lost.length }))
}

function reopen(requests: readonly KeptRequest[], front: string | undefined): void {
  for (const { sources, ...request } of requests) void openCapture(request, { sources, keepsTab: true })
  const { tabs, activate } = useCaptures.getState()
  activate(tabs.find(({ request }) => request.token === front)?.tabId ?? tabs.at(-1)?.tabId)
}

const canKeep = ({ request: { token, failures } }: CaptureTab): boolean => token !== '' && (failures?.text?.length ?? 0) <= mostKeptText

function keptRequest(tab: CaptureTab): KeptRequest {
  const { failures, ...request } = tab.request
  const sources = tab.status === 'ready' ? sourcesOf(tab.capture.captureId).filter(({ length }) => length <= mostKeptText) : []
  return {
    ...request,
    ...(failures ? { failures: { tokens: [...failures.tokens], text: failures.text } } : {}),
    ...(sources.length > 0 ? { sources: [...sources] } : {}),
  }
}

function keep(state: Pick<ReturnType<typeof useCaptures.getState>, 'tabs' | 'activeTabId'>, reopenedAtMs: number): void {
  const requests = state.tabs.filter(canKeep).map(keptRequest)
  const next: Kept = { requests, front: activeTab(state)?.request.token, reopenedAtMs }
  const text = JSON.stringify(next)
  try {
    if (text !== sessionStorage.getItem(key)) sessionStorage.setItem(key, text)
  } catch {
    // It is full of pasted texts: what was kept before stays.
  }
}
