// The bars: cells of the raster where blocks are narrower than a few pixels, boxes with their states where they are wide enough.
import type { BlockRaster } from '../../../preload/contract/queries.ts'
import { formatBytes } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Item } from '../../scene/display-list.ts'
import { inkOn, mix, type Rgb } from '../../theme/palette.ts'
import { paintedColor, pendingSlot, roundingColor } from './block-colors.ts'
import type { Chunk } from './compose.ts'
import { type BlocksInput, barOf, type Held, type Piece, rowsInSight, rowTop, scaleOfLine, spanOf, xToPx } from './model-input.ts'

export type Boxes = NonNullable<BlockRaster['boxes']>

const leastBoxPx = 3 // narrower blocks stay cells
const leastLabelPx = 40
const stripeStepPx = 3
const leastLossPx = 2
const leastFillPx = 3 // of colour, however much rounding loses
const insetPx = 6
const tellingCharacters = 8 // a shorter start of a name says nothing

/** The bars of the rows in sight: canvas for what is free, the raster over it, a frame around the segment's memory. */
export function drawBars(input: BlocksInput): Item[] {
  const { picture, visible, layout, rowPx } = input
  const { raster, range, first, end } = picture
  const perPx = spanOf(visible) / layout.plot.widthPx
  const items: Item[] = []
  if (raster.rows > 0)
    items.push({
      kind: 'raster',
      xPx: layout.plot.xPx + (range.x0 - visible.x0) / perPx,
      yPx: Math.round(rowTop(input, first)),
      widthPx: spanOf(range) / perPx,
      heightPx: (end - first) * rowPx,
      ...raster,
    })
  return items
}

/** A frame around each bar: what is inside and not filled is free. */
export function drawFrames(input: BlocksInput): Item[] {
  const { picture, layout, rowPx, scrollPx } = input
  const ink = inkOf(input.tokens)
  const { lines } = picture.list
  const items: Item[] = []
  const [first, end] = rowsInSight(lines.length, rowPx, scrollPx, layout.rows)
  for (let row = first; row < end; row++) {
    const line = lines[row]
    if (!line) break
    const { yPx, heightPx } = barOf(input, row)
    const [x0, x1] = [xToPx(input, 0), xToPx(input, line.bytes * scaleOfLine(input, line))]
    items.push(outline({ row, x0, x1, yPx, heightPx }, ink.mark, 1))
  }
  return items
}

const leastLossShare = 0.1 // of a segment's bytes in use

/** Where a segment loses much to rounding: a thin bar at the foot of its rows, to scale, since merged blocks cannot show it themselves. */
export function drawRounding(input: BlocksInput): Item[] {
  const { picture, layout, rowPx, scrollPx, tokens } = input
  const { activeBytes, requestedBytes, totalBytes } = picture.segments
  const { lines } = picture.list
  const ink = inkOf(tokens)
  const [first, end] = rowsInSight(lines.length, rowPx, scrollPx, layout.rows)
  return lines.slice(first, end).flatMap((line, index): Item[] => {
    const active = activeBytes[line.segment] ?? 0
    const loss = active - (requestedBytes[line.segment] ?? 0)
    if (loss < active * leastLossShare || loss <= 0) return []
    const { yPx, heightPx } = barOf(input, first + index)
    const share = loss / (totalBytes[line.segment] ?? 1)
    const [left, right] = [xToPx(input, 0), xToPx(input, line.bytes * share * scaleOfLine(input, line))]
    const barPx = Math.max(3, Math.round(heightPx / 4))
    const bar = { kind: 'box', xPx: left, widthPx: Math.max(2, right - left), alpha: 1 } as const
    return [
      { ...bar, yPx: yPx + heightPx - barPx - 1, heightPx: barPx + 1, color: ink.canvas },
      { ...bar, yPx: yPx + heightPx - barPx, heightPx: barPx, color: roundingColor() },
    ]
  })
}

/** An outline just inside a piece; at least as wide as its own two sides. */
export function outline({ x0, x1, yPx, heightPx }: Piece, color: Rgb, widthPx: number, dashPx?: readonly [number, number]): Item {
  const half = widthPx / 2
  const [left, top] = [Math.round(x0) + half, yPx + half]
  const [right, bottom] = [Math.max(Math.round(x1) - half, left + 1), yPx + heightPx - half]
  const points = [left, top, right, top, right, bottom, left, bottom, left, top]
  return { kind: 'path', points, color, alpha: 1, widthPx, ...(dashPx ? { dashPx } : {}) }
}

