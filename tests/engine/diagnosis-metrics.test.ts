// `metrics.jsonl`: what is read of it, and what grew.
import { expect, test } from 'vitest'
import { growthOf, MetricsReader, readMetricsText, seriesOf } from '../../main/engine/diagnosis/metrics.ts'
import { curvesOf } from '../../main/engine/diagnosis/page/curves.ts'
import { correlation, trendOf } from '../../main/engine/diagnosis/trends.ts'

const lines = (rows: readonly Record<string, unknown>[]): string => rows.map((row) => JSON.stringify(row)).join('\n')
const steps = (count: number, row: (at: number) => Record<string, unknown>): string =>
  lines(Array.from({ length: count }, (_, at) => ({ step: at, ...row(at) })))

test('unknown fields are kept, bad lines are counted, and Python’s NaN is a number', () => {
  const metrics = readMetricsText(
    '{"step": 0, "grad_norm": NaN, "mine": "x", "tokens": 7}\nnot json\n[1]\n\n{"step": 1, "grad_norm": -Infinity}\n',
  )
  expect(metrics.rows).toHaveLength(2)
  expect(metrics.badLines).toBe(2)
  expect(metrics.fields).toEqual(['step', 'grad_norm', 'mine', 'tokens'])
  expect(metrics.rows[0]?.get('mine')).toBe('x')
  expect(seriesOf(metrics, 'gradNorm').map(({ y }) => y)).toEqual([Number.NaN, Number.NEGATIVE_INFINITY])
})

test('the names of other programs are understood', () => {
  const metrics = readMetricsText('{"Global-Step": 4, "memory_allocated": 10, "peak_allocated": 12}')
  expect(seriesOf(metrics, 'allocated')).toEqual([{ x: 4, y: 10 }])
  expect(seriesOf(metrics, 'allocatedPeak')).toEqual([{ x: 4, y: 12 }])
})

test('what is looked for is found behind thousands of other fields, in one row and over the rows', () => {
  const others = (count: number, from: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`layer_${from + at}`, at]))
  const wide = readMetricsText(steps(3, (at) => ({ ...others(4000, 0), memory_allocated: 10 + at })))
  expect(seriesOf(wide, 'allocated').map(({ y }) => y)).toEqual([10, 11, 12])
  expect(wide.rows[0]?.size).toBeLessThanOrEqual(256)
  const changing = readMetricsText(steps(20, (at) => ({ ...others(200, 200 * at), ...(at > 16 ? { memory_allocated: at } : {}) })))
  expect(seriesOf(changing, 'allocated').map(({ x, y }) => [x, y])).toEqual([17, 18, 19].map((at) => [at, at]))
})

test('rows whose lines end with a carriage return alone are rows', () => {
  expect(readMetricsText(steps(3, (at) => ({ allocated: at })).replaceAll('\n', '\r')).rows).toHaveLength(3)
})

test('the slope is that of the steps, and one wild value does not move it', () => {
  const metrics = readMetricsText(steps(40, (at) => ({ allocated: 1000 + 64 * at + (at === 20 ? 1e9 : 0) })))
  const { allocated, largestJump } = growthOf(metrics)
  expect(allocated?.slope).toBeCloseTo(64, 6)
  expect(allocated?.order).toBeGreaterThan(0.85)
  expect(largestJump.x).toBe(20)
})

test('what does not grow has no slope', () => {
  const metrics = readMetricsText(steps(50, (at) => ({ allocated: 1e9 + (at % 3) * 1e6 })))
  const trend = growthOf(metrics).allocated
  expect(Math.abs(trend?.slope ?? 1)).toBeLessThan(1e5)
  expect(Math.abs(trend?.order ?? 1)).toBeLessThan(0.2)
})

test('a peak that goes with batch and sequence is seen, and one that does not is not', () => {
  const sized = (peak: (size: number, at: number) => number) =>
    growthOf(
      readMetricsText(
        steps(20, (at) => ({
          batch_size: 2 + (at % 2),
          seq_len: 128 * (1 + (at % 5)),
          allocated_peak: peak((2 + (at % 2)) * (1 + (at % 5)), at),
        })),
      ),
    )
  expect(sized((size) => size * 1e6)).toMatchObject({ peakWithSize: expect.closeTo(1, 6), sizeOnlyRose: false })
  expect(Math.abs(sized((_, at) => (at * 7919) % 13).peakWithSize ?? 1)).toBeLessThan(0.6)
})

