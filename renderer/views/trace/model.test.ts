import { describe, expect, it } from 'vitest'
import { placeSpans } from '../../plot/annotations.ts'
import { xToPx } from '../../plot/scales.ts'
import type { Box, DisplayList, Item, TextItem } from '../../scene/display-list.ts'
import { gridOf, slicePx } from './cells.ts'
import { cellOf, tracePalette } from './colors.ts'
import { drawSpillMarks } from './draw-heads.ts'
import { sliceFrame } from './draw-marks.ts'
import { eachRun } from './draw-memory.ts'
import { LabelCutter, shortTitle } from './labels.ts'
import { lanePx, layoutTrace, rowPaddingPx } from './layout.ts'
import { boxAt, buildTrace, hitTest, instantAt, rowsBetween, snapToEdge } from './model.ts'
import { busy, firstBoxes } from './questions.ts'
import { marksOf } from './spans.ts'
import { inputOf, measure, raster, sliceRow } from './test-answers.ts'

const itemsOf = (list: DisplayList): Item[] => list.flatMap(({ items }) => [...items])
const textsOf = (list: DisplayList): string[] =>
  itemsOf(list)
    .filter((item): item is TextItem => item.kind === 'text')
    .map(({ spans }) => spans.map(({ text }) => text).join(''))
const topOf = (key: string, input = inputOf()): number => input.shown.find(({ row }) => row.key === key)?.topPx ?? Number.NaN

const flatCurves = { allocated: { max: new Float64Array([1024]) }, reserved: { max: new Float64Array([4096]) } }

