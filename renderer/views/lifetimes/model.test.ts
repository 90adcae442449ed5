import { describe, expect, it } from 'vitest'
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { LifetimeSpace } from '../../../preload/contract/queries.ts'
import type { Item } from '../../scene/display-list.ts'
import { dark } from '../../theme/tokens.ts'
import { barBoxes } from './draw-bars.ts'
import { cellAt } from './draw-heat.ts'
import { type Bars, packLanes } from './lanes.ts'
import { layoutLifetimes } from './layout.ts'
import { colorEntries } from './legend.ts'
import type { PlacedBars, PlacedHeat } from './lifetimes-data.ts'
import { buildLifetimes, hitTest } from './model.ts'
import type { LifetimesInput } from './model-input.ts'

const mebi = 2 ** 20
const f64 = (...values: number[]) => new Float64Array(values)
const nan = Number.NaN

const device: DeviceSummary = {
  device: 0,
  deviceType: 'cuda',
  eventCount: 100,
  allocationCount: 3,
  neverFreedCount: 1,
  noStackCount: 0,
  firstTimeNs: 0,
  lastTimeNs: 100e6,
  reservedBytes: 4 * mebi,
  allocatedBytes: mebi,
  activeBytes: mebi,
  requestedBytes: mebi,
  inactiveSplitBytes: 0,
  largestFreeBytes: 0,
  peakAllocatedBytes: 3 * mebi,
  peakEvent: 2,
  peakTimeNs: 2e6,
  peakReservedBytes: 4 * mebi,
  exact: true,
  oomCount: 0,
  ooms: [],
}

/** Two stretches of 2 and 4 MiB. */
const space: LifetimeSpace = {
  y1: 6 * mebi,
  rows: [
    { y0: 0, y1: 2 * mebi, address: '0x7f0000000000', bytes: 2 * mebi },
    { y0: 2 * mebi, y1: 6 * mebi, address: '0x7f0010000000', bytes: 4 * mebi },
  ],
}

/** One freed early, one pending from 60 to 80, one older than the history that is never freed. */
const bars: Bars = {
  allocation: f64(7, 8, 9),
  start: f64(5, 40, nan),
  freeRequested: f64(25, 60, nan),
  freeCompleted: f64(25, 80, nan),
  y0: f64(0, mebi, 2 * mebi),
  y1: f64(mebi, 2 * mebi, 6 * mebi),
  bytes: f64(mebi, mebi, 4 * mebi),
  slot: f64(1, 2, 3),
  titles: ['forward a.py:1', 'step b.py:2', ''],
}

const range = { x0: 0, x1: 100 }
const y = { y0: 0, y1: 6 * mebi }
const placed = { range, y, axis: 'event', device: 0, order: 'address' } as const
const single: PlacedBars = { ...placed, colorBy: 'stack', leastHeight: Number.POSITIVE_INFINITY, data: bars }

/** Four columns of six rows, row 0 lowest: the lowest row full, one reserved, one not. */
const heat: PlacedHeat = {
  ...placed,
  measure: 'bytes',
  scale: 'linear',
  meanPx: 1,
  data: {
    columns: 4,
    rows: 6,
    cells: new Uint8Array(24).map((_, index) => [63, 63, 2, 1, 0, 0][index % 6] ?? 0),
    columnTotal: f64(0, 0, 0, 0),
    max: mebi,
    shown: 3,
    folded: 0,
    foldedBytes: 0,
    meanColumns: 1,
  },
}

function inputOf(change: Partial<LifetimesInput> = {}): LifetimesInput {
  return {
    device,
    axis: 'event',
    hasTimes: true,
    startsLate: false,
    visible: range,
    home: range,
    overviewTop: 4 * mebi,
    order: 'address',
    space,
    y,
    curves: undefined,
    overview: undefined,
    raster: heat,
    bars: undefined,
    spans: [],
    place: undefined,
    selectedRange: undefined,
    band: undefined,
    cursor: undefined,
    layout: layoutLifetimes(940, 700, 0, 'address'),
    tokens: dark,
    measure: (text, sizePx) => text.length * sizePx * 0.55,
    t: (key, values) => (values ? `${key} ${Object.values(values).join(' ')}` : key),
    ...change,
  }
}

const items = (input: LifetimesInput): Item[] => buildLifetimes(input).flatMap((layer) => layer.items)
const texts = (input: LifetimesInput): string[] =>
  items(input).flatMap((item) => (item.kind === 'text' ? [item.spans.map(({ text }) => text).join('')] : []))
const ofKind = <K extends Item['kind']>(input: LifetimesInput, kind: K) =>
  items(input).filter((item): item is Item & { kind: K } => item.kind === kind)

