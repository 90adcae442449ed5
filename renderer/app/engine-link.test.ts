import { beforeEach, expect, it, vi } from 'vitest'
import { engine } from '../data/engine-client.ts'
import { useCaptures } from '../state/captures.ts'
import { startEngineLink } from './engine-link.ts'
import { openCapture, reopen } from './open-captures.ts'

const listeners = new Map<string, (data: unknown) => void>()
const invoked: string[] = []
vi.stubGlobal('window', {
  addEventListener: () => undefined,
  tidemark: {
    on: (event: string, listener: (data: unknown) => void) => listeners.set(event, listener),
    invoke: (route: string) => {
      invoked.push(route)
      return Promise.resolve({ ok: true, value: {} })
    },
  },
})
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
const tab = () => useCaptures.getState().tabs[0]

beforeEach(() => useCaptures.setState({ tabs: [], activeTabId: undefined, engine: 'starting' }))

it('fails what loads when no engine follows by itself; Retry asks for one and waits for it', async () => {
  startEngineLink()
  openCapture({ token: 'a', name: 'a.pickle', folder: '', sizeBytes: 1 })
  expect(tab()?.status).toBe('loading')
  listeners.get('engine.stopped')?.({ reason: 'keeps failing', restarts: false })
  await settled()
  expect(tab()).toMatchObject({ status: 'failed', failure: { code: 'engine/crashed', message: 'keeps failing' } })
  expect(useCaptures.getState().engine).toBe('stopped')
  reopen(tab()?.tabId ?? -1)
  await settled()
  expect(invoked).toContain('engine.restart')
  expect(useCaptures.getState().engine).toBe('starting')
  expect(tab()?.status).toBe('loading')
  expect(engine.isGone).toBe(false)
})

it('keeps what waits for an engine that follows by itself', async () => {
  openCapture({ token: 'b', name: 'b.pickle', folder: '', sizeBytes: 1 })
  listeners.get('engine.stopped')?.({ reason: 'killed', restarts: true })
  await settled()
  expect(tab()?.status).toBe('loading')
  expect(useCaptures.getState().engine).toBe('starting')
})