describe('the picture', () => {
  it('names memory, processes and tracks at the left, and slices on their boxes', () => {
    const texts = textsOf(buildTrace(inputOf()))
    for (const text of ['GPU\u00a00 memory', 'thread 0', 'stream 7', 'aten::mm', 'aten::empty', 'gemm']) expect(texts).toContain(text)
    expect(texts.some((text) => text.startsWith('python (7)'))).toBe(true)
  })

  it('has one raster at most, whatever is pinned', () => {
    const input = inputOf({ look: { pinned: ['t3', 'm0'] } })
    expect(itemsOf(buildTrace(input)).filter(({ kind }) => kind === 'raster')).toHaveLength(1)
  })

  it('stretches the raster of another range into place', () => {
    const input = inputOf({ patch: { visible: { x0: 500, x1: 1000 } } })
    const [cells] = itemsOf(buildTrace(input)).filter((item) => item.kind === 'raster')
    const { plot } = input.layout
    expect(cells).toMatchObject({ xPx: plot.xPx - plot.widthPx, widthPx: 2 * plot.widthPx })
  })

  it('keeps every box and label inside the layer that cuts it', () => {
    const input = inputOf({ patch: { visible: { x0: 400, x1: 401 } } })
    for (const { items } of buildTrace(input))
      for (const item of items) if (item.kind === 'box') expect(Math.abs(item.xPx) + item.widthPx).toBeLessThan(4000)
  })

  it('ends a box in teeth where the file has no end of its slice', () => {
    const input = inputOf()
    const { plot } = input.layout
    const teeth = itemsOf(buildTrace(input)).filter((item) => item.kind === 'triangle' && item.points[4] > plot.xPx)
    expect(teeth).toHaveLength(4)
    // Only the last box on the stream has none: it ends at 1,000.
    expect(new Set(teeth.map((item) => item.kind === 'triangle' && item.points[4]))).toEqual(new Set([plot.xPx + plot.widthPx]))
    expect(boxAt(input, 3, 700)).toMatchObject({ sliceId: 4, isUnfinished: true })
    expect(boxAt(input, 3, 200)).toMatchObject({ sliceId: 3, isUnfinished: false })
  })

  it('has a lane of steps above the tracks, and their borders through them', () => {
    const spans = placeSpans(marksOf([{ name: 'ProfilerStep#3', trackId: 0, startNs: 100, endNs: 600 }]), 'time', 1000, 4)
    const layout = layoutTrace(1200, 480, 1)
    const input = inputOf({ patch: { spans, layout } })
    expect(textsOf(buildTrace(input))).toContain('Step 3 · 500\u00a0ns')
    const at = (x: number) => xToPx({ visible: input.visible, plot: layout.plot }, x)
    expect(hitTest(input, at(300), layout.lane.yPx + 8)).toMatchObject({ region: 'lane', mark: { step: 3, x0: 100, x1: 600 } })
    expect(hitTest(input, at(700), layout.lane.yPx + 8)).toMatchObject({ region: 'lane', mark: undefined })
    const dashed = itemsOf(buildTrace(input)).filter((item) => item.kind === 'path' && item.dashPx)
    expect(dashed).toHaveLength(1)
  })

  it('draws the memory that a device has where its curves come near it, and tells it in the heading in any case', () => {
    const memory = new Map([[0, { range: { x0: 0, x1: 1000 }, axis: 'time', device: 0, data: flatCurves } as never]])
    const of = (bytes: number) => {
      const capacities = [{ device: 0, bytes }]
      const input = inputOf({ patch: { memory, tracks: { ...inputOf().tracks, capacities } } })
      const list = buildTrace(input)
      return { dashed: itemsOf(list).filter((item) => item.kind === 'path' && item.dashPx), texts: textsOf(list) }
    }
    expect(of(5000).dashed).toHaveLength(1)
    expect(of(5000).texts).toContain('device has 4.88\u00a0KiB')
    expect(of(5000).texts).toContain('peak 2.00\u00a0KiB of 4.88\u00a0KiB')
    expect(of(1 << 20).dashed).toHaveLength(0)
    expect(of(1 << 20).texts).toContain('peak 2.00\u00a0KiB of 1.00\u00a0MiB')
  })

  it('lets what is not emphasised step back, boxes and cells alike', () => {
    const colorAt = (emphasis: ReadonlySet<number> | undefined) =>
      (itemsOf(buildTrace(inputOf({ patch: { emphasis } }))).find(
        (item): item is Box => item.kind === 'box' && item.heightPx === slicePx && item.widthPx > 900,
      )?.color ?? []) as readonly number[]
    expect(colorAt(new Set([1]))).toEqual(colorAt(undefined))
    expect(colorAt(new Set([2]))).not.toEqual(colorAt(undefined))
    const { tokens } = inputOf()
    expect(tracePalette(tokens, new Set([2])).subarray(4, 8)).not.toEqual(tracePalette(tokens, undefined).subarray(4, 8))
  })

  it('marks the spill lanes in sight only, however many the track has', () => {
    const spillLanes = Array.from({ length: 50_000 }, (_, index) => index + 1)
    const { processes, tracks } = inputOf().tracks
    const wide = tracks.map((track) => (track.trackId === 0 ? { ...track, laneCount: 50_001, spillLanes } : track))
    const input = inputOf({ look: { tracks: { processes, tracks: wide } }, scrollPx: 20_000 })
    const marks = drawSpillMarks(input, false)
    expect(marks.length).toBeGreaterThan(10)
    expect(marks.length).toBeLessThan(100)
  })

  it('outlines the selected slice where it lies, also in a folded track', () => {
    const open = inputOf()
    expect(sliceFrame(open, sliceRow())).toMatchObject({
      xPx: open.layout.plot.xPx,
      yPx: topOf('t0') + rowPaddingPx + lanePx,
      isPinned: false,
    })
    const folded = inputOf({ look: { collapsed: new Set(['t0']) } })
    expect(sliceFrame(folded, sliceRow())?.yPx).toBe(topOf('t0', folded) + rowPaddingPx)
    expect(sliceFrame(inputOf({ look: { collapsed: new Set(['p0']) } }), sliceRow())).toBeUndefined()
  })

  it('draws an arrow from the end of one slice to the start of the other', () => {
    const [from, to] = [sliceRow({ durNs: 100 }), sliceRow({ sliceId: 4, trackId: 3, laneId: 3, startNs: 500, durNs: 500 })]
    const plain = itemsOf(buildTrace(inputOf({ patch: { selected: from } })))
    const input = inputOf({ patch: { selected: from, flows: [{ name: 'launch', category: 'ac2g', from, to }] } })
    const list = itemsOf(buildTrace(input))
    const target = sliceFrame(input, to)?.xPx ?? Number.NaN
    const heads = list.filter((item) => item.kind === 'triangle' && item.points[4] === target)
    expect(heads).toHaveLength(1)
    expect(list.length).toBeGreaterThan(plain.length)
  })

  it('veils the rows of an area alone', () => {
    const range = { x0: 200, x1: 400 }
    const veils = (areaRows: readonly string[] | undefined) =>
      itemsOf(buildTrace(inputOf({ patch: { selectedRange: range, areaRows } })))
        .filter((item): item is Box => item.kind === 'box' && item.alpha === 0.12)
        .map(({ yPx, heightPx }) => [yPx, heightPx])
    const { plot } = inputOf().layout
    expect(veils(undefined)).toEqual([[plot.yPx, plot.heightPx]])
    expect(veils(['t0', 't1'])).toEqual([[topOf('t0'), 3 * lanePx + lanePx + 4 * rowPaddingPx]])
  })
})