describe('the heat map', () => {
  it('covers the plot, stretched when it was asked for another stretch of events or addresses', () => {
    const { plot } = inputOf().layout
    expect(ofKind(inputOf(), 'raster')).toEqual([expect.objectContaining({ ...plot, columns: 4, rows: 6 })])
    const [zoomed] = ofKind(inputOf({ visible: { x0: 50, x1: 100 }, y: { y0: 3 * mebi, y1: 6 * mebi } }), 'raster')
    expect(zoomed).toMatchObject({
      xPx: plot.xPx - plot.widthPx,
      widthPx: 2 * plot.widthPx,
      yPx: plot.yPx - plot.heightPx,
      heightPx: 2 * plot.heightPx,
    })
  })

  it('tells the cell under a point, the lowest row first', () => {
    const input = inputOf()
    const { plot } = input.layout
    expect(cellAt(input, plot.xPx + 1, plot.yPx + plot.heightPx - 1)).toBe(63)
    expect(cellAt(input, plot.xPx + 1, plot.yPx + plot.heightPx * 0.4)).toBe(1)
    expect(cellAt(input, plot.xPx + 1, plot.yPx + 1)).toBe(0)
    expect(cellAt(input, plot.xPx - 1, plot.yPx + 1)).toBe(0)
  })

  it('names each stretch by address and bytes, and the places inside a high one', () => {
    const labels = texts(inputOf())
    expect(labels).toEqual(
      expect.arrayContaining(['0x7f00_0000_0000', '2.00\u00a0MiB', '0x7f00_1000_0000', '4.00\u00a0MiB', '+2\u00a0MiB']),
    )
  })
})

describe('the names of rows', () => {
  const crowd = Array.from({ length: 3000 }, (_, index) => ({
    y0: index,
    y1: index + 1,
    address: `0x7f${index.toString(16).padStart(10, '0')}`,
    bytes: 512,
  }))

  it('are thinned out where rows are lower than a name, not left out', () => {
    const input = inputOf({ space: { y1: 3000, rows: crowd }, y: { y0: 0, y1: 3000 } })
    const tops = ofKind(input, 'text')
      .filter(({ spans }) => spans[0]?.text.startsWith('0x7f'))
      .map(({ yPx }) => yPx)
    expect(tops.length).toBeGreaterThan(20)
    const sorted = [...tops].sort((a, b) => a - b)
    expect(Math.min(...sorted.slice(1).map((yPx, index) => yPx - (sorted[index] ?? 0)))).toBeGreaterThanOrEqual(14)
  })

  it('keep file and line where a stack has one line only, as equal functions differ there', () => {
    const rows = [1, 2].map((line, index) => ({
      y0: index,
      y1: index + 1,
      stackId: line,
      count: 1,
      title: 'a_rather_long_name_of_a_function',
      place: `model.py:${line}`,
    }))
    const input = inputOf({
      order: 'stack',
      space: { y1: 40, rows },
      y: { y0: 0, y1: 40 },
      raster: undefined,
      layout: layoutLifetimes(940, 700, 0, 'stack'),
    })
    const labels = texts(input)
    for (const line of [1, 2]) expect(labels.some((label) => label.endsWith(`… model.py:${line}`))).toBe(true)
  })

  it('stand in the middle of the band of a stack', () => {
    const rows = [{ y0: 0, y1: 1, stackId: 1, count: 3, title: 'forward', place: 'model.py:1' }]
    const input = inputOf({
      order: 'stack',
      space: { y1: 1, rows },
      y: { y0: 0, y1: 1 },
      raster: undefined,
      layout: layoutLifetimes(940, 700, 0, 'stack'),
    })
    const name = ofKind(input, 'text').find(({ spans }) => spans[0]?.text === 'forward')
    const { plot } = input.layout
    expect(name?.yPx).toBeCloseTo(plot.yPx + plot.heightPx / 2 - 7)
  })
})

describe('the legend of single lifetimes', () => {
  it('lists the stacks in sight as they are painted, those with most bytes × life first', () => {
    const entries = colorEntries(single, dark)
    expect(entries.map(({ title }) => title)).toEqual(['(no Python frames)', 'forward a.py:1', 'step b.py:2'])
    const painted = ofKind(inputOf({ bars: single }), 'box').map(({ color }) => color.join())
    for (const { color } of entries) expect(painted).toContain(color.join())
  })

  it('lists categories by name where they are what colours tell', () => {
    const byCategory: PlacedBars = { ...single, colorBy: 'category', data: { ...bars, slot: f64(4, 4, 1) } }
    const entries = colorEntries(byCategory, dark)
    expect(entries.map(({ title, count }) => [title, count])).toEqual([
      ['Parameter', 1],
      ['Activation', 2],
    ])
    const painted = ofKind(inputOf({ bars: byCategory }), 'box').map(({ color }) => color.join())
    for (const { color } of entries) expect(painted).toContain(color.join())
  })
})

