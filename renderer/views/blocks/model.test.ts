import { describe, expect, it } from 'vitest'
import type { BlockRaster, Segments } from '../../../preload/contract/queries.ts'
import { textFrame, textsOverlap } from '../../plot/text-fit.ts'
import type { DisplayList, Item, TextItem } from '../../scene/display-list.ts'
import { contrast, mix, parseHex } from '../../theme/palette.ts'
import { dark, light } from '../../theme/tokens.ts'
import { viewportOf } from './assemble.ts'
import { allocatedSlot, blockPalette, cellColor, leftOutBlockSlot, paintedColor } from './block-colors.ts'
import type { Picture } from './blocks-data.ts'
import { composeRaster, runsOf } from './compose.ts'
import { axisTicks } from './draw-axis.ts'
import { blocksInSight, drawRounding } from './draw-blocks.ts'
import { drawRequest } from './draw-request.ts'
import { drawRows } from './draw-rows.ts'
import { fittingRowPx, layoutBlocks } from './layout.ts'
import { addressAt, chooseLineBytes, linesOf, placeOfAddress, type Scaling, stretchesOf } from './lines.ts'
import { buildBlocks, hitTest } from './model.ts'
import { type BlocksInput, homeOf, xToPx } from './model-input.ts'
import { f64, mebi, rasterAnswer, reportOf, segmentsOf } from './test-answers.ts'
import { blocksText } from './texts.ts'

const segments = segmentsOf([240, 240, 120], [54, 9, 0])

describe('lines', () => {
  it('keeps a segment in one line while all of them are readable', () => {
    expect(chooseLineBytes(segmentsOf([240, 240, 240, 240, 240, 240, 240], [0, 0, 0, 0, 0, 0, 0]).totalBytes)).toBe(0)
  })

  it('breaks a segment that is much longer than a readable line into lines of a power of two', () => {
    const long = segmentsOf([1500, 26], [100, 6])
    const list = linesOf(long, 'scale')
    expect(list.lineBytes).toBe(256 * mebi)
    expect(list.lines.map(({ bytes }) => bytes / mebi)).toEqual([256, 256, 256, 256, 256, 220, 26])
    expect(list.lines.at(-1)).toMatchObject({ segment: 1, offset: 0, place: 6 })
    expect(stretchesOf(list, 0, 200 * mebi, 100 * mebi)).toEqual([
      { row: 0, from: 200 * mebi, to: 256 * mebi },
      { row: 1, from: 0, to: 44 * mebi },
    ])
  })

  it('leaves fully used segments out of the compact map, counts them, and keeps the places of the engine', () => {
    const list = linesOf(segmentsOf([240, 240, 120], [54, 0, 9]), 'compact')
    expect(list.hidden).toBe(1)
    expect(list.lines.map(({ segment, place }) => [segment, place])).toEqual([
      [0, 0],
      [2, 2],
    ])
    expect(stretchesOf(list, 1, 0, mebi)).toEqual([])
  })

  it('finds addresses exactly, also where a float would round', () => {
    const high: Segments = { ...segments, addresses: ['0x7fffffffff000001', '0x10', '0x20000000'] }
    expect(placeOfAddress(high, '0x7fffffffff000004')).toEqual({ segment: 0, offset: 3 })
    expect(addressAt(high, 0, 3)).toBe('0x7fffffffff000004')
    expect(placeOfAddress(high, '0x5')).toBeUndefined()
  })
})

describe('raster', () => {
  it('asks for neighbouring lines of one scale at once', () => {
    expect(runsOf(linesOf(segments, 'scale'), 'scale', 0, 9)).toEqual([{ row: 0, rows: 3, place: 0, lines: 3, scale: 1 }])
    expect(runsOf(linesOf(segments, 'normalise'), 'normalise', 0, 9).map(({ rows, scale }) => [rows, scale])).toEqual([
      [2, 1],
      [1, 2],
    ])
    const gapped = linesOf(segmentsOf([20, 20, 20], [2, 0, 2]), 'compact')
    expect(runsOf(gapped, 'compact', 0, 9)).toEqual([{ row: 0, rows: 2, place: 0, lines: 3, scale: 1 }])
  })

  it('puts each line into six eighths of its row, the first line on top', () => {
    const list = linesOf(segmentsOf([20, 20, 20], [2, 0, 2]), 'compact')
    const [run] = runsOf(list, 'compact', 0, 2)
    if (!run) throw new Error('no run')
    const data = rasterAnswer(new Uint8Array([7, 8, 1, 1, 9, 10]), 2, 3)
    const { rows, cells } = composeRaster(list.lines, 0, 2, 2, [{ run, data }])
    expect(rows).toBe(16)
    const column = [...cells.subarray(0, 16)].reverse()
    expect(column).toEqual([0, 7, 7, 7, 7, 7, 7, 0, 0, 9, 9, 9, 9, 9, 9, 0])
  })
})

