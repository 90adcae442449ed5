import { describe, expect, it } from 'vitest'
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import { packSpans } from '../../plot/annotations.ts'
import { curvesOf } from '../../plot/curve-lines.ts'
import { bytesToPx, xToPx } from '../../plot/scales.ts'
import { stepPath } from '../../plot/step-curve.ts'
import { fitMiddle, fitText, textFrame, textsOverlap } from '../../plot/text-fit.ts'
import type { Item } from '../../scene/display-list.ts'
import { dark } from '../../theme/tokens.ts'
import { layoutTimeline } from './layout.ts'
import { buildTimeline, hitTest, topBytes } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { titleOfDevice } from './picture-model.ts'

const mebi = 2 ** 20
const f64 = (...values: number[]) => new Float64Array(values)
const curve = (...values: number[]) => ({ min: f64(...values), max: f64(...values), rep: f64(...values) })
const range = { x0: 0, x1: 8 }
const curves = {
  range,
  axis: 'event',
  device: 0,
  data: {
    repEvent: f64(0, 1, 2, 3, 4, 5, 6, 7),
    firstEvent: f64(0, 1, 2, 3, 4, 5, 6, 7),
    lastEvent: f64(1, 2, 3, 4, 5, 6, 7, 8),
    repTimeNs: f64(0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6),
    allocated: curveOf(1, 2, 3, 3, 3, 2, 1, 1),
    active: curveOf(1, 2, 3, 3, 3, 3, 1, 1),
    reserved: curveOf(4, 4, 4, 4, 4, 4, 4, 4),
    requested: curveOf(1, 2, 3, 3, 3, 2, 1, 1),
  },
} as const

function curveOf(...mebibytes: number[]) {
  return curve(...mebibytes.map((value) => value * mebi))
}

const device: DeviceSummary = {
  device: 0,
  deviceType: 'cuda',
  eventCount: 8,
  allocationCount: 3,
  neverFreedCount: 1,
  noStackCount: 0,
  firstTimeNs: 0,
  lastTimeNs: 7e6,
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
  oomCount: 1,
  ooms: [{ event: 6, timeNs: 6e6, sizeBytes: 5 * mebi, deviceFreeBytes: null }],
}

const annotation = { name: 'step', startNs: 1e6, endNs: 5e6, startEvent: 1, endEvent: 5 }
const spans = packSpans([annotation], 'event', 8, 4)

function inputOf(change: Partial<TimelineInput> = {}): TimelineInput {
  return {
    device,
    axis: 'event',
    colorBy: 'stack',
    hasTimes: true,
    startsLate: false,
    visible: range,
    home: range,
    y1: topBytes(device.peakReservedBytes, device.peakAllocatedBytes),
    overviewTop: topBytes(device.peakReservedBytes, device.peakAllocatedBytes),
    emphasised: undefined,
    curves,
    raster: undefined,
    overview: curves,
    spans,
    outline: undefined,
    cursor: undefined,
    selectedRange: undefined,
    layout: layoutTimeline(900, 540, 1),
    tokens: dark,
    measure: (text, sizePx) => text.length * sizePx * 0.55,
    t: (key, values) => (values ? `${key} ${Object.values(values).join(' ')}` : key),
    ...change,
  }
}

const items = (input: TimelineInput): Item[] => buildTimeline(input).flatMap((layer) => layer.items)
const texts = (input: TimelineInput): string[] =>
  items(input).flatMap((item) =>
    item.kind === 'text'
      ? [
          item.spans
            .map(({ text }) => text)
            .join('')
            .replaceAll('\u00a0', ' '),
        ]
      : [],
  )