describe('single lifetimes', () => {
  const input = inputOf({ bars: single })
  const [freed, pending, old] = barBoxes(input)

  it('reach from the allocation to where the free was asked for, completed, or to the end', () => {
    const { plot } = input.layout
    const x = (event: number) => plot.xPx + (event / 100) * plot.widthPx
    expect(freed).toMatchObject({ left: x(5), freed: x(25), right: x(25), isOpen: false, isAlive: false })
    expect(pending).toMatchObject({ left: x(40), freed: x(60), right: x(80) })
    expect(old).toMatchObject({ left: x(0), right: x(100), isOpen: true, isAlive: true })
  })

  it('are idle candidates from a quarter of the history on', () => {
    const { plot } = input.layout
    expect(freed?.idle).toBe(freed?.freed)
    expect(old?.idle).toBeCloseTo(plot.xPx + plot.widthPx / 4)
  })

  it('hatch what is pending only, and point past the end only where alive', () => {
    expect(ofKind(input, 'hatch')).toEqual([expect.objectContaining({ xPx: pending?.freed })])
    expect(ofKind(input, 'triangle')).toHaveLength(1)
  })

  it('carry their names, and those without a stack say so', () => {
    expect(texts(input)).toEqual(expect.arrayContaining(['forward a.py:1', 'step b.py:2', '(no Python frames)']))
  })

  it('are hit where they are drawn, thin ones nearby, and nothing is hit between them', () => {
    const { plot } = input.layout
    const at = (event: number, mebibytes: number) =>
      hitTest(input, plot.xPx + (event / 100) * plot.widthPx, plot.yPx + (mebibytes / 6) * plot.heightPx)
    expect(at(15, 0.5)).toMatchObject({ region: 'plot', allocationId: 7 })
    expect(at(70, 1.5)).toMatchObject({ allocationId: 8 })
    expect(at(90, 4)).toMatchObject({ allocationId: 9 })
    expect(at(30, 0.5)).toMatchObject({ region: 'plot', allocationId: undefined })
  })
})

describe('bars that share a row', () => {
  it('lie beside each other while they overlap, and reuse a place that is free again', () => {
    const shared: Bars = {
      ...bars,
      start: f64(0, 5, 10),
      freeCompleted: f64(10, 30, 20),
      freeRequested: f64(10, 30, 20),
      y0: f64(2, 2, 2),
      y1: f64(3, 3, 3),
    }
    const { y0, y1 } = packLanes(shared)
    expect(y0[0]).toBe(2)
    expect(y0[2]).toBe(2)
    expect(y0[1]).toBeCloseTo(y1[0] ?? 0)
    expect(Math.max(...y1)).toBeLessThan(3)
  })
})

describe('the hit test', () => {
  it('tells ruler, rows and plot apart', () => {
    const input = inputOf()
    const { plot, ruler } = input.layout
    expect(hitTest(input, ruler.xPx + 5, ruler.yPx + 5)?.region).toBe('ruler')
    expect(hitTest(input, plot.xPx - 5, plot.yPx + plot.heightPx / 2)).toMatchObject({ region: 'rows', y: 3 * mebi })
    expect(hitTest(input, plot.xPx + plot.widthPx / 2, plot.yPx + plot.heightPx / 2)).toMatchObject({ region: 'plot', x: 50, y: 3 * mebi })
  })
})

describe('the selected rectangle', () => {
  it('is framed where it lies; a range without a band covers the whole height', () => {
    const { plot } = inputOf().layout
    const framed = ofKind(inputOf({ selectedRange: { x0: 25, x1: 50 }, band: { y0: 0, y1: 3 * mebi } }), 'path').at(-1)
    const [xs, ys] = [0, 1].map((part) => framed?.points.filter((_, index) => index % 2 === part) ?? []) as [number[], number[]]
    expect(Math.min(...xs)).toBeCloseTo(plot.xPx + plot.widthPx / 4, -0.5)
    expect(Math.max(...ys)).toBeCloseTo(plot.yPx + plot.heightPx / 2, -0.5)
    const whole = ofKind(inputOf({ selectedRange: { x0: 25, x1: 50 } }), 'box')
    expect(whole.some(({ heightPx }) => heightPx > plot.heightPx)).toBe(true)
  })
})
