import { beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { initialView } from '../../state/initial-view.ts'
import { setView } from '../../state/view-state.ts'
import { selectSlice, stepBack } from './actions.ts'
import { rowsNow } from './assemble.ts'
import { layoutTrace } from './layout.ts'
import { chooseRow, currentRow, foldCurrent, pinCurrent } from './row-keys.ts'
import { deviceZero, sliceRow, tracks } from './test-answers.ts'
import { traceData } from './trace-data.ts'

vi.mock('../../widgets/announce.ts', () => ({ announce: vi.fn() }))

const capture = {
  captureId: 'r',
  trace: { processCount: 2, trackCount: 4, sliceCount: 9, instantCount: 2, seriesCount: 1 },
  durationNs: 1000,
  devices: [deviceZero, { ...deviceZero, device: -1, deviceType: 'cpu' }],
  findings: [],
} as unknown as CaptureSummary
const store = traceData('r')
const keys = () => rowsNow(capture)?.rows.map(({ key }) => key)
const pinned = () => rowsNow(capture)?.pinned.map(({ key }) => key)

/** The chosen row after so many rows down. */
function down(rows: number): string | undefined {
  for (let row = 0; row < rows; row++) chooseRow(capture, 1)
  return store.getState().chosenRow
}

beforeEach(() => {
  setView('r', initialView(capture))
  const look = {
    collapsed: [],
    pinned: undefined,
    scrollPx: 0,
    picked: undefined,
    selected: undefined,
    chosenRow: undefined,
    hoverRow: undefined,
  }
  store.setState({ tracks, layout: layoutTrace(1200, 300), ...look })
})

it('every row is reached by key, the pinned ones first, and stays where there is no other', () => {
  const all = [...(pinned() ?? []), ...(keys() ?? [])]
  expect(all.map(() => down(1))).toEqual(all)
  expect(down(1)).toBe(all.at(-1))
  chooseRow(capture, -1)
  expect(store.getState().chosenRow).toBe(all.at(-2))
})

it('a chosen row is scrolled to', () => {
  down(20)
  const { scrollPx, layout } = store.getState()
  const row = currentRow(capture)
  expect(scrollPx).toBeGreaterThan(0)
  expect((row?.yPx ?? 0) + (row?.heightPx ?? 0)).toBeLessThanOrEqual(scrollPx + (layout?.plot.heightPx ?? 0))
})

it('a process is folded and unfolded by key', () => {
  expect(down(3)).toBe('p0')
  foldCurrent(capture)
  expect(keys()).toEqual(['m-1', 'p0', 'p1', 't3'])
  foldCurrent(capture)
  expect(keys()).toContain('t0')
})

it('a row with nothing to fold folds its process, which is chosen then', () => {
  store.setState({ chosenRow: 't3' })
  foldCurrent(capture)
  expect(keys()).not.toContain('t3')
  expect(store.getState().chosenRow).toBe('p1')
})

it('memory is pinned and let go by key, a process is not', () => {
  expect(down(2)).toBe('m-1')
  pinCurrent(capture)
  expect(pinned()).toEqual(['m0', 'm-1'])
  pinCurrent(capture)
  expect(pinned()).toEqual(['m0'])
  store.setState({ chosenRow: 'p0' })
  pinCurrent(capture)
  expect(pinned()).toEqual(['m0'])
})

it('without a chosen row it is that of the selected slice, or of the process that it is folded into', () => {
  selectSlice(capture, sliceRow({ trackId: 0 }))
  expect(currentRow(capture)?.key).toBe('t0')
  store.setState({ collapsed: ['p0'] })
  expect(currentRow(capture)?.key).toBe('p0')
})

it('the choice goes with a new selection, and with the first step back', () => {
  down(1)
  selectSlice(capture, sliceRow())
  expect(store.getState().chosenRow).toBeUndefined()
  down(1)
  stepBack(capture)
  expect(store.getState().chosenRow).toBeUndefined()
  expect(currentRow(capture)?.key).toBe('t0')
})