/** A block in sight as its box says. */
export interface Box {
  readonly piece: Piece
  readonly line: number // row
  readonly from: number // bytes from the line's start, uncut
  readonly bytes: number
  readonly requested: number
  readonly state: number // 0 free, 1 allocated, 2 pending free
  readonly slot: number
  readonly allocation: number
  readonly title: string
}

const rowTables = new WeakMap<Chunk, readonly number[]>()

/** Row of each line of a chunk; −1 = a hidden one. */
function rowsOfChunk(chunk: Chunk, input: BlocksInput): readonly number[] {
  const known = rowTables.get(chunk)
  if (known) return known
  const { run } = chunk
  const rows = new Array<number>(run.lines).fill(-1)
  for (let row = run.row; row < run.row + run.rows; row++) rows[(input.picture.list.lines[row]?.place ?? 0) - run.place] = row
  rowTables.set(chunk, rows)
  return rows
}

/** Calls back with each box in sight. */
export function eachBox(input: BlocksInput, visit: (box: Box) => void): void {
  const { picture, layout, rowPx, scrollPx } = input
  const { lines } = picture.list
  const [first, end] = rowsInSight(lines.length, rowPx, scrollPx, layout.rows)
  const { plot } = layout
  for (const chunk of picture.chunks) {
    const { boxes } = chunk.data
    if (!boxes) continue
    const rows = rowsOfChunk(chunk, input)
    for (let index = 0; index < boxes.line.length; index++) {
      const row = rows[boxes.line[index] ?? 0] ?? -1
      const line = lines[row]
      if (!line || row < first || row >= end) continue
      const [from, bytes] = [boxes.offset[index] ?? 0, boxes.bytes[index] ?? 0]
      const x0 = xToPx(input, Math.max(0, from) * chunk.run.scale)
      const x1 = xToPx(input, Math.min(line.bytes, from + bytes) * chunk.run.scale)
      if (x1 <= plot.xPx || x0 >= plot.xPx + plot.widthPx) continue
      visit({ piece: { row, x0, x1, ...barOf(input, row) }, line: row, from, bytes, ...valuesOf(boxes, index) })
    }
  }
}

/** How many blocks are in sight; undefined where they are merged. A block that goes on in the next line counts once. */
export function blocksInSight(input: BlocksInput): number | undefined {
  const { picture } = input
  if (picture.chunks.some(({ data }) => data.boxes === null)) return undefined
  const starts = new Set<string>()
  eachBox(input, ({ line, from }) => {
    const { segment = -1, offset = 0 } = picture.list.lines[line] ?? {}
    starts.add(`${segment} ${offset + from}`)
  })
  return starts.size
}

const valuesOf = (boxes: Boxes, index: number): Pick<Box, 'requested' | 'state' | 'slot' | 'allocation' | 'title'> => ({
  requested: boxes.requested[index] ?? 0,
  state: boxes.state[index] ?? 0,
  slot: boxes.slot[index] ?? 0,
  allocation: boxes.allocation[index] ?? -1,
  title: boxes.titles[index] ?? '',
})

/** Boxes and their labels. `labelled`: a free block whose label says more than its size. */
export function drawBoxes(input: BlocksInput, labelled: Held | undefined): Item[] {
  const items: Item[] = []
  const labels: Item[] = []
  eachBox(input, (box) => {
    const widthPx = box.piece.x1 - box.piece.x0
    if (widthPx < leastBoxPx) return
    const line = input.picture.list.lines[box.line]
    const isLabelled = labelled !== undefined && line?.segment === labelled.segment && line.offset + box.from === labelled.offset
    if (box.state === 0) items.push(...drawFree(input, box.piece))
    else items.push(...drawUsed(input, box))
    if (!isLabelled) labels.push(...drawLabel(input, box))
  })
  return [...items, ...labels]
}

function drawFree({ tokens }: BlocksInput, { x0, x1, yPx, heightPx, row }: Piece): Item[] {
  const ink = inkOf(tokens)
  return [
    { kind: 'box', xPx: x0, yPx, widthPx: x1 - x0, heightPx, color: ink.canvas, alpha: 1 },
    outline({ row, x0, x1, yPx, heightPx }, ink.line2, 1),
  ]
}