describe('cells', () => {
  it('lie where their lane lies, two pixels high', () => {
    const input = inputOf()
    const { plot } = input.layout
    const grid = gridOf(raster, input.shown, plot, input.rows.pinnedPx)
    const rowOf = (yPx: number) => grid.rows - 1 - Math.floor((yPx - plot.yPx) / 2)
    const cell = (column: number, yPx: number) => (grid.cells[column * grid.rows + rowOf(yPx)] ?? 0) & 63
    const first = topOf('t0') + rowPaddingPx
    expect([cell(0, first), cell(9, first + slicePx - 1)]).toEqual([1, 1])
    expect(cell(0, first + slicePx)).toBe(0)
    expect([cell(4, first + lanePx), cell(5, first + lanePx)]).toEqual([2, 0])
    expect([cell(0, topOf('t3') + rowPaddingPx), cell(1, topOf('t3') + rowPaddingPx)]).toEqual([0, 3])
  })

  it('of rows that scrolled below the pinned ones do not show through', () => {
    const input = inputOf({ heightPx: 240, scrollPx: 40 })
    const { plot } = input.layout
    const grid = gridOf(raster, input.shown, plot, input.rows.pinnedPx)
    const pinnedRows = input.rows.pinnedPx / 2
    for (let row = grid.rows - pinnedRows; row < grid.rows; row++) expect(grid.cells[row]).toBe(0)
    expect(grid.cells.some((value) => value !== 0)).toBe(true)
  })

  it('are stronger the more of their column is covered', () => {
    expect([1, 64, 128, 255].map((fill) => cellOf(5, fill) >> 6)).toEqual([0, 1, 2, 3])
    expect(cellOf(0, 255)).toBe(0)
  })
})

describe('the pointer', () => {
  const input = inputOf()
  const { plot, ruler } = input.layout
  const middle = plot.xPx + plot.widthPx / 2

  it('finds rows and lanes, headings, their pins, and the ruler', () => {
    expect(hitTest(input, middle, topOf('t0') + rowPaddingPx + lanePx + 3)).toMatchObject({ region: 'rows', laneId: 1, x: 500 })
    expect(hitTest(input, 20, topOf('t0') + 5)).toMatchObject({ region: 'head', part: 'fold' })
    expect(hitTest(input, plot.xPx - 12, topOf('t0') + 5)).toMatchObject({ region: 'head', part: 'pin' })
    expect(hitTest(input, 20, topOf('t3') + 5)).toMatchObject({ region: 'head', part: 'name' })
    expect(hitTest(input, middle, ruler.yPx + 4)).toMatchObject({ region: 'ruler' })
    expect(hitTest(input, middle, topOf('m0') + 4)).toMatchObject({ region: 'rows', laneId: undefined })
  })

  it('finds the scroll bar while there are more rows than room', () => {
    const low = inputOf({ heightPx: 240 })
    const x = low.layout.widthPx - 6
    expect(hitTest(low, x, low.layout.plot.yPx + low.rows.pinnedPx + 2)).toEqual({ region: 'scrollBar', isThumb: true })
    expect(hitTest(input, x, plot.yPx + 100)).toBeUndefined()
  })

  it('finds the box under it, ends excluded', () => {
    expect(boxAt(input, 3, 499)).toMatchObject({ sliceId: 3, category: 'cpu_op' })
    expect(boxAt(input, 3, 500)?.sliceId).toBe(4)
    expect(boxAt(input, 3, 99)).toBeUndefined()
    expect(boxAt(input, 99, 500)).toBeUndefined()
  })

  it('finds the instant nearest to it, on the first line of its track alone', () => {
    const first = new Float64Array(100).fill(Number.NaN)
    const count = new Float64Array(100)
    for (const [column, id] of [
      [50, 7],
      [52, 8],
    ] as const) {
      first[column] = id
      count[column] = 1
    }
    const marked = inputOf({ patch: { marks: new Map([[1, { range: { x0: 0, x1: 1000 }, count, first }]]) } })
    const row = marked.shown.find(({ row: each }) => each.key === 't1')
    if (!row) throw new Error('no row')
    expect(instantAt(marked, row, 505, row.topPx + 4)).toBe(7)
    expect(instantAt(marked, row, 523, row.topPx + 4)).toBe(8)
    expect(instantAt(marked, row, 900, row.topPx + 4)).toBeUndefined()
    expect(instantAt(marked, row, 505, row.topPx + rowPaddingPx + lanePx)).toBeUndefined()
  })

  it('takes every row that a drag touches, in either direction', () => {
    expect(rowsBetween(input, topOf('t1') + 3, topOf('t0') + 3)).toEqual(['t0', 't1'])
  })

  it('takes a process for its tracks only while they are folded into it', () => {
    expect(rowsBetween(input, topOf('p0') + 3, topOf('t0') + 3)).toEqual(['t0'])
    const folded = inputOf({ look: { collapsed: new Set(['p0']) } })
    expect(rowsBetween(folded, topOf('p0', folded) + 3, topOf('p0', folded) + 5)).toEqual(['p0'])
  })

  it('sticks to the ends of slices within six pixels', () => {
    const row = input.shown.find(({ row: each }) => each.key === 't3')
    const perPx = 1000 / plot.widthPx
    expect(snapToEdge(input, 500 + 4 * perPx, row, false)).toBe(500)
    expect(snapToEdge(input, 500 + 4 * perPx, row, true)).toBe(500 + 4 * perPx)
    expect(snapToEdge(input, 500 + 20 * perPx, row, false)).toBe(500 + 20 * perPx)
  })

  it('sticks to the ends of steps in every row and on the ruler, to what is nearest where there is both', () => {
    const perPx = 1000 / plot.widthPx
    const spans = placeSpans(marksOf([{ name: 'ProfilerStep#3', trackId: 0, startNs: 300, endNs: 500 + 5 * perPx }]), 'time', 1000, 4)
    const marked = inputOf({ patch: { spans } })
    const row = marked.shown.find(({ row: each }) => each.key === 't3')
    expect(snapToEdge(marked, 300 - 4 * perPx, undefined, false)).toBe(300)
    expect(snapToEdge(marked, 300 - 4 * perPx, undefined, true)).toBe(300 - 4 * perPx)
    expect(snapToEdge(marked, 500 + 1 * perPx, row, false)).toBe(500)
    expect(snapToEdge(marked, 500 + 4 * perPx, row, false)).toBe(500 + 5 * perPx)
  })
})

