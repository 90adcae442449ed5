import { expect, it } from 'vitest'
import { packSpans, rowsOf } from './annotations.ts'

const span = (name: string, startNs: number, endNs: number | null) => ({
  name,
  startNs,
  endNs,
  startEvent: startNs / 10,
  endEvent: (endNs ?? 0) / 10,
})
const table = (spans: ReturnType<typeof span>[], axis: 'event' | 'time', rows = 4) =>
  packSpans(spans, axis, 1000, rows).map(({ span: { name }, row, x0, x1 }) => `${name} ${row} ${x0}–${x1}`)

it('nests spans by containment and starts a new row run after they end', () => {
  const spans = [span('forward', 10, 60), span('step', 0, 100), span('loss', 40, 60), span('step 2', 100, 200)]
  expect(table(spans, 'time')).toEqual(['step 0 0–100', 'forward 1 10–60', 'loss 2 40–60', 'step 2 0 100–200'])
})

it('lets a span without an end run to the end, in events as in time', () => {
  expect(table([span('open', 50, null)], 'event')).toEqual(['open 0 5–1000'])
})

it('puts what is past the last row into it', () => {
  const placed = packSpans([span('a', 0, 100), span('b', 1, 99), span('c', 2, 98)], 'time', 1000, 2)
  expect(placed.map(({ row }) => row)).toEqual([0, 1, 1])
  expect(rowsOf(placed)).toBe(2)
})
