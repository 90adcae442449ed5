// What a trace's memory held before the profile began, as a band of the timeline.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'
import { memoryEvents } from './trace-truth.ts'

const scratch = scratchFolder('trace-held')
const engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), {
  trace: traceSamplePath,
  early: join(scratch.path, 'early.json'),
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

test('the band of what was held before the profile is told from the others', async () => {
  const { captureId, devices } = await engine.open('trace')
  const device = devices.find((each) => each.device === 0)
  if (!device) throw new Error('the trace has no memory of a GPU')
  const { eventCount, peakEvent, peakAllocatedBytes: y1 } = device
  const view = { captureId, device: 0, axis: 'event', columns: 200, rows: 400, y1, colorBy: 'stack' } as const
  const whole = await engine.value('timeline.raster', { ...view, x0: 0, x1: eventCount, y0: 0 })
  const [first] = memoryEvents(1)
  const floor = (first?.['Total Allocated'] ?? 0) - (first?.Bytes ?? 0)
  expect(whole.labels.filter(({ isHeldBefore }) => isHeldBefore)).toMatchObject([{ y0Bytes: 0, bytes: floor, title: '' }])
  const near = await engine.value('timeline.raster', { ...view, x0: peakEvent - 5, x1: peakEvent + 5, y0: floor })
  expect(near.labels.length).toBeGreaterThan(0)
  expect(near.labels.filter(({ isHeldBefore }) => isHeldBefore)).toEqual([])
})

test('of what was held before the profile, that which is given back in it is no part of the floor', async () => {
  const memory = (ts: number, addr: number, bytes: number, total: number) => ({
    ...{ ph: 'i', s: 't', name: '[memory]', cat: 'cpu_instant_event', pid: 1, tid: 1, ts },
    args: { 'Device Type': 1, 'Device Id': 0, Addr: addr, Bytes: bytes, 'Total Allocated': total, 'Total Reserved': 8192 },
  })
  const traceEvents = [memory(1, 4096, 512, 5632), memory(2, 65536, -2048, 3584), memory(3, 4096, -512, 3072)]
  writeFileSync(join(scratch.path, 'early.json'), JSON.stringify({ traceEvents }))
  const { captureId } = await engine.open('early')
  const before = {
    captureId,
    device: 0,
    axis: 'event',
    x0: -1,
    x1: 0,
    order: 'size',
    y0: 0,
    y1: 1000,
    sort: 'size',
    limit: 1,
    offset: 0,
  } as const
  expect((await engine.value('lifetimes.list', before)).bytes).toBe(5120)
  const floor = await engine.value('lifetimes.list', { ...before, filter: JSON.stringify({ never_freed: true }) })
  expect(floor).toMatchObject({ bytes: 3072, count: 1 })
})
