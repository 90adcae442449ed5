import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { initialView } from '../../state/initial-view.ts'
import { setView, viewOf } from '../../state/view-state.ts'
import { selectSlice } from './actions.ts'
import { layoutTrace } from './layout.ts'
import { selectAcross, selectInLane } from './steps.ts'
import { sliceRow, tracks } from './test-answers.ts'
import { traceData } from './trace-data.ts'

const capture = {
  captureId: 'c',
  trace: { processCount: 2, trackCount: 4, sliceCount: 9, instantCount: 2, seriesCount: 1 },
  durationNs: 1_000_000,
  devices: [],
  findings: [],
} as unknown as CaptureSummary

/** Lane 0 holds long slices, lane 1 many short ones with gaps of very different length, some touching; lane 3 a single one. */
const starts = [0, 10, 12, 13, 500, 501, 90_000, 90_010, 990_000]
const lane = (laneId: number, trackId: number, times: readonly (readonly [number, number])[], firstId: number): SliceRow[] =>
  times.map(([startNs, durNs], index) => sliceRow({ sliceId: firstId + index, trackId, laneId, depth: laneId, startNs, durNs }))
const slices = [
  ...lane(
    0,
    0,
    [
      [0, 2000],
      [80_000, 20_000],
    ] as const,
    1,
  ),
  ...lane(
    1,
    0,
    starts.map((start) => [start, 1] as const),
    100,
  ),
  ...lane(3, 3, [[600_000, 5]] as const, 300),
]

/** What the native library answers: the slice there, else the nearest within the tolerance. */
function pick(laneId: number, timeNs: number, toleranceNs: number): SliceRow | null {
  const distance = ({ startNs, durNs }: SliceRow) => Math.max(0, startNs - timeNs, timeNs - (startNs + durNs - 1))
  const near = slices.filter((slice) => slice.laneId === laneId && distance(slice) <= toleranceNs)
  return near.toSorted((a, b) => distance(a) - distance(b) || a.startNs - b.startNs)[0] ?? null
}

beforeEach(() => {
  setView('c', initialView(capture))
  traceData('c').setState({ tracks, layout: layoutTrace(1200, 600) })
  vi.spyOn(engine, 'call').mockImplementation(((method: string, input: { laneId: number; timeNs: number; toleranceNs: number }) => {
    if (method !== 'trace.pick') throw new Error(method)
    return Promise.resolve({ ok: true, value: { slice: pick(input.laneId, input.timeNs, input.toleranceNs) } })
  }) as never)
})
afterEach(() => vi.restoreAllMocks())

const selected = () => viewOf('c')?.selectedSlice

it('walks along a lane slice by slice, leaving none out, and stops at its ends', async () => {
  selectSlice(
    capture,
    slices.find(({ sliceId }) => sliceId === 100),
  )
  const seen: (number | undefined)[] = [selected()]
  for (let step = 0; step < starts.length; step++) {
    await selectInLane(capture, 1)
    seen.push(selected())
  }
  expect(seen).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 108])
  const back: (number | undefined)[] = []
  for (let step = 0; step < starts.length; step++) {
    await selectInLane(capture, -1)
    back.push(selected())
  }
  expect(back).toEqual([107, 106, 105, 104, 103, 102, 101, 100, 100])
})

it('goes down to the first child, and where there is none to the nearest slice of the lanes below', async () => {
  selectSlice(capture, slices[0])
  await selectAcross(capture, 1)
  expect(selected()).toBe(100)
  await selectAcross(capture, 1)
  expect(selected()).toBe(300)
  await selectAcross(capture, -1)
  expect(selected()).not.toBe(300)
})

it('begins with the topmost slice in sight', async () => {
  await selectInLane(capture, 1)
  expect(slices.find(({ sliceId }) => sliceId === selected())?.laneId).toBe(0)
})
