import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { initialView } from '../../state/initial-view.ts'
import { setView } from '../../state/view-state.ts'
import { placeInSearch, searchFor, searchName } from './search.ts'
import { traceData } from './trace-data.ts'

const capture = { captureId: 's', trace: {}, durationNs: 1000, devices: [], findings: [] } as unknown as CaptureSummary
const name = { nameId: 7, text: 'aten::mm', count: 4, totalNs: 9 }

const answers = (value: unknown) => vi.spyOn(engine, 'call').mockResolvedValue({ ok: true, value } as never)
const found = () => traceData('s').getState().search

beforeEach(() => {
  setView('s', initialView(capture))
  traceData('s').setState({ search: undefined })
})
afterEach(() => vi.restoreAllMocks())

it('counts the slices of all names found, and how many names were left out', async () => {
  answers({ count: 3, slices: 60, names: [name] })
  expect(await searchFor(capture, 'mm')).toBe(true)
  expect(found()).toEqual({ text: 'mm', names: [7], sliceCount: 60, leftOut: 2 })
})

it('tells no place among slices of which some were left out', async () => {
  const call = answers({ count: 3, slices: 60, names: [name] })
  await searchFor(capture, 'mm')
  call.mockClear()
  const { signal } = new AbortController()
  expect(await placeInSearch(capture, { sliceId: 1, startNs: 5 }, { fromNs: 0, toNs: 1000 }, signal)).toBeUndefined()
  expect(call).not.toHaveBeenCalled()
})

it('counts the slices of one name in the whole trace', async () => {
  const call = answers({ rows: [], total: 12 })
  await searchName(capture, 'aten::mm', 7)
  expect(call.mock.calls[0]?.[1]).toMatchObject({ names: [7], tracks: null, fromNs: -1, toNs: 1001 })
  expect(found()).toEqual({ text: 'aten::mm', names: [7], sliceCount: 12, isExact: true })
})
