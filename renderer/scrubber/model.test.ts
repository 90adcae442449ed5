import { describe, expect, it } from 'vitest'
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import type { Item } from '../scene/display-list.ts'
import { dark } from '../theme/tokens.ts'
import { buildScrubber, eventAtPx, layoutScrubber, type ScrubberInput } from './model.ts'
import { offeredRates, suitedRate } from './scrubber-data.ts'

const device = {
  eventCount: 1000,
  peakReservedBytes: 2 ** 30,
  peakAllocatedBytes: 2 ** 29,
  ooms: [{ event: 999, timeNs: null, sizeBytes: 1, deviceFreeBytes: null }],
} as unknown as DeviceSummary
const moment = { event: 250, timeNs: 1, allocated: 2 ** 20, active: 2 ** 20, reserved: 2 ** 21, requested: 2 ** 20 }
const inputOf = (change: Partial<ScrubberInput> = {}): ScrubberInput => ({
  device,
  curves: undefined,
  event: 250,
  moment,
  marked: undefined,
  layout: layoutScrubber(1016, 100),
  tokens: dark,
  measure: (text, sizePx) => text.length * sizePx * 0.55,
  ...change,
})
const items = (input: ScrubberInput): Item[] => buildScrubber(input).flatMap((layer) => layer.items)
const handleX = (event: number) => {
  const handle = items(inputOf({ event })).find((item) => item.kind === 'box' && item.widthPx === 7)
  return handle?.kind === 'box' ? handle.xPx + 3.5 : Number.NaN
}

describe('the scrubber', () => {
  it('finds under the handle the event that it shows', () => {
    for (const event of [0, 1, 499, 998, 999]) expect(eventAtPx(inputOf(), handleX(event))).toBe(event)
  })

  it('stops at the ends when it is dragged past them', () => {
    expect([-500, 5000].map((xPx) => eventAtPx(inputOf(), xPx))).toEqual([0, 999])
  })

  it('says what the curves show, away from the cursor', () => {
    const text = (event: number) => items(inputOf({ event })).find((item) => item.kind === 'text' && item.spans.length === 2)
    expect(text(250)).toMatchObject({ align: 'right', spans: [{ text: 'Reserved 2.00\u00a0MiB' }, { text: ' · Allocated 1.00\u00a0MiB' }] })
    expect(text(750)).toMatchObject({ align: 'left' })
  })

  it('is a plain track without curve and names where it is low, and still finds the event under the handle', () => {
    const low = inputOf({ layout: layoutScrubber(1016, 40) })
    expect(low.layout.plot.yPx + low.layout.plot.heightPx).toBeLessThan(40 - 14)
    expect(items(low).filter((item) => item.kind === 'text' && item.spans.length === 2)).toEqual([])
    expect(eventAtPx(low, handleX(499))).toBe(499)
  })

  it('shows the selected range from its first event to the end of its last, one pixel wide at least', () => {
    const boxes = (marked: ScrubberInput['marked']) =>
      items(inputOf({ marked })).flatMap((item) => (item.kind === 'box' && item.alpha === 0.1 ? [[item.xPx, item.xPx + item.widthPx]] : []))
    expect(boxes(undefined)).toEqual([])
    expect(boxes({ x0: 250, x1: 500 })).toEqual([[258, 508]])
    expect(boxes({ x0: 250, x1: 250 })).toEqual([[258, 259]])
  })

  it('marks failures', () => expect(items(inputOf()).filter((item) => item.kind === 'triangle')).toHaveLength(1))
})

it('plays a short history slowly and a long one fast', () => {
  expect([10, 664, 30_000, 10_000_000].map(suitedRate)).toEqual([1, 100, 1000, 1_000_000])
})

it('offers a rate that plays any history within a minute, and none that would be over at once', () => {
  for (const events of [1, 664, 30_000, 3_441_210, 10_000_000]) {
    const offered = offeredRates(events)
    expect(events / (offered.at(-1) ?? 0)).toBeLessThanOrEqual(60)
    expect(offered).toContain(suitedRate(events))
  }
  expect(offeredRates(664)).toEqual([1, 10, 100, 1000])
})
