import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askShell, onShell } from './bridge.ts'

let answer: unknown
const listeners = new Map<string, (data: unknown) => void>()

beforeEach(() => {
  listeners.clear()
  vi.stubGlobal('window', {
    tidemark: {
      invoke: () => Promise.resolve(answer),
      on: (event: string, listener: (data: unknown) => void) => listeners.set(event, listener),
    },
  })
})

describe('an answer of the main process', () => {
  it('is taken when it is what the contract says, without fields that it does not name', async () => {
    answer = { ok: true, value: { theme: 'dark', language: 'en', newer: 1 } }
    expect(await askShell('settings.get', {})).toEqual({ ok: true, value: { theme: 'dark', language: 'en', keepSessions: true } })
    answer = { ok: false, error: { code: 'export/write_failed', message: 'read-only' } }
    expect(await askShell('settings.get', {})).toEqual(answer)
  })

  it.each([
    [{ ok: true, value: { theme: 'purple' } }],
    [{ ok: true }],
    [{ ok: false, error: { code: 'no/such_code', message: '' } }],
    [null],
  ])('is a fault of ours when it is %j', async (wrong) => {
    answer = wrong
    expect(await askShell('settings.get', {})).toMatchObject({ ok: false, error: { code: 'engine/internal' } })
  })
})

describe('an event of the main process', () => {
  it('is heard when it is what the contract says, else reported', () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const heard: unknown[] = []
    onShell('engine.stopped', (data) => heard.push(data))
    listeners.get('engine.stopped')?.({ reason: 'killed', restarts: false })
    listeners.get('engine.stopped')?.({ reason: 'killed' })
    expect(heard).toEqual([{ reason: 'killed', restarts: false }])
    expect(report).toHaveBeenCalledOnce()
    report.mockRestore()
  })
})
