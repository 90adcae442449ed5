import { expect, it } from 'vitest'
import { byteTickLabels, byteTicks, exactTimeLabel, niceTicks, timeLabels } from './ticks.ts'

const words = (labels: ReturnType<typeof timeLabels>) =>
  labels.map(({ text, strong }) => (strong ? `*${text}*` : text).replaceAll('\u00a0', ' '))

it('steps 1-2-5 and never below the least step', () => {
  const table = [
    [0, 6969, 800, 1],
    [1780, 3640, 800, 1],
    [10, 14, 800, 1],
    [-3, 3, 400, 1],
  ].map(([x0 = 0, x1 = 0, widthPx = 0, least = 0]) => niceTicks(x0, x1, widthPx, 100, least).join(' '))
  expect(table).toEqual(['0 1000 2000 3000 4000 5000 6000', '2000 2500 3000 3500', '10 11 12 13 14', '-2 0 2'])
})

it('labels bytes in powers of two with three digits and no useless zeros', () => {
  const table = [1.5 * 2 ** 30, 160 * 2 ** 20, 600, 0.4 * 2 ** 30].map((y1) =>
    byteTickLabels(byteTicks(y1, 440, 72))
      .join(' · ')
      .replaceAll('\u00a0', ' '),
  )
  expect(table).toEqual([
    '0 · 256 MiB · 512 MiB · 768 MiB · 1 GiB · 1.25 GiB · 1.5 GiB',
    '0 · 32 MiB · 64 MiB · 96 MiB · 128 MiB · 160 MiB',
    '0 · 128 B · 256 B · 384 B · 512 B',
    '0 · 128 MiB · 256 MiB · 384 MiB',
  ])
})

it('tells neighbouring times apart, by offsets from a base at deep zoom', () => {
  expect(words(timeLabels([1.482e9, 1.492e9, 1.498e9]))).toEqual(['1.482 s', '1.492 s', '1.498 s'])
  expect(words(timeLabels([0, 200e6, 400e6]))).toEqual(['0 ms', '200 ms', '400 ms'])
  expect(words(timeLabels([1_482_000_100, 1_482_012_400, 1_482_024_700]))).toEqual(['*1.48200 s*', '+12 µs', '+25 µs'])
  expect(words(timeLabels([Number.NaN, 5e6]))[0]).toBe('')
})

it('writes one moment with four decimals', () => {
  expect([1.5e9, 832_100_000, 12_345, 7].map((ns) => exactTimeLabel(ns).replaceAll('\u00a0', ' '))).toEqual([
    '1.5000 s',
    '832.1000 ms',
    '12.3450 µs',
    '7 ns',
  ])
})
