// Steps, annotations, unfinished slices and devices of traces made for it, through the port.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { scratchFolder } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('trace-spans')
const madePath = join(scratch.path, 'made.json')
let engine: EngineClient

beforeAll(() => {
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { made: madePath })
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

/** Opens a trace of these events. */
async function openEvents(events: readonly object[], others: object = {}): Promise<CaptureSummary> {
  writeFileSync(madePath, JSON.stringify({ ...others, traceEvents: events }))
  return engine.open('made')
}

describe('trace.spans', () => {
  test('are there without memory events, and one that does not end has no end', async () => {
    const at = { cat: 'user_annotation', pid: 1, tid: 1 }
    const { captureId, hasHistory } = await openEvents([
      { ph: 'B', name: 'epoch', ts: 0, ...at },
      { ph: 'X', name: 'ProfilerStep#7', ts: 10, dur: 20, ...at },
      { ph: 'X', name: 'ProfilerStep#7', ts: 12, dur: 20, pid: 0, tid: 7, cat: 'gpu_user_annotation' },
      { ph: 'X', name: 'aten::mm', ts: 11, dur: 1, pid: 1, tid: 1, cat: 'cpu_op' },
    ])
    expect(hasHistory).toBe(false)
    const { spans } = await engine.value('trace.spans', { captureId })
    expect(spans.map(({ name, startNs, endNs }) => [name, startNs, endNs])).toEqual([
      ['epoch', 0, null],
      ['ProfilerStep#7', 10_000, 30_000],
    ])
  })

  test('are the steps of a profiler that had no category for them', async () => {
    const { captureId } = await openEvents([
      { ph: 'X', name: 'ProfilerStep#2', ts: 0, dur: 20, pid: 1, tid: 1, cat: 'cpu_op' },
      { ph: 'X', name: 'ProfilerStep#2', ts: 2, dur: 20, pid: 0, tid: 7, cat: 'gpu_user_annotation' },
      { ph: 'X', name: 'Optimizer.step', ts: 10, dur: 2, pid: 1, tid: 1, cat: 'user_annotation' },
      { ph: 'X', name: 'ProfilerStep#3', ts: 40, dur: 20, pid: 1, tid: 1 },
    ])
    const { spans, total } = await engine.value('trace.spans', { captureId })
    expect([total, spans.map(({ name, startNs }) => [name, startNs])]).toEqual([
      3,
      [
        ['ProfilerStep#2', 0],
        ['Optimizer.step', 10_000],
        ['ProfilerStep#3', 40_000],
      ],
    ])
  })

  test('are the longest where there are too many', async () => {
    const short = Array.from({ length: 20_000 }, (_, index) => ({ ts: 10 * index, dur: 1, name: 'short', cat: 'user_annotation' }))
    const step = { ts: 300_000, dur: 100, name: 'ProfilerStep#1', cat: 'cpu_op' }
    const { captureId } = await openEvents([...short, step].map((event) => ({ ph: 'X', pid: 1, tid: 1, ...event })))
    const { spans, total } = await engine.value('trace.spans', { captureId })
    expect([total, spans.length, spans.at(-1)?.name]).toEqual([20_001, 20_000, 'ProfilerStep#1'])
  })
})

test('a box says whether the file has no end of its slice', async () => {
  const { captureId } = await openEvents([
    { ph: 'X', name: 'done', ts: 0, dur: 10, pid: 1, tid: 1 },
    { ph: 'B', name: 'open', ts: 20, pid: 1, tid: 1 },
    { ph: 'X', name: 'inside', ts: 30, dur: 70, pid: 1, tid: 1 },
  ])
  const { boxes } = await engine.value('trace.raster', { captureId, fromNs: 0, toNs: 1e5, columns: 100, lanes: [0, 1], colorBy: 'name' })
  expect(boxes.titles.map((title, index) => [title, boxes.unfinished[index]])).toEqual([
    ['done', 0],
    ['open', 1],
    ['inside', 0],
  ])
})

test.each([
  [
    [
      { id: 1, totalGlobalMem: 8_000 },
      { id: 0, name: 'GPU' },
      { id: '2', totalGlobalMem: 'x' },
    ],
    [{ device: 1, bytes: 8_000 }],
  ],
  ['none', []],
  [{ id: 0 }, []],
])('the memory of devices is that of those of which the file tells it: %j', async (deviceProperties, expected) => {
  const { captureId } = await openEvents([{ ph: 'X', name: 'a', ts: 0, dur: 1, pid: 1, tid: 1 }], { deviceProperties })
  expect((await engine.value('trace.tracks', { captureId })).capacities).toEqual(expected)
})
