// A session as a file: saved for colleagues, and shown on the capture of the same contents when it is open.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { sessionFileEnd, sessionKeyOf } from '../../preload/contract/session.ts'
import type { ShellEventData } from '../../preload/contract/shell.ts'
import { noteText as t } from '../i18n/part-texts.ts'
import { failureSentence } from '../i18n/texts.ts'
import { useCaptures } from '../state/captures.ts'
import { notesOf } from '../state/notes.ts'
import { showMessage } from '../state/shell.ts'
import { askShell, onShell } from './bridge.ts'
import { showTab } from './open-captures.ts'
import { baseName, tellSaved } from './save-table.ts'
import { sessionNow, showSession } from './sessions.ts'

/** Asks where to write the session of a capture, and says how it went. */
export async function saveSessionAs(capture: CaptureSummary): Promise<void> {
  const key = sessionKeyOf(capture.fingerprint)
  const session = sessionNow(capture)
  if (key === undefined || !session) return showMessage(t('session.noContents'), 'error')
  const document = { kind: 'tidemark-session' as const, sourceName: capture.sourceName, key, session }
  const saved = await askShell('session.saveAs', { suggestedName: `${baseName(capture)}${sessionFileEnd}`, document })
  tellSaved(saved)
}

/** Shows the session of a file on its capture, whose own notes stay; else says which capture it belongs to. */
function show({ name, document }: ShellEventData<'session.opened'>): void {
  const key = document?.key
  const tab = useCaptures.getState().tabs.find((each) => each.status === 'ready' && sessionKeyOf(each.capture.fingerprint) === key)
  if (!document) showMessage(t('session.notASession', { name }), 'error')
  else if (tab?.status !== 'ready') showMessage(t('session.belongsTo', { name: document.sourceName, key: document.key }), 'error')
  else {
    showTab(tab.tabId)
    showSession(tab.capture, { ...document.session, notes: [...notesOf(tab.capture.captureId), ...document.session.notes] })
  }
}

/** Asks for the file of a session and shows it. */
export async function openSession(): Promise<void> {
  const answer = await askShell('session.openFile', {})
  if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
  const { name, document } = answer.value
  if (name !== null) show({ name, document })
}

/** Shows the sessions that are dropped on the window. */
export function startSessionFiles(): void {
  onShell('session.opened', show)
}
