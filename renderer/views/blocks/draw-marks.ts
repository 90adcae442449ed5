// What stands out on the bars: the largest free block, blocks that could serve the request, the selection, what the event changed.
import { formatBytes } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import type { Item } from '../../scene/display-list.ts'
import type { Rgb } from '../../theme/palette.ts'
import { eachBox, outline } from './draw-blocks.ts'
import { largestFree } from './draw-rows.ts'
import { stretchesOf } from './lines.ts'
import { type BlocksInput, barOf, type Held, heldAt, type Piece, rowsInSight, scaleOfLine, xToPx } from './model-input.ts'

const leastMarkPx = 6

/** Pieces of a held stretch that are in sight; each at least as wide as can be seen. */
export function piecesOf(input: BlocksInput, { segment, offset, bytes }: Held, leastPx = leastMarkPx): Piece[] {
  const { picture, layout, rowPx, scrollPx } = input
  const [first, end] = rowsInSight(picture.list.lines.length, rowPx, scrollPx, layout.rows)
  return stretchesOf(picture.list, segment, offset, bytes).flatMap(({ row, from, to }): Piece[] => {
    const line = picture.list.lines[row]
    if (!line || row < first || row >= end) return []
    const scale = scaleOfLine(input, line)
    const [x0, x1] = [xToPx(input, from * scale), xToPx(input, to * scale)]
    const missing = Math.max(0, leastPx - (x1 - x0)) / 2
    return [{ row, x0: x0 - missing, x1: x1 + missing, ...barOf(input, row) }]
  })
}

/** The largest free block of all, the first of several. */
export function largestFreeHeld({ picture }: Pick<BlocksInput, 'picture'>): Held | undefined {
  const { largestFreeBytes, largestFreeOffset } = picture.segments
  const bytes = largestFree({ picture })
  const segment = largestFreeBytes.indexOf(bytes)
  return bytes > 0 && segment >= 0 ? { segment, offset: largestFreeOffset[segment] ?? 0, bytes } : undefined
}

/** Outlined and, where there is room, named. */
export function drawLargest(input: BlocksInput): Item[] {
  const held = largestFreeHeld(input)
  if (!held) return []
  const ink = inkOf(input.tokens)
  const { plot } = input.layout
  return piecesOf(input, held).flatMap((piece): Item[] => {
    const texts = [input.t('largestFree', { bytes: formatBytes(held.bytes) }), formatBytes(held.bytes)]
    const [left, right] = [Math.max(piece.x0, plot.xPx), Math.min(piece.x1, plot.xPx + plot.widthPx)]
    const text = texts.find((each) => input.measure(each, 11, true) + 8 <= right - left && piece.heightPx >= 14)
    const label = { kind: 'text', xPx: (left + right) / 2, yPx: piece.yPx + piece.heightPx / 2, sizePx: 11, align: 'center' } as const
    return [outline(piece, ink.t1, 2), ...(text ? [{ ...label, spans: [{ text, strong: true }], color: ink.t1 }] : [])]
  })
}

/** Free blocks in sight that are long enough for the request; from far away, the largest of each segment. */
export function drawFitting(input: BlocksInput): Item[] {
  const { request, picture, tokens, layout, rowPx, scrollPx } = input
  const fit = request?.fit
  if (!fit || fit.fittingCount === 0) return []
  const { good } = inkOf(tokens)
  const { lines } = picture.list
  const { segments } = picture
  const isUsable = (segment: number): boolean =>
    segments.streams[segment] === fit.stream &&
    segments.pools[segment] === fit.pool &&
    segments.isSmall[segment] === (fit.segmentType === 'small' ? 1 : 0)
  const items: Item[] = []
  if (picture.chunks.every(({ data }) => data.boxes)) {
    eachBox(input, ({ state, bytes, line, piece }) => {
      if (state === 0 && bytes >= fit.rounded && isUsable(lines[line]?.segment ?? -1)) items.push(outline(piece, good, 2))
    })
    return items
  }
  const [first, end] = rowsInSight(lines.length, rowPx, scrollPx, layout.rows)
  for (const segment of new Set(lines.slice(first, end).map((line) => line.segment))) {
    const bytes = segments.largestFreeBytes[segment] ?? 0
    const offset = segments.largestFreeOffset[segment] ?? 0
    if (bytes >= fit.rounded && isUsable(segment))
      items.push(...piecesOf(input, { segment, offset, bytes }).map((piece) => outline(piece, good, 2)))
  }
  return items
}

/** The selected allocation, with an edge that keeps it visible on any colour. */
export function drawSelected(input: BlocksInput): Item[] {
  const { selected, picture, tokens } = input
  const held = selected && heldAt(picture, selected.address, selected.sizeBytes)
  if (!held) return []
  const ink = inkOf(tokens)
  return piecesOf(input, held).flatMap((piece) => [
    outline(grown(piece, 2), ink.selectionEdge, 4),
    outline(grown(piece, 1), ink.selection, 2),
  ])
}

const grown = ({ row, x0, x1, yPx, heightPx }: Piece, byPx: number): Piece => ({
  row,
  x0: x0 - byPx,
  x1: x1 + byPx,
  yPx: yPx - byPx,
  heightPx: heightPx + 2 * byPx,
})

/** What the event changed: dashed, and for a moment after a step a strong outline. */
export function drawChange(input: BlocksInput): Item[] {
  const { change, picture, tokens, isFlashing } = input
  if (!change || change.address === null) return []
  const held = heldAt(picture, change.address, Math.max(change.sizeBytes, 512))
  if (!held) return []
  const ink = inkOf(tokens)
  return piecesOf(input, held).flatMap((piece) =>
    isFlashing ? [outline(grown(piece, 3), ink.t1, 3)] : [outline(grown(piece, 1), ink.t1, 1, [3, 2])],
  )
}

/** The stretch of the axis that is being dragged, over all rows. */
export function drawDragging({ dragging, layout, tokens, visible }: BlocksInput): Item[] {
  if (!dragging) return []
  const ink = inkOf(tokens)
  const { yPx, heightPx } = layout.rows
  const [x0, x1] = [xToPx({ visible, layout }, dragging.x0), xToPx({ visible, layout }, dragging.x1)]
  const edge = (xPx: number, color: Rgb): Item => ({ kind: 'box', xPx, yPx, widthPx: 1, heightPx, color, alpha: 1 })
  return [{ kind: 'box', xPx: x0, yPx, widthPx: x1 - x0, heightPx, color: ink.t1, alpha: 0.12 }, edge(x0, ink.t1), edge(x1, ink.t1)]
}