/** A 54 MiB free block, then 186 MiB allocated with half a MiB lost, in the first segment; the second wholly allocated. */
const boxes: NonNullable<BlockRaster['boxes']> = {
  line: f64(0, 0, 1, 1, 2),
  offset: f64(0, 54 * mebi, 0, 9 * mebi, 0),
  bytes: f64(54 * mebi, 186 * mebi, 9 * mebi, 231 * mebi, 120 * mebi),
  requested: f64(0, 150 * mebi, 0, 231 * mebi, 120 * mebi),
  state: f64(0, 1, 0, 1, 2),
  slot: f64(0, 1, 0, 1, 2),
  allocation: f64(-1, 4, -1, 5, 6),
  titles: ['', 'forward linear.py:134', '', 'step adam.py:20', 'grad engine.py:7'],
}

function inputOf(scaling: Scaling = 'scale', patch: Partial<BlocksInput> = {}): BlocksInput {
  const list = linesOf(segments, scaling)
  const [run] = runsOf(list, 'scale', 0, 3)
  if (!run) throw new Error('no run')
  const picture: Picture = {
    device: 0,
    event: 7,
    order: 'address',
    scaling,
    colorBy: 'state',
    segments,
    report: reportOf({}),
    list,
    range: { x0: 0, x1: list.longest },
    first: 0,
    end: list.lines.length,
    chunks: [{ run, data: rasterAnswer(new Uint8Array(30), 10, 3, boxes) }],
    raster: composeRaster(list.lines, 0, 3, 10, []),
  }
  return {
    picture,
    home: homeOf(list.longest, undefined),
    visible: homeOf(list.longest, undefined),
    scrollPx: 0,
    rowPx: 48,
    layout: layoutBlocks(1200, 500, { hasRequest: patch.request !== undefined, hasOrigin: false }),
    selected: undefined,
    segment: undefined,
    request: undefined,
    change: undefined,
    isFlashing: false,
    dragging: undefined,
    isFinished: false,
    hasOrigin: false,
    tokens: dark,
    measure: (text, sizePx) => text.length * sizePx * 0.55,
    t: blocksText,
    ...patch,
  }
}

const itemsOf = (list: DisplayList): Item[] => list.flatMap(({ items }) => items)
const textsIn = (items: readonly Item[]): TextItem[] => items.filter((item) => item.kind === 'text')
const wordsOf = (items: readonly Item[]): string[] =>
  textsIn(items).map(({ spans }) =>
    spans
      .map(({ text }) => text)
      .join('')
      .replaceAll('\u00a0', ' '),
  )