test('memory in use outside is what the device uses and the program has not reserved', () => {
  const { outside, deviceTotal } = growthOf(
    readMetricsText(steps(10, (at) => ({ reserved: 100, device_used: 500 + 10 * at, device_total: 4096 }))),
  )
  expect(outside?.slope).toBe(10)
  expect(deviceTotal).toBe(4096)
})

test('a gradient norm that is no number any more counts as unbounded', () => {
  const ratio = (norms: readonly (number | string)[]) =>
    growthOf(readMetricsText(norms.map((norm) => `{"grad_norm": ${norm}}`).join('\n'))).gradientNormRatio
  expect(ratio([1, 2, 1, 2, 400])).toBeCloseTo(400 / 1.5, 6)
  expect(ratio([1, 2, 'NaN'])).toBe(Number.POSITIVE_INFINITY)
  expect(ratio([])).toBeNull()
})

test('long series are thinned, so that a million points cost no more than some hundred', () => {
  const series = Array.from({ length: 1_000_000 }, (_, x) => ({ x, y: 3 * x }))
  expect(trendOf(series)).toMatchObject({ slope: 3, order: 1, points: 1_000_000 })
  expect(correlation(series)).toBeCloseTo(1, 6)
})

test('rows are held up to a number of bytes: what is left covers the run evenly, ends with its last row, and says how many are missing', () => {
  const reader = new MetricsReader(100_000)
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`layer_${at}`, at]))
  for (let at = 0; at < 5001; at += 1) reader.push(JSON.stringify({ allocated: 1000 + 64 * at, note: 'x'.repeat(5000), ...wide }))
  const metrics = reader.end()
  expect(metrics.rows.length).toBeLessThan(40)
  expect(metrics.rows.length).toBeGreaterThan(8)
  expect(metrics.leftOut).toBe(5001 - metrics.rows.length)
  expect(seriesOf(metrics, 'allocated').at(-1)).toEqual({ x: 5000, y: 1000 + 64 * 5000 })
  const growth = growthOf(metrics)
  expect(growth.allocated?.slope).toBeCloseTo(64, 6)
  expect([growth.steps, growth.leftOut]).toEqual([5001, metrics.leftOut])
})

test('what can be no amount of memory is passed over', () => {
  const metrics = readMetricsText(
    steps(10, (at) => ({ allocated: at === 4 ? -7e12 : at === 6 ? 1e40 : 100 + at, reserved: 500, device_total: 80 })),
  )
  const { allocated, deviceTotal } = growthOf(metrics)
  expect(allocated).toMatchObject({ slope: 1, points: 8 })
  expect(deviceTotal).toBeNull()
})

test.each([
  ['gpu/allocated_gb', 2, 2 * 1024 ** 3],
  ['memory/allocated(MiB)', 3, 3 * 1024 ** 2],
  ['allocatedGB', 1.5, 1.5 * 1024 ** 3],
  ['allocated_bytes.all.current', 7, 7],
])('%s is what is allocated, in its unit', (name, value, bytes) => {
  expect(seriesOf(readMetricsText(JSON.stringify({ step: 1, [name]: value })), 'allocated')).toEqual([{ x: 1, y: bytes }])
})

test('a name without a group and a unit comes first, and a batch of kilobytes is none', () => {
  const metrics = readMetricsText('{"step": 1, "gpu/allocated_gb": 2, "allocated": 9, "bs": 4, "max_memory": 5}')
  expect(seriesOf(metrics, 'allocated')).toEqual([{ x: 1, y: 9 }])
  expect(seriesOf(metrics, 'batchSize')).toEqual([{ x: 1, y: 4 }])
})

test('curves are drawn of numbers that can be drawn, whatever a file claims', () => {
  const lines = ['1e308', '-1e308', '5', '7', '9'].map(
    (value, at) => `{"step": ${at === 0 ? '-1e308' : at}, "allocated": ${value}, "loss": ${value}}`,
  )
  const { curves } = curvesOf(readMetricsText(lines.join('\n')))
  expect(curves.map(({ field, points }) => [field, points])).toEqual(
    ['allocated', 'loss'].map((field) => [
      field,
      [
        [2, 5],
        [3, 7],
        [4, 9],
      ],
    ]),
  )
})
