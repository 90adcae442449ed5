import { afterEach, expect, it, vi } from 'vitest'
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import { engine } from '../data/engine-client.ts'
import { eventsInside, onOtherAxis } from './axis-ranges.ts'

const times = [100, 110, 200, 200, 300, 1000] // of events 0–5
const place = { captureId: 'c', device: { device: 0, eventCount: times.length } as DeviceSummary }

vi.spyOn(engine, 'call').mockImplementation(((method: string, input: { event: number; timeNs: number }) => {
  if (method === 'timeline.timeOf') return Promise.resolve({ ok: true, value: { timeNs: times[input.event] ?? null } })
  return Promise.resolve({ ok: true, value: { event: times.findLastIndex((time) => time <= input.timeNs) } })
}) as never)
afterEach(() => vi.clearAllMocks())

it('finds the events inside a range of time', async () => {
  const inside = (x0: number, x1: number) => eventsInside(place, 'time', { x0, x1 })
  expect(await inside(100, 200)).toEqual({ x0: 0, x1: 2 })
  expect(await inside(100.5, 200.5)).toEqual({ x0: 1, x1: 4 })
  expect(await inside(-50, 5000)).toEqual({ x0: 0, x1: 6 })
})

it('finds none between two events, on either axis', async () => {
  expect(await eventsInside(place, 'time', { x0: 400, x1: 900 })).toEqual({ x0: 5, x1: 5 })
  expect(await eventsInside(place, 'event', { x0: 2.2, x1: 2.8 })).toEqual({ x0: 3, x1: 3 })
})

it('keeps the events of a range when the axis is switched to and fro', async () => {
  for (const events of [
    { x0: 0, x1: 2 },
    { x0: 1, x1: 5 },
    { x0: 4, x1: 6 },
  ]) {
    const time = await onOtherAxis(place, 'event', events)
    expect(time && (await eventsInside(place, 'time', time))).toEqual(events)
    expect(time && (await onOtherAxis(place, 'time', time))).toEqual(events)
  }
})

it('keeps a range without events a range', async () => {
  expect(await onOtherAxis(place, 'time', { x0: 400, x1: 900 })).toEqual({ x0: 5, x1: 6 })
  expect(await onOtherAxis(place, 'time', { x0: 2000, x1: 3000 })).toEqual({ x0: 5, x1: 6 })
  expect(await onOtherAxis(place, 'event', { x0: 2.2, x1: 2.8 })).toEqual({ x0: 200, x1: 201 })
})