describe('model', () => {
  it('names segments, blocks with room and the largest free block, without texts that touch', () => {
    const input = inputOf()
    const items = itemsOf(buildBlocks(input))
    expect(wordsOf(items)).toEqual(expect.arrayContaining(['0x7f86_5600_0000', '54.0 MiB largest', 'forward linear.py:134  186 MiB']))
    const texts = textsIn(items)
    const touching = texts.flatMap((a, index) => texts.slice(index + 1).filter((b) => textsOverlap(a, b, input.measure)))
    expect(touching.map(({ spans }) => spans[0]?.text)).toEqual([])
  })

  it('hatches pending frees and stripes what rounding loses', () => {
    const items = itemsOf(buildBlocks(inputOf()))
    expect(items.filter(({ kind }) => kind === 'hatch')).toHaveLength(1)
    const stripes = items.filter((item) => item.kind === 'box' && item.widthPx === 2 && item.color.join() === parseHex('#CC79A7').join())
    expect(stripes.length).toBeGreaterThan(10)
  })

  it('shows what rounding loses where blocks are too narrow for stripes: in their hue, and as a bar at the foot of the row', () => {
    const lossy = { ...segments, requestedBytes: segments.activeBytes.map((bytes) => bytes / 4) }
    const input = inputOf()
    const items = drawRounding({ ...input, picture: { ...input.picture, segments: lossy } })
    const bars = items.filter((item) => item.kind === 'box' && item.color.join() === parseHex('#CC79A7').join())
    expect(bars).toHaveLength(3)
    const [bar] = bars
    if (bar?.kind !== 'box') throw new Error('no bar')
    expect(bar.widthPx).toBeCloseTo((input.layout.plot.widthPx * 186 * 0.75) / 240, 0)
    expect(drawRounding(input)).toEqual([])
    const narrow = { ...input, visible: { x0: 0, x1: 240 * 50 * mebi } }
    const hues = (each: BlocksInput) => itemsOf(buildBlocks(each)).flatMap((item) => (item.kind === 'box' ? [item.color.join()] : []))
    const solid = paintedColor(dark, 'state', allocatedSlot)
    expect(hues(narrow)).toContain(mix(solid, parseHex('#CC79A7'), 36 / 186).join())
  })

  it('shows how far it is scrolled on the screen, never in a finished picture', () => {
    const bars = (isFinished: boolean) =>
      drawRows(inputOf('scale', { rowPx: 400, isFinished })).filter((item) => item.kind === 'box' && item.widthPx === 4)
    expect(bars(false)).toHaveLength(1)
    expect(bars(true)).toEqual([])
  })

  it('counts a block once, also where it goes on in the next line, and only what is in sight', () => {
    const input = inputOf()
    expect(blocksInSight(input)).toBe(5)
    expect(blocksInSight({ ...input, visible: { x0: 0, x1: 5 * mebi } })).toBe(3)
    const [chunk] = input.picture.chunks
    if (!chunk) throw new Error('no chunk')
    const twice = { ...boxes, line: f64(0, 0, 1, 1, 2), offset: f64(0, 54 * mebi, 0, 9 * mebi, 0) }
    const list = {
      ...input.picture.list,
      lines: input.picture.list.lines.map((line, row) => ({ ...line, segment: 0, offset: row * 240 * mebi })),
    }
    const wrapped = {
      ...twice,
      offset: f64(0, 54 * mebi, -186 * mebi, 9 * mebi, 0),
      bytes: f64(54 * mebi, 195 * mebi, 195 * mebi, 231 * mebi, 120 * mebi),
    }
    const picture = { ...input.picture, list, chunks: [{ ...chunk, data: { ...chunk.data, boxes: wrapped } }] }
    expect(blocksInSight({ ...input, picture })).toBe(4)
  })

  it('says under the pointer which byte it is and which block holds it', () => {
    const input = inputOf()
    const xPx = xToPx(input, 60 * mebi)
    const hit = hitTest(input, xPx, input.layout.rows.yPx + 24)
    expect(hit).toMatchObject({ region: 'bar', row: 0, segment: 0, box: { allocation: 4 } })
    if (hit?.region !== 'bar') return
    const offset = Number(BigInt(hit.address) - 0x7f8656000000n)
    expect(Math.abs(offset - 60 * mebi)).toBeLessThan(mebi)
    expect(hitTest(input, 20, input.layout.rows.yPx + 60)).toEqual({ region: 'name', row: 1, segment: 1 })
    expect(hitTest(input, xToPx(input, 200 * mebi), input.layout.rows.yPx + 110)).toMatchObject({ region: 'rows' })
  })

  it('stretches rows to the same width when they are normalised', () => {
    const input = inputOf('normalise')
    const end = xToPx(input, input.picture.list.longest) - 2
    expect(hitTest(input, end, input.layout.rows.yPx + 110)).toMatchObject({ region: 'bar', row: 2 })
    expect(axisTicks(input).map(({ text }) => text.replace('\u00a0', ' '))).toContain('50.0 %')
  })

  it('draws the request at the scale of the rows', () => {
    const request = { bytes: 120 * mebi, isFailed: true, fit: undefined, refused: undefined }
    const input = inputOf('scale', { request })
    const [head] = buildBlocks(input)
    const bar = head?.items.find((item) => item.kind === 'path' && item.dashPx !== undefined)
    if (bar?.kind !== 'path') throw new Error('no bar')
    const xs = bar.points.filter((_, index) => index % 2 === 0)
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(input.layout.plot.widthPx / 2, -1)
  })

  it('keeps the words of the request on one side of its end, in either language', () => {
    for (const wide of [0.55, 1]) {
      for (const bytes of [20, 90, 120, 200, 240].map((size) => size * mebi)) {
        const request = { bytes, isFailed: true, fit: undefined, refused: undefined }
        const measure = (text: string, sizePx: number) => text.length * sizePx * wide
        const input = inputOf('scale', { request, measure })
        const { plot } = input.layout
        const end = xToPx(input, bytes)
        const items = drawRequest(input)
        const words = items.find((item) => item.kind === 'text' && item.halo !== undefined)
        if (words?.kind !== 'text') throw new Error('no words')
        const frame = textFrame(words, measure)
        const right = frame.xPx + frame.widthPx
        expect(right <= end || (frame.xPx >= end && right <= plot.xPx + plot.widthPx)).toBe(true)
      }
    }
  })

  it('gives stretched rows the whole width whatever is asked for, and draws no request to a false scale', () => {
    const request = { bytes: 700 * mebi, isFailed: true, fit: undefined, refused: undefined }
    expect(homeOf(240 * mebi, request.bytes, 'normalise')).toEqual({ x0: 0, x1: 240 * mebi })
    expect(homeOf(240 * mebi, request.bytes, 'scale').x1).toBe(700 * mebi)
    const input = inputOf('normalise', { request })
    expect(drawRequest(input).filter(({ kind }) => kind === 'path')).toEqual([])
    expect(wordsOf(drawRequest(input)).join()).toContain('no common scale')
  })

  it('keeps the scale of x while the history plays, though a failed request comes by; only a longer line widens it', () => {
    const state = { visible: undefined, rowPx: undefined, scrollPx: 0, scaling: 'scale' } as const
    const { layout } = inputOf()
    const homeWith = (longest: number, heldX: number | undefined, scaling: Scaling = 'scale') =>
      viewportOf(linesOf(segmentsOf([longest], [0]), scaling), { ...state, scaling }, layout, 400 * mebi, heldX).visible.x1 / mebi
    expect(homeWith(240, undefined)).toBe(400)
    expect(homeWith(240, 250 * mebi)).toBe(250)
    expect(homeWith(20, 250 * mebi)).toBe(250)
    expect(homeWith(300, 250 * mebi)).toBe(300)
    expect(homeWith(240, 400 * mebi, 'normalise')).toBe(240)
  })

  it('shows all lines at once where rows of 16 px allow it, else rows of 24 px that scroll', () => {
    expect([7, 25, 30, 400].map((lines) => fittingRowPx(lines, 500))).toEqual([48, 20, 16, 24])
  })
})

describe.each([dark, light])('colours of the $name theme', (tokens) => {
  it('leave cells without memory open and tell free, nearly empty and full cells apart', () => {
    expect(blockPalette(tokens, 'state')[3]).toBe(0)
    const canvas = parseHex(tokens.canvas)
    const levels = [1, 2, 3, 4, 5, 6, 7].map((level) => cellColor(tokens, 'state', (level << 5) | allocatedSlot) ?? canvas)
    expect(cellColor(tokens, 'state', 1)).toEqual(canvas)
    const away = levels.map((color) => Math.hypot(...color.map((channel, index) => channel - (canvas[index] ?? 0))))
    expect([...away].sort((a, b) => a - b)).toEqual(away)
    expect(away[0]).toBeGreaterThan(20)
  })

  it('let filtered blocks step back behind the others', () => {
    const canvas = parseHex(tokens.canvas)
    const full = (slot: number) => cellColor(tokens, 'state', (7 << 5) | slot) ?? canvas
    expect(contrast(full(leftOutBlockSlot), canvas)).toBeLessThan(contrast(full(allocatedSlot), canvas))
  })
})
