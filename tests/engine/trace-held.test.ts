// What a trace's memory held before the profile began, as a band of the timeline.
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'
import { memoryEvents } from './trace-truth.ts'

const scratch = scratchFolder('trace-held')
const engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { trace: traceSamplePath })
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
