import { afterEach, expect, it, vi } from 'vitest'
import { engine } from '../../data/engine-client.ts'
import type { ShownRow } from './layout.ts'
import { askPoints } from './questions.ts'

afterEach(() => vi.restoreAllMocks())

it('asks about every row of a tall picture, counters and instants alike', async () => {
  const values = new Float64Array(1)
  vi.spyOn(engine, 'call').mockImplementation((() =>
    Promise.resolve({ ok: true, value: { min: values, max: values, last: values, count: values, first: values } })) as never)
  const many = Array.from({ length: 200 }, (_, index) => index)
  const rows = [
    ...many.map((seriesId) => ({ row: { kind: 'counter', series: { seriesId } } })),
    ...many.map((trackId) => ({ row: { kind: 'track', track: { trackId, instantCount: 1 } } })),
  ] as unknown as ShownRow[]
  const points = await askPoints({ captureId: 'c', range: { x0: 0, x1: 1 }, columns: 1 }, rows)
  expect(points.ok && [points.value.series.size, points.value.marks.size]).toEqual([200, 200])
})
