import { beforeEach, describe, expect, it } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { chooseDevice, initialView } from '../../state/initial-view.ts'
import { patchView, setView, viewOf } from '../../state/view-state.ts'
import * as actions from './actions.ts'
import { areaNow, rowsNow } from './assemble.ts'
import { layoutTrace } from './layout.ts'
import { deviceZero, sliceRow, tracks } from './test-answers.ts'
import { traceData } from './trace-data.ts'

const capture = {
  captureId: 'a',
  trace: { processCount: 2, trackCount: 4, sliceCount: 9, instantCount: 2, seriesCount: 1 },
  durationNs: 1000,
  devices: [deviceZero, { ...deviceZero, device: -1, deviceType: 'cpu' }],
  findings: [],
} as unknown as CaptureSummary

const store = traceData('a')
const view = () => {
  const now = viewOf('a')
  if (!now) throw new Error('no view')
  return now
}
const keys = () => rowsNow(capture)?.rows.map(({ key }) => key)
const pinned = () => rowsNow(capture)?.pinned.map(({ key }) => key)

beforeEach(() => {
  setView('a', initialView(capture))
  store.setState({
    tracks,
    layout: layoutTrace(1200, 300),
    collapsed: [],
    pinned: undefined,
    area: undefined,
    search: undefined,
    scrollPx: 0,
    picked: undefined,
  })
})

describe('a trace that was just opened', () => {
  it('is shown in the trace view, over time, from its start to its end', () => {
    expect(view()).toMatchObject({ view: 'trace', axis: 'time', full: { x0: 0, x1: 1000 }, visible: { x0: 0, x1: 1000 } })
    expect(pinned()).toEqual(['m0'])
  })

  it('has a view also without a device', () => {
    expect(initialView({ ...capture, devices: [] })).toMatchObject({ view: 'trace', full: { x0: 0, x1: 1000 } })
  })

  it('keeps what is in sight and its range when another device is chosen', () => {
    patchView('a', { visible: { x0: 100, x1: 200 }, selectedRange: { x0: 120, x1: 130 }, selectedSlice: 2 })
    chooseDevice(capture, -1, 'time')
    expect(view()).toMatchObject({ device: -1, visible: { x0: 100, x1: 200 }, selectedRange: { x0: 120, x1: 130 }, selectedSlice: 2 })
    expect(pinned()).toEqual(['m-1'])
  })
})

describe('rows', () => {
  it('are pinned and let go, the memory of the device in view among them', () => {
    actions.togglePinned(capture, 't3')
    expect(pinned()).toEqual(['m0', 't3'])
    actions.togglePinned(capture, 'm0')
    expect(pinned()).toEqual(['t3'])
  })

  it('are folded one by one, and all at once to their first lanes', () => {
    actions.toggleFolded(capture, 'p0')
    expect(keys()).toEqual(['m-1', 'p0', 'p1', 't3'])
    actions.toggleAllFolded(capture)
    expect(keys()).toContain('t0')
    actions.toggleAllFolded(capture)
    expect(store.getState().collapsed).toEqual(['t0'])
  })

  it('are unfolded and scrolled to when a slice in them is shown', async () => {
    store.setState({ collapsed: ['p0', 't0'] })
    await actions.goToSlice(capture, sliceRow({ laneId: 2 }))
    expect(store.getState().collapsed).toEqual([])
    const row = rowsNow(capture)?.byKey.get('t0')
    const { scrollPx, layout } = store.getState()
    const top = (row?.yPx ?? 0) + 38
    expect(top).toBeGreaterThanOrEqual(scrollPx)
    expect(top + 18).toBeLessThanOrEqual(scrollPx + (layout?.plot.heightPx ?? 0) - 48)
  })

  it('move by no more than there is', () => {
    actions.scrollBy(capture, 1e9)
    const end = store.getState().scrollPx
    actions.scrollBy(capture, 50)
    expect(store.getState().scrollPx).toBe(end)
    actions.scroll(capture, -5)
    expect(store.getState().scrollPx).toBe(0)
  })
})

describe('areas', () => {
  it('keep their tracks when an end of them is moved by key', () => {
    patchView('a', { visible: { x0: 100, x1: 200 } }) // a step is a hundredth of it
    actions.selectArea(capture, { x0: 100, x1: 180 }, ['t0'])
    actions.extendArea(capture, 1)
    expect(view().selectedRange).toEqual({ x0: 100, x1: 181 })
    actions.extendArea(capture, -1)
    expect(view().selectedRange).toEqual({ x0: 99, x1: 181 })
    expect(actions.areaTracks(capture)).toEqual([0])
  })

  it('are of all tracks when they begin by key', () => {
    patchView('a', { visible: { x0: 100, x1: 200 } })
    actions.extendArea(capture, 1)
    expect(view().selectedRange).toEqual({ x0: 150, x1: 151 })
    expect(actions.areaTracks(capture)).toBeNull()
  })

  it('lie inside the trace and are of the tracks of their rows', () => {
    actions.selectArea(capture, { x0: -50, x1: 400 }, ['t0', 'c5', 'm0'])
    expect(view().selectedRange).toEqual({ x0: 0, x1: 400 })
    expect(actions.areaTracks(capture)).toEqual([0, 2])
  })

  it('of a folded process are of all its tracks', () => {
    actions.selectArea(capture, { x0: 0, x1: 10 }, ['p1'])
    expect(actions.areaTracks(capture)).toEqual([3])
  })

  it('are of all tracks without rows, and when the range was selected elsewhere', () => {
    expect(actions.areaTracks(capture)).toBeUndefined()
    actions.selectArea(capture, { x0: 0, x1: 10 }, ['t0'])
    patchView('a', { selectedRange: { x0: 5, x1: 10 } })
    expect(actions.areaTracks(capture)).toBeNull()
    expect(areaNow(view(), store.getState())).toBeUndefined()
  })
})

describe('one step back', () => {
  it('takes away search, range and slice in this order', () => {
    actions.selectArea(capture, { x0: 0, x1: 10 }, undefined)
    actions.selectSlice(capture, sliceRow())
    actions.setSearch(capture, { text: 'mm', names: [11], sliceCount: 4 })
    const state = () => [store.getState().search !== undefined, view().selectedRange !== undefined, view().selectedSlice !== undefined]
    expect(state()).toEqual([true, true, true])
    const seen = [1, 2, 3].map(() => {
      actions.stepBack(capture)
      return state()
    })
    expect(seen).toEqual([
      [false, true, true],
      [false, false, true],
      [false, false, false],
    ])
    expect(actions.canStepBack(capture)).toBe(false)
  })
})

it('tells the time of the selected slice', () => {
  expect(actions.sliceRange(capture)).toBeUndefined()
  actions.selectSlice(capture, sliceRow({ startNs: 100, durNs: 50 }))
  expect(actions.sliceRange(capture)).toEqual({ x0: 100, x1: 150 })
})

it('zooms to the selected slice, and the second time to everything', () => {
  actions.selectSlice(capture, sliceRow({ startNs: 400, durNs: 100 }))
  actions.focusSelected(capture)
  expect(view().visible).toEqual({ x0: 385, x1: 515 })
  actions.focusSelected(capture)
  expect(view().visible).toEqual(view().full)
})