describe('the picture', () => {
  it('names axes, peak, failures, reserved and annotations', () => {
    const shown = texts(inputOf())
    for (const text of ['event', 'time', '1 MiB', '3.00 MiB  peakAt 2', 'OOM: 5.00 MiB requested', 'Reserved 4.00 MiB', 'step', '4 ms'])
      expect(shown).toContain(text)
  })

  it('says what lies before a history that starts late', () => {
    const late = inputOf({ startsLate: true, visible: { x0: -4, x1: 8 } })
    expect(texts(late)).toContain('beforeUnknown')
    expect(items(late).some((item) => item.kind === 'hatch')).toBe(true)
  })

  it('of the CPU speaks of no GPU, and of nothing that is reserved there, also where the file says so', () => {
    const cpu = { ...device, device: -1, deviceType: 'cpu' }
    const shown = texts(inputOf({ device: cpu }))
    expect(shown.filter((text) => /Reserved|cached/.test(text))).toEqual([])
    expect(curvesOf(cpu).map(({ name }) => name)).toEqual(['allocated'])
    const paths = (of: DeviceSummary) => items(inputOf({ device: of, overview: undefined })).filter(({ kind }) => kind === 'path').length
    expect(paths(cpu)).toBeLessThan(paths(device))
    expect([titleOfDevice(cpu), titleOfDevice(device)]).toEqual(['CPU memory over time', 'GPU memory over time'])
  })

  it('leaves out times where the file has none', () => {
    expect(texts(inputOf({ hasTimes: false }))).not.toContain('time')
  })

  it('keeps its texts apart', () => {
    const end = {
      ...device,
      peakEvent: 7,
      peakAllocatedBytes: 4 * mebi,
      ooms: [{ event: 7, timeNs: 7e6, sizeBytes: 512, deviceFreeBytes: null }],
    }
    const input = inputOf({ device: end })
    const all = items(input).filter((item) => item.kind === 'text')
    const touching = all.flatMap((a, index) => all.slice(index + 1).filter((b) => textsOverlap(a, b, input.measure)))
    expect(touching).toEqual([])
    expect(all.some(({ spans: [first] }) => first?.text.startsWith('Reserved'))).toBe(true)
  })

  it('has room for the names left of it', () => {
    const input = inputOf()
    const names = items(input).filter((item) => item.kind === 'text' && item.align === 'right')
    expect(names.some((item) => item.kind === 'text' && item.spans[0]?.text === 'annotations')).toBe(true)
    for (const item of names) if (item.kind === 'text') expect(textFrame(item, input.measure).xPx).toBeGreaterThanOrEqual(0)
  })

  it('draws no annotation below a lane that has no room for its row', () => {
    const nested = packSpans([annotation, { ...annotation, name: 'inner', startEvent: 2, endEvent: 4 }], 'event', 8, 4)
    const boxesIn = (laneRows: number) => {
      const { lane } = layoutTimeline(900, 540, laneRows)
      return items(inputOf({ spans: nested, layout: layoutTimeline(900, 540, laneRows) })).filter(
        (item) => item.kind === 'box' && item.yPx > lane.yPx && item.yPx < lane.yPx + lane.heightPx - 1,
      )
    }
    expect(nested.map(({ row }) => row)).toEqual([0, 1])
    expect(boxesIn(2).length).toBeGreaterThan(boxesIn(1).length)
    const { lane } = layoutTimeline(900, 540, 1)
    for (const item of boxesIn(1)) if (item.kind === 'box') expect(item.yPx + item.heightPx).toBeLessThanOrEqual(lane.yPx + lane.heightPx)
  })

  it('cuts no text at the top of a low plot', () => {
    for (const heightPx of [130, 150, 170, 190, 220, 300]) {
      const layout = layoutTimeline(900, heightPx, 1)
      const inPlot = items(inputOf({ layout })).filter((item) => item.kind === 'text' && item.spans[0]?.text.startsWith('Reserved'))
      for (const item of inPlot) expect(item.kind === 'text' && item.yPx - layout.plot.yPx).toBeGreaterThanOrEqual(8)
    }
  })

  it('keeps the number of the peak off the reserved line, inside the plot', () => {
    const near = { ...curves.data, reserved: curveOf(3.1, 3.1, 3.1, 3.1, 3.1, 3.1, 3.1, 3.1) }
    const input = inputOf({ curves: { ...curves, data: near } })
    const text = items(input).find((item) => item.kind === 'text' && item.spans[0]?.text === '3.00\u00a0MiB')
    if (text?.kind !== 'text') throw new Error('the peak has no number')
    const { plot } = input.layout
    const line = bytesToPx({ visible: input.visible, y1: input.y1, plot }, 3.1 * mebi)
    expect(Math.abs(text.yPx - line)).toBeGreaterThan(text.sizePx / 2)
    expect(text.xPx).toBeLessThan(plot.xPx + plot.widthPx)
  })

  it('puts the number of a late peak before a spike that would run through it, with a line to its mark', () => {
    const late: DeviceSummary = { ...device, peakEvent: 7, peakTimeNs: 7e6, ooms: [] }
    const spiked = { ...curves, data: { ...curves.data, reserved: curveOf(2, 2, 2, 2, 2, 4, 2, 3.5) } }
    const found = (of: typeof curves) => {
      const all = items(inputOf({ device: late, curves: of, y1: 3.3 * mebi }))
      const text = all.find((item) => item.kind === 'text' && item.spans[1]?.text.includes('peakAt'))
      if (text?.kind !== 'text') throw new Error('the peak has no number')
      return { frame: textFrame(text, inputOf().measure), yPx: text.yPx, all }
    }
    const [still, moved] = [found(curves), found(spiked)]
    const { plot } = inputOf().layout
    const strikePx = xToPx({ visible: range, plot }, 5)
    expect(still.frame.xPx + still.frame.widthPx).toBeGreaterThan(strikePx)
    expect(moved.frame.xPx + moved.frame.widthPx).toBeLessThan(strikePx)
    const leads = (item: Item) => item.kind === 'path' && item.points.length === 4 && Math.abs((item.points[1] ?? 0) - moved.yPx) <= 1
    expect(
      moved.all.some((item) => leads(item) && item.kind === 'path' && (item.points[0] ?? 0) > moved.frame.xPx + moved.frame.widthPx),
    ).toBe(true)
  })

  it('names the band of what a trace held before it began', () => {
    const label = { allocationId: 7, column0: 0, column1: 8, y0Bytes: 0, bytes: mebi, title: '' }
    const named = (isHeldBefore: boolean) => {
      const data = { columns: 8, rows: 4, cells: new Uint8Array(32).fill(25), shown: 1, folded: 0, foldedBytes: 0 }
      const raster = { range, axis: 'event', device: 0, y1: 4 * mebi, colorBy: 'stack' } as const
      return texts(inputOf({ raster: { ...raster, data: { ...data, labels: [{ ...label, isHeldBefore }] } } })).filter((text) =>
        text.startsWith('('),
      )
    }
    expect(named(true)).toEqual(['(held before the profile) · 1.00 MiB'])
    expect(named(false)).toEqual(['(no Python frames) · 1.00 MiB'])
  })

  it('outlines the selected allocation along its steps', () => {
    const outline = {
      range,
      axis: 'event',
      device: 0,
      allocationId: 1,
      bytes: mebi,
      data: { y0: f64(Number.NaN, mebi, mebi, 0, 0, Number.NaN, Number.NaN, Number.NaN) },
    } as const
    const paths = items(inputOf({ outline })).filter((item) => item.kind === 'path' && item.widthPx === 2)
    expect(paths).toHaveLength(1)
  })
})

