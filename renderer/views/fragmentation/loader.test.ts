import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok } from '../../../preload/contract/errors.ts'
import { engine } from '../../data/engine-client.ts'
import { initialView } from '../../state/initial-view.ts'
import { patchView, setView } from '../../state/view-state.ts'
import { fragmentationData } from './fragmentation-data.ts'
import { startLoader } from './loader.ts'
import { curves, device, report } from './test-answers.ts'

const capture = { captureId: 'f', hasTimes: true, devices: [device] } as unknown as CaptureSummary
const asked: { readonly method: string; readonly x0: number; readonly x1: number }[] = []
/** The loader waits for promises alone, and all of these go before the next timer. */
const settle = () => new Promise((resolve) => setTimeout(resolve))
/** Questions about the measures after one event each. */
const singles = () => asked.filter(({ method, x0, x1 }) => method === 'space.curves' && x1 - x0 === 1).map(({ x0 }) => x0)
let stop = () => {}

beforeEach(() => {
  asked.length = 0
  vi.spyOn(engine, 'call').mockImplementation(((method: string, input: { x0: number; x1: number }) => {
    asked.push({ method, x0: input.x0, x1: input.x1 })
    return Promise.resolve(ok(method === 'space.report' ? report : curves.data))
  }) as never)
  setView('f', initialView(capture))
  stop = startLoader(capture)
})
afterEach(() => {
  stop()
  setView('f', undefined)
  vi.restoreAllMocks()
})

it('asks for a range again that was selected, cleared and selected', async () => {
  const selectedRange = { x0: 2, x1: 6 }
  const ranged = () => fragmentationData('f').getState().ranged?.range
  for (let i = 0; i < 2; i++) {
    patchView('f', { selectedRange })
    await settle()
    expect(ranged()).toEqual(selectedRange)
    patchView('f', { selectedRange: undefined })
    await settle()
    expect(ranged()).toBeUndefined()
  }
})

it('asks for the key moments once, and with a moving cursor for its row alone', async () => {
  patchView('f', { showTable: true })
  await settle()
  expect(
    fragmentationData('f')
      .getState()
      .moments?.rows.map(({ event }) => event),
  ).toEqual([-1, 2, 6, 7])
  asked.length = 0
  patchView('f', { cursorEvent: 4 })
  await settle()
  expect(singles()).toEqual([4, 4]) // for the tiles, and for the table
  expect(
    fragmentationData('f')
      .getState()
      .cursorMoment?.rows.map(({ event }) => event),
  ).toEqual([4])
})
