// Sessions: how a capture is looked at and its notes come back when the same bytes are opened again, wherever they lie. Saved by itself
// shortly after a change, by the main process; two tabs of the same contents overwrite each other's.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type Session, sessionKeyOf } from '../../preload/contract/session.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { noteText as t } from '../i18n/part-texts.ts'
import { initialView } from '../state/initial-view.ts'
import { noteStates, readNotes, setNotes } from '../state/notes.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { patchView, setView, type ViewState, viewOf, viewStates } from '../state/view-state.ts'
import { askShell } from './bridge.ts'
import { type NamedLooks, sessionOf, viewOfSession } from './session-document.ts'

const restMs = 1000

/** What sessions need to know of the window's views. */
interface Views {
  readonly looks: NamedLooks
  readonly isOffered: (id: ViewId, capture: CaptureSummary) => boolean
}

let views: Views = { looks: [], isOffered: () => true }

interface Followed {
  readonly stop: () => void
  /** Saves now; what is said of the view is how it was last. Answers whether it was saved. */
  readonly save: () => Promise<boolean>
  /** Saves what still waits for its time. */
  readonly flush: () => void
}

const followed = new Map<string, Followed>()

const isKept = (): boolean => useShell.getState().settings.keepSessions

/** What is kept about a capture, if anything. */
export async function loadSession({ fingerprint }: Pick<CaptureSummary, 'fingerprint'>): Promise<Session | undefined> {
  const key = sessionKeyOf(fingerprint)
  if (key === undefined || !isKept()) return undefined
  const answer = await askShell('session.load', { key })
  return answer.ok ? (answer.value.session ?? undefined) : undefined
}

/** Shows a capture that was just opened as its session says, and tells so; as at first without one. */
export function showSession(capture: CaptureSummary, session: Session | undefined): void {
  const { captureId } = capture
  const initial = initialView(capture)
  const notes = readNotes(session?.notes ?? [])
  setNotes(captureId, notes)
  for (const [name, look] of views.looks) look.restore(captureId, session?.looks[name])
  const view = session ? viewOfSession(capture, session, (id) => views.isOffered(id, capture)) : initial
  setView(captureId, view)
  const isOther = JSON.stringify(sessionOf(captureId, view, views.looks)) !== JSON.stringify(sessionOf(captureId, initial, []))
  if (session && isOther) showMessage(t('session.restored'), 'info', { label: t('session.reset'), run: () => resetViews(capture) })
}

/** Looks at a capture as at first; its notes stay. The view history leads back. */
export function resetViews(capture: CaptureSummary): void {
  for (const [, look] of views.looks) look.reset(capture.captureId)
  patchView(capture.captureId, initialView(capture))
}

/** Saves the session of a capture from now on, shortly after each change, until its view is gone. */
export function followSession({ captureId, fingerprint }: CaptureSummary): void {
  const key = sessionKeyOf(fingerprint)
  if (key === undefined) return
  followed.get(captureId)?.stop()
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = async (view: ViewState | undefined): Promise<boolean> => {
    clearTimeout(timer)
    timer = undefined
    if (!view || !isKept()) return false
    const answer = await askShell('session.save', { key, session: sessionOf(captureId, view, views.looks) })
    return answer.ok && answer.value.saved
  }
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(viewOf(captureId)), restMs)
  }
  const flush = (view = viewOf(captureId)) => {
    if (timer !== undefined) void save(view)
  }
  const ended = (last: ViewState | undefined) => {
    flush(last)
    stop()
  }
  const stops = [
    viewStates.subscribe(({ byCapture: { [captureId]: view } }, { byCapture: { [captureId]: old } }) => {
      if (!view) ended(old)
      else if (view !== old) changed()
    }),
    noteStates(captureId).subscribe(({ notes }, old) => notes !== old.notes && changed()),
    ...views.looks.map(([, look]) => look.follow(captureId, changed)),
  ]
  const stop = () => {
    clearTimeout(timer)
    for (const each of stops) each()
    followed.delete(captureId)
  }
  followed.set(captureId, { stop, save: () => save(viewOf(captureId)), flush: () => flush() })
}

/** How a capture is looked at now, and its notes. */
export function sessionNow({ captureId }: CaptureSummary): Session | undefined {
  const view = viewOf(captureId)
  return view && sessionOf(captureId, view, views.looks)
}

/** Saves the session of a capture and says how it went. */
export async function saveSession({ captureId }: CaptureSummary): Promise<void> {
  if (!isKept()) return showMessage(t('session.off'), 'info')
  const isSaved = (await followed.get(captureId)?.save()) ?? false
  showMessage(isSaved ? t('session.saved') : t('session.notSaved'), isSaved ? 'info' : 'error')
}

/** Forgets the sessions of all captures. Those that are open are kept again with their next change. */
export async function forgetSessions(): Promise<void> {
  const answer = await askShell('session.clear', {})
  showMessage(answer.ok ? t('session.forgotten') : t('session.notForgotten'), answer.ok ? 'info' : 'error')
}

/** From now on sessions tell of these views too; what still waits is saved when the page goes. */
export function startSessions(known: Views): void {
  views = known
  window.addEventListener('pagehide', () => {
    for (const { flush } of followed.values()) flush()
  })
}