describe('names', () => {
  it.each([
    ['aten::mm', 'aten::mm'],
    ['void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int, float)', 'vectorized_elementwise_kernel'],
    ['ampere_sgemm_128x64_tn', 'ampere_sgemm_128x64_tn'],
    ['torch/nn/modules/module.py(1501): _call_impl', '_call_impl module.py:1501'],
    ['<string>(2): <lambda>', '<lambda> <string>:2'],
    ['<built-in method run_backward of object at 0x7f>', 'run_backward'],
    ['<built-in function linear>', 'linear'],
    ['nn.Module: Linear_0', 'Linear_0'],
    ['Memcpy HtoD (Pageable -> Device)', 'Memcpy HtoD (Pageable -> Device)'],
    ['ProfilerStep#3', 'ProfilerStep#3'],
  ])('%s is shown as %s', (title, short) => expect(shortTitle(title)).toBe(short))

  it('are cut at their end, and left out where fewer than three characters would be left', () => {
    const cutter = new LabelCutter(measure, 11)
    expect(cutter.fit('aten::empty', 66)).toBe('aten::empty')
    expect(cutter.fit('aten::empty', 60)).toBe('aten::emp…')
    expect(cutter.fit('aten::empty', 23)).toBeUndefined()
  })
})

describe('answers', () => {
  it('tell which boxes belong to a lane', () => {
    expect(firstBoxes(new Float64Array([0, 0, 2]), 4)).toEqual([0, 2, 2, 3, 3])
  })

  it('of no memory become how busy the tracks are', () => {
    const { allocated } = busy(Uint8Array.from([0, 255, 100, 0, 255, 0]), 3)
    expect([...allocated.max]).toEqual([0, 0.9, (0.9 * 100) / 510])
  })

  it('join columns of one height and leave unknown ones out', () => {
    const runs: number[][] = []
    eachRun(new Float64Array([Number.NaN, 1, 1.2, 3]), 1, (...run) => runs.push(run))
    expect(runs).toEqual([
      [1, 3, 1],
      [3, 4, 3],
    ])
  })
})
