import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Session } from '../../preload/contract/session.ts'
import { initialView } from '../state/initial-view.ts'
import { addNote, notesOf, setNotes } from '../state/notes.ts'
import { useShell } from '../state/shell.ts'
import { patchView, setView, viewOf } from '../state/view-state.ts'
import { followSession, loadSession, resetViews, saveSession, showSession, startSessions } from './sessions.ts'

const asked: { route: string; input: { key?: string; session?: Session } }[] = []
let kept: Session | null = null
const listeners: Record<string, () => void> = {}
vi.stubGlobal('window', {
  addEventListener: (name: string, listener: () => void) => {
    listeners[name] = listener
  },
  tidemark: {
    invoke: async (route: string, input: { session?: Session }) => {
      asked.push({ route, input })
      if (route === 'session.save') kept = JSON.parse(JSON.stringify(input.session)) as Session
      return { ok: true, value: route === 'session.load' ? { session: kept } : { saved: true } }
    },
  },
})

const key = '0123456789abcdef0123'
const captureOf = (captureId: string, fingerprint = `${key}${captureId.padStart(12, '0')}`): CaptureSummary =>
  ({
    captureId,
    fingerprint,
    trace: null,
    hasTimes: false,
    findings: [],
    devices: [{ device: 0, eventCount: 100 }],
  }) as unknown as CaptureSummary
const capture = captureOf('c')
const saves = () => asked.filter(({ route }) => route === 'session.save')

describe('sessions', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    startSessions({ looks: [], isOffered: () => true })
    useShell.setState(({ settings }) => ({ settings: { ...settings, keepSessions: true }, messages: [] }))
    asked.length = 0
    kept = null
    showSession(capture, undefined)
    followSession(capture)
  })
  afterEach(() => {
    setView('c', undefined)
    setView('d', undefined)
    vi.useRealTimers()
  })

  it('are saved once, a second after the last of several changes, and not for an opening alone', () => {
    vi.advanceTimersByTime(2000)
    expect(saves()).toEqual([])
    for (const x1 of [90, 80, 70]) {
      patchView('c', { visible: { x0: 0, x1 } })
      vi.advanceTimersByTime(500)
    }
    expect(saves()).toEqual([])
    addNote('c', { kind: 'range', device: 0, axis: 'event', x0: 5, x1: 6 }, 'here')
    vi.advanceTimersByTime(1000)
    expect(saves()).toHaveLength(1)
    expect(saves()[0]?.input).toMatchObject({ key, session: { view: { visible: { x0: 0, x1: 70 } }, notes: [{ text: 'here' }] } })
  })

  it('are saved at once when the tab closes or the page goes, where something waits', () => {
    patchView('c', { cursorEvent: 7 })
    listeners.pagehide?.()
    expect(saves().at(-1)?.input.session?.view).toMatchObject({ cursorEvent: 7 })
    patchView('c', { cursorEvent: 8 })
    setView('c', undefined)
    expect(saves().at(-1)?.input.session?.view).toMatchObject({ cursorEvent: 8 })
    vi.advanceTimersByTime(5000)
    expect(saves()).toHaveLength(2)
  })

  it('come back for the same contents under another name, with a message that leads to a fresh start', async () => {
    patchView('c', { cursorEvent: 7, filter: { text: 'linear' } })
    addNote('c', { kind: 'range', device: 0, axis: 'event', x0: 5, x1: 6 }, 'here')
    await saveSession(capture)
    const copy = captureOf('d')
    showSession(copy, await loadSession(copy))
    expect(viewOf('d')).toMatchObject({ cursorEvent: 7, filter: { text: 'linear' } })
    expect(notesOf('d')).toMatchObject([{ text: 'here' }])
    useShell.getState().messages.at(-1)?.action?.run()
    expect(viewOf('d')).toEqual(initialView(copy))
    expect(notesOf('d')).toHaveLength(1)
  })

  it('of nothing but the initial view are restored in silence', async () => {
    patchView('c', { cursorEvent: 7 })
    resetViews(capture)
    vi.advanceTimersByTime(1000)
    useShell.setState({ messages: [] })
    showSession(capture, await loadSession(capture))
    expect(useShell.getState().messages).toEqual([])
  })

  it('are neither saved nor loaded while they are switched off, nor for an index that names no contents', async () => {
    const stranger = captureOf('d', 'test')
    setNotes('d', [])
    showSession(stranger, await loadSession(stranger))
    followSession(stranger)
    patchView('d', { cursorEvent: 7 })
    useShell.setState(({ settings }) => ({ settings: { ...settings, keepSessions: false } }))
    patchView('c', { cursorEvent: 7 })
    vi.advanceTimersByTime(2000)
    await saveSession(capture)
    expect(await loadSession(capture)).toBeUndefined()
    expect(asked).toEqual([])
    expect(useShell.getState().messages.at(-1)?.text).toContain('settings')
  })
})
