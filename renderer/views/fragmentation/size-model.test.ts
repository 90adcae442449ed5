import { describe, expect, it } from 'vitest'
import { textsOverlap } from '../../plot/text-fit.ts'
import type { Box, Item, TextItem } from '../../scene/display-list.ts'
import { dark } from '../../theme/tokens.ts'
import { partHue } from './colors.ts'
import { mostOf, requestsAbove, sizeBarsOf, sizesCsv, sortSizes, stepOf } from './size-bars.ts'
import { buildSizes, columnOf, hitSizes, type SizeInput } from './size-model.ts'
import { mebi, report } from './test-answers.ts'
import { fragmentationText as t } from './texts.ts'

const measure = (text: string, sizePx: number) => text.length * sizePx * 0.55
const bars = sizeBarsOf(report)

const inputOf = (change: Partial<SizeInput> = {}): SizeInput => ({
  bars,
  unit: 'count',
  largestFree: 7 * mebi,
  failedBytes: 9 * mebi,
  frame: { xPx: 0, yPx: 0, widthPx: 420, heightPx: 240 },
  tokens: dark,
  measure,
  t,
  ...change,
})

const itemsOf = (input: SizeInput): Item[] => buildSizes(input).flatMap(({ items }) => items)
const textsOf = (input: SizeInput): TextItem[] => itemsOf(input).filter((item) => item.kind === 'text')
const wordsOf = (input: SizeInput): string[] => textsOf(input).map(({ spans }) => spans.map(({ text }) => text).join(''))

describe('size classes', () => {
  it('join requests and free blocks of one quarter of a doubling', () => {
    expect(bars.map(({ step }) => step)).toEqual([80, 88, 91, 92, 96])
    expect(bars.find(({ step }) => step === 88)).toMatchObject({ requests: { count: 90 }, free: { count: 4 } })
    expect(mostOf(bars, 'count')).toEqual({ requests: 90, free: 4 })
    expect(stepOf(4 * mebi)).toBe(88)
  })

  it('count the requests that no free block could take', () => {
    expect(requestsAbove(bars, 7 * mebi)).toEqual({ count: 10, all: 100 })
    expect(requestsAbove(bars, 64 * mebi)).toEqual({ count: 0, all: 100 })
  })

  it('sort by either kind', () => {
    expect(sortSizes(bars, { column: 'requests', descending: true }).map(({ step }) => step)[0]).toBe(88)
    expect(sortSizes(bars, { column: 'cached', descending: true })[0]?.free.count).toBe(4)
    expect(sortSizes(bars, { column: 'sizes', descending: true })[0]?.step).toBe(96)
  })

  it('come as CSV with all digits', () => {
    const [head, first] = sizesCsv(bars).split('\n')
    expect(head).toBe('from_bytes,below_bytes,requests,requested_bytes,free_blocks,free_bytes')
    expect(first).toBe('1048576,1246974,0,0,1,1048576')
  })
})

describe('the histogram', () => {
  const input = inputOf()

  it('draws requests upwards by the square root of their number', () => {
    const { color } = itemsOf(input).find((item) => item.kind === 'box' && item.color[2] > 180 && item.color[0] < 120) as Box
    const boxes = itemsOf(input).filter((item) => item.kind === 'box' && item.color.join() === color.join()) as Box[]
    expect(boxes).toHaveLength(3)
    const heights = boxes.map(({ heightPx }) => heightPx)
    expect((heights[1] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(Math.sqrt(8 / 90), 1)
    expect(partHue('allocated')[2]).toBeGreaterThan(180)
  })

  it('marks the largest free block left of the request that failed', () => {
    const lines = itemsOf(input).filter((item) => item.kind === 'path')
    const [failed, largest] = lines.map(({ points }) => points[0] ?? 0)
    expect(largest).toBeLessThan(failed ?? 0)
    expect(wordsOf(input)).toContain('▲ failed request 9.00\u00a0MiB')
    expect(wordsOf(input)).toContain('largest free 7.00\u00a0MiB')
  })

  it('names the numbers of either unit', () => {
    expect(wordsOf(input)).toContain('90')
    expect(wordsOf(inputOf({ unit: 'bytes' }))).toContain('360\u00a0MiB')
  })

  it('finds a class under the pointer, also an empty one', () => {
    const bar = bars[1]
    const frame = bar && columnOf(input, bar)
    expect(frame && hitSizes(input, frame.xPx + 1, frame.yPx + 5)).toEqual(bar)
    expect(frame && hitSizes(input, frame.xPx - 2, frame.yPx + 5)).toMatchObject({ step: 87, requests: { count: 0 }, free: { count: 0 } })
    expect(hitSizes(input, 2, 2)).toBeUndefined()
  })

  it('leaves all room to the free blocks where no request was recorded', () => {
    const none = inputOf({ bars: sizeBarsOf({ ...report, requestSizes: [] }), failedBytes: undefined })
    expect(wordsOf(none)).not.toContain('Requests')
    expect(wordsOf(none)).toContain('Free blocks')
  })

  it('draws where nothing is known', () =>
    expect(itemsOf(inputOf({ bars: [], largestFree: 0, failedBytes: undefined })).length).toBeGreaterThan(0))

  it.each([
    [340, 170],
    [420, 240],
    [900, 400],
  ])('never lets texts run into each other at %i × %i', (widthPx, heightPx) => {
    const texts = textsOf(inputOf({ frame: { xPx: 0, yPx: 0, widthPx, heightPx } }))
    for (const [index, a] of texts.entries())
      for (const b of texts.slice(index + 1))
        expect(textsOverlap(a, b, measure) ? `${a.spans[0]?.text} / ${b.spans[0]?.text}` : '').toBe('')
  })
})
