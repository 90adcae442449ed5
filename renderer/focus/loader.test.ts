import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { ok } from '../../preload/contract/errors.ts'
import { engine } from '../data/engine-client.ts'
import { initialView } from '../state/initial-view.ts'
import { patchView, setView } from '../state/view-state.ts'
import { focusData } from './focus-data.ts'
import { startFocus } from './loader.ts'

const device = (index: number, eventCount: number) => ({ device: index, eventCount, peakEvent: 1, allocationCount: 1, ooms: [] })
const capture = { captureId: 'c', devices: [device(0, 10), device(1, 10), device(2, 0)] } as unknown as CaptureSummary

const answers: (() => void)[] = []
const span = (index: number) => ({ name: `of device ${index}`, startNs: 0, endNs: 1, startEvent: 0, endEvent: 1 })
const settle = async () => {
  for (const answer of answers.splice(0)) answer()
  await new Promise((resolve) => setTimeout(resolve))
}
const names = () =>
  focusData('c')
    .getState()
    .annotations.map(({ name }) => name)
let stop = () => {}

beforeEach(() => {
  vi.spyOn(engine, 'call').mockImplementation(((method: string, input: { device: number }) => {
    if (method !== 'timeline.annotations') return new Promise(() => {})
    return new Promise((resolve) => answers.push(() => resolve(ok({ spans: [span(input.device)], total: 1 }))))
  }) as never)
  setView('c', { ...initialView(capture), device: 0 })
  stop = startFocus(capture)
})
afterEach(() => {
  stop()
  setView('c', undefined)
  answers.length = 0
  vi.restoreAllMocks()
})

it('empties what belongs to the device before at once, and drops its late answers', async () => {
  await settle()
  expect(names()).toEqual(['of device 0'])
  patchView('c', { device: 1 })
  expect(names()).toEqual([])
  patchView('c', { device: 0 })
  await settle() // the answer for device 1
  expect(names()).toEqual([])
  await settle()
  expect(names()).toEqual(['of device 0'])
})

it('shows nothing for a device without events, and asks again for the one before', async () => {
  await settle()
  patchView('c', { device: 2 })
  await settle()
  expect(names()).toEqual([])
  patchView('c', { device: 0 })
  await settle()
  expect(names()).toEqual(['of device 0'])
})