it('joins equal columns of a curve into one step and lifts the pen over unknown ones', () => {
  const scales = { visible: range, y1: 4, plot: { xPx: 0, yPx: 0, widthPx: 80, heightPx: 40 } }
  expect(stepPath(curves, f64(1, 1, 1, 2, 2, Number.NaN, Number.NaN, 1), scales)).toEqual([
    0.5,
    30.5,
    30.5,
    30.5,
    30.5,
    20.5,
    50.5,
    20.5,
    Number.NaN,
    Number.NaN,
    70.5,
    30.5,
    80.5,
    30.5,
  ])
})

describe('a fitted height', () => {
  const fitted = (y1: number) => inputOf({ y1, overviewTop: 4.4 * mebi })

  it('names the reserved memory at the edge that cuts it', () => {
    const cut = items(fitted(3.2 * mebi)).find((item) => item.kind === 'text' && item.spans[0]?.text.startsWith('Reserved'))
    expect(cut?.kind === 'text' && cut.yPx < inputOf().layout.plot.yPx + 60).toBe(true)
    const marks = (y1: number) => items(fitted(y1)).filter((item) => item.kind === 'triangle').length
    expect(marks(3.2 * mebi)).toBe(marks(4.4 * mebi) + 1)
  })

  it('leaves the overview as it is', () => {
    const area = (y1: number) => buildTimeline(fitted(y1))[0]?.items.filter((item) => item.kind === 'box' && item.alpha === 0.95)
    expect(area(3.2 * mebi)).toEqual(area(4.4 * mebi))
  })
})

it('shortens names from the middle', () => {
  const measure = (text: string) => [...text].length * 10
  expect([200, 90, 60, 30].map((width) => fitMiddle('forward_block_12', width, measure))).toEqual([
    'forward_block_12',
    'forw…k_12',
    'for…12',
    undefined,
  ])
})

describe('hits', () => {
  const input = inputOf({ visible: { x0: 2, x1: 6 } })
  const { overview, plot, lane } = input.layout
  const overviewXPx = (x: number) => overview.xPx + (x / 8) * overview.widthPx
  const name = (xPx: number, yPx: number): string => {
    const hit = hitTest(input, xPx, yPx)
    if (hit?.region === 'overview') return `overview ${hit.part}`
    if (hit?.region === 'lane') return `lane ${hit.placed?.span.name ?? '-'}`
    if (hit?.region === 'plot') return `plot ${hit.mark?.kind ?? '-'} ${Math.round(hit.bytes / mebi)}`
    return hit?.region ?? '-'
  }

  it('tells the parts of the overview, lane, ruler and plot apart', () => {
    const at = [
      name(overviewXPx(2), overview.yPx + 5),
      name(overviewXPx(6) + 3, overview.yPx + 5),
      name(overviewXPx(4), overview.yPx + 5),
      name(overviewXPx(7), overview.yPx + 5),
      name(plot.xPx + 5, input.layout.ruler.yPx + 5),
      name(plot.xPx + 50, lane.yPx + 8),
      name(xToPx({ visible: input.visible, plot }, 5.5), lane.yPx + 8),
      name(plot.xPx + 300, plot.yPx + plot.heightPx / 2),
      name(10, plot.yPx + 10),
    ]
    expect(at).toEqual([
      'overview left',
      'overview right',
      'overview window',
      'overview outside',
      'ruler',
      'lane step',
      'lane -',
      'plot - 2',
      '-',
    ])
  })

  it('finds the marks within reach', () => {
    const scales = { visible: input.visible, y1: input.y1, plot }
    const peakY = plot.yPx + plot.heightPx * (1 - (3 * mebi) / input.y1)
    expect(name(xToPx(scales, 2.5) + 4, peakY - 5)).toBe('plot peak 3')
  })
})

it('cuts texts to a width but not to less than three characters', () => {
  const measure = (text: string) => [...text].length * 10
  expect([100, 60, 40, 30].map((width) => fitText('linear.py', width, measure))).toEqual(['linear.py', 'linea…', 'lin…', undefined])
})