/** Colour says what the block is, pattern its state: pending hatched, bytes that rounding loses striped at its right end. */
function drawUsed({ tokens, picture }: BlocksInput, { piece, slot, state, bytes, requested }: Box): Item[] {
  const { x0, x1, yPx, heightPx } = piece
  const ink = inkOf(tokens)
  const color = paintedColor(tokens, picture.colorBy, slot)
  const gapPx = x1 - x0 >= 4 ? 1 : 0
  const box = { kind: 'box', xPx: x0, yPx, widthPx: x1 - x0 - gapPx, heightPx, alpha: 1 } as const
  if (state === 2) {
    const hatch = picture.colorBy === 'state' ? paintedColor(tokens, 'state', pendingSlot) : color
    return [
      { ...box, color: mix(ink.canvas, hatch, 0.3) },
      { ...box, kind: 'hatch', color: hatch },
      outline({ ...piece, x1: x1 - gapPx }, hatch, 1),
    ]
  }
  const lossPx = lossWidth(bytes, requested, x1 - x0 - gapPx)
  // The raster below would fill the gap with the block's colour.
  const gap: Item[] = gapPx > 0 ? [{ ...box, xPx: x1 - gapPx, widthPx: gapPx, color: ink.canvas }] : []
  // Too narrow for stripes: the hue of the loss shows through by its share.
  const isHidden = lossPx === 0 && bytes > requested
  const shade = isHidden ? mix(color, roundingColor(), (bytes - requested) / bytes) : color
  return [{ ...box, color: shade }, ...gap, ...(lossPx > 0 ? stripes(piece, x1 - gapPx - lossPx, x1 - gapPx, ink.canvas) : [])]
}

/** Width of what rounding loses at a block's right end, 0 where it cannot be seen; some of the block's colour always stays. */
function lossWidth(bytes: number, requested: number, widthPx: number): number {
  const lossPx = Math.min(((bytes - requested) / bytes) * widthPx, widthPx - leastFillPx)
  return lossPx >= leastLossPx ? lossPx : 0
}

function stripes({ yPx, heightPx }: Piece, left: number, right: number, ground: Rgb): Item[] {
  const items: Item[] = [{ kind: 'box', xPx: left, yPx, widthPx: right - left, heightPx, color: ground, alpha: 1 }]
  for (let xPx = right - 1; xPx >= left && items.length < 200; xPx -= stripeStepPx)
    items.push({ kind: 'box', xPx: Math.max(left, xPx - 1), yPx, widthPx: 2, heightPx, color: roundingColor(), alpha: 1 })
  return items
}

/** The size of a free block; title and size of a used one. */
function drawLabel({ tokens, measure, picture, layout }: BlocksInput, box: Box): Item[] {
  const { plot } = layout
  const { yPx, heightPx } = box.piece
  const [left, right] = [Math.max(box.piece.x0, plot.xPx), Math.min(box.piece.x1, plot.xPx + plot.widthPx)]
  const lossPx = box.state === 1 ? lossWidth(box.bytes, box.requested, box.piece.x1 - box.piece.x0) : 0
  const room = Math.min(right, box.piece.x1 - lossPx) - left - 2 * insetPx
  if (room < leastLabelPx - 2 * insetPx || heightPx < 14) return []
  const ink = inkOf(tokens)
  const size = formatBytes(box.bytes)
  const sizePx = 11
  const width = (text: string) => measure(text, sizePx, false)
  const middle = yPx + heightPx / 2
  if (box.state === 0) {
    if (width(size) > room) return []
    return [{ kind: 'text', xPx: (left + right) / 2, yPx: middle, spans: [{ text: size }], sizePx, align: 'center', color: ink.t3 }]
  }
  const color = inkColor(paintedColor(tokens, picture.colorBy, box.slot), box.state)
  const label = {
    kind: 'text',
    xPx: left + insetPx,
    yPx: middle,
    sizePx,
    align: 'left',
    color: color ?? ink.t1,
    ...(color ? {} : { halo: ink.canvas }),
  } as const
  const title = box.title === '' ? undefined : fitText(box.title, room - width(`  ${size}`), width)
  if (title !== undefined && (title === box.title || title.length >= tellingCharacters))
    return [{ ...label, spans: [{ text: title }, { text: `  ${size}` }] }]
  return width(size) <= room ? [{ ...label, spans: [{ text: size }] }] : []
}

/** Ink for a solid fill; undefined for a hatched one, where the theme's ink reads best. */
function inkColor(fill: Rgb, state: number): Rgb | undefined {
  if (state === 2) return undefined
  return inkOn(fill) === 'light' ? [255, 255, 255] : [22, 24, 28]
}
