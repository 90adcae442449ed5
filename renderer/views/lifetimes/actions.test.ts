import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { initialView } from '../../state/initial-view.ts'
import { noFilter, patchView, setView, viewOf } from '../../state/view-state.ts'
import { pickAt, setOrder } from './actions.ts'
import { askPage } from './list-rows.ts'

const capture = { captureId: 'c', devices: [] } as unknown as CaptureSummary

beforeEach(() => setView('c', initialView(capture)))
afterEach(() => {
  vi.restoreAllMocks()
  setOrder(capture, 'address_sqrt')
  setView('c', undefined)
})

describe('an answer about what lies at a place', () => {
  /** The engine's answer comes after `meanwhile`. */
  function pickWhile(meanwhile: () => void): Promise<boolean | undefined> {
    vi.spyOn(engine, 'latest').mockImplementation(() => {
      meanwhile()
      return Promise.resolve({ ok: true, value: { allocation: { allocationId: 7 } } } as never)
    })
    return pickAt(capture, 1, 2)
  }

  it('selects it', async () => {
    expect(await pickWhile(() => undefined)).toBe(true)
    expect(viewOf('c')?.selectedAllocation).toBe(7)
  })

  it('selects nothing once device, axis or rows are others', async () => {
    const changes = [
      () => patchView('c', { device: 1 }),
      () => patchView('c', { axis: 'time' }),
      () => setOrder(capture, 'stack'),
      () => setView('c', undefined),
    ]
    for (const change of changes) {
      setView('c', initialView(capture))
      setOrder(capture, 'address_sqrt')
      expect(await pickWhile(change)).toBeUndefined()
      expect(viewOf('c')?.selectedAllocation).toBeUndefined()
    }
  })
})

describe('a page of a list', () => {
  it('is asked with the filter of its question, whatever the filter is by now', async () => {
    const call = vi.spyOn(engine, 'call').mockResolvedValue({ ok: false, error: {} } as never)
    const range = { x0: 0, x1: 1 }
    const place = { captureId: 'c', device: 0, axis: 'event', order: 'address', range, y: { y0: 0, y1: 1 }, fold: undefined } as const
    patchView('c', { filter: { ...noFilter, neverFreed: true } })
    await askPage({ place, filter: { text: '', minBytes: 512 }, sort: 'area' }, 0, 10)
    expect(call.mock.calls[0]?.[1]).toMatchObject({ filter: '{"min_bytes":512}', sort: 'area' })
  })
})
