// What tables are about.
import { describe, expect, it } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { eventRangeQuestion, eventsOf, questionsOf } from './table-questions.ts'

const capture = { captureId: 'c' } as CaptureSummary
const selected = questionsOf(capture, { range: { x0: 10, x1: 20 }, tracks: [3], isSelected: true })
const inSight = questionsOf(
  capture,
  { range: { x0: 0, x1: 90 }, tracks: null, isSelected: false },
  { text: 'mm', names: [7], sliceCount: 4 },
)
const change = {
  device: 1,
  fromEvent: 5,
  toEvent: 9,
  peakBytes: 0,
  peakEvent: 6,
  allocatedBytes: 0,
  allocatedCount: 0,
  freedBytes: 0,
  freedCount: 0,
  netBytes: 0,
}
const device = { device: 1, eventCount: 100 }

describe('tables', () => {
  it('are about the selected tracks and range, all names without a search', () => {
    expect(selected.slices).toEqual({ captureId: 'c', tracks: [3], names: null, fromNs: 10, toNs: 20 })
  })

  it('are about all tracks in sight and the names that a search has found', () => {
    expect(inSight.slices).toEqual({ captureId: 'c', tracks: null, names: [7], fromNs: 0, toNs: 90 })
    expect(inSight).toMatchObject({ search: 'mm', isExact: false })
  })

  it('say when the search is of one name', () => {
    const search = { text: 'mm', names: [7], sliceCount: 4, isExact: true }
    expect(questionsOf(capture, { range: { x0: 0, x1: 90 }, tracks: null, isSelected: false }, search)).toMatchObject({
      search: 'mm',
      isExact: true,
    })
  })
})

describe('memory by op', () => {
  it('is of the whole trace without a selected range', () => {
    expect(eventRangeQuestion(inSight)).toBeUndefined()
    expect(eventsOf(device, inSight, { value: undefined, isPending: false })).toEqual({ device: 1, range: { fromEvent: 0, toEvent: 100 } })
  })

  it('is of the events in the selected range once they are known', () => {
    expect(eventsOf(device, selected, { value: { memory: [change] }, isPending: true })).toBeUndefined()
    expect(eventsOf(device, selected, { value: { memory: [change] }, isPending: false })).toEqual({
      device: 1,
      range: { fromEvent: 5, toEvent: 9 },
    })
  })

  it('asks nothing where the device has no events there, or none at all', () => {
    expect(eventsOf({ ...device, device: 0 }, selected, { value: { memory: [change] }, isPending: false })).toBeUndefined()
    expect(eventsOf({ ...device, eventCount: 0 }, inSight, { value: undefined, isPending: false })).toBeUndefined()
  })
})
