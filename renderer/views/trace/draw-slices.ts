// Slices: the raster stretched into place, and boxes with names for those wide enough.
import { xScaleOf } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { rightOf } from '../../plot/layout.ts'
import { xToPx } from '../../plot/scales.ts'
import type { Item } from '../../scene/display-list.ts'
import { inkOn, mix, type Rgb } from '../../theme/palette.ts'
import { gridOf, slicePx } from './cells.ts'
import { fillColors, leftOutSlot } from './colors.ts'
import { cutterOf } from './labels.ts'
import { laneTop, scrolledFrame, type TraceInput } from './model-input.ts'
import type { PlacedRaster } from './trace-data.ts'

const leastBoxPx = 3
const leastLabelPx = 26
const labelPx = 11
const labelInsetPx = 4
const gapPx = 1
const toothPx = 6 // length of a torn edge
const teeth = 4

/** Cells of all lanes in sight. */
export function drawCells(input: TraceInput): Item[] {
  const { raster, layout, shown, rows } = input
  if (!raster || raster.data.lanes === 0) return []
  const { plot } = layout
  const grid = gridOf(raster, shown, plot, rows.pinnedPx)
  const scales = xScaleOf(input)
  const xPx = xToPx(scales, raster.range.x0)
  return [{ kind: 'raster', xPx, yPx: plot.yPx, widthPx: xToPx(scales, raster.range.x1) - xPx, heightPx: grid.rows * 2, ...grid }]
}

/** A box as it lies on the canvas. */
export interface PlacedBox {
  readonly index: number
  readonly left: number
  readonly right: number
  readonly topPx: number
}

/** Calls back with each box of a row in sight, lane by lane; `pinned` tells which part of the plot. */
export function eachBox(input: TraceInput, pinned: boolean, use: (box: PlacedBox) => void): void {
  const { raster, layout, shown } = input
  if (!raster) return
  const { plot } = layout
  const [from, to] = [scrolledFrame(input).yPx, plot.yPx + plot.heightPx]
  for (const each of shown) {
    const { row } = each
    if (row.kind !== 'track' || row.isPinned !== pinned) continue
    for (let lane = row.track.firstLane; lane < row.track.firstLane + row.laneCount; lane++) {
      const place = raster.placeOf.get(lane)
      const topPx = laneTop(each, lane)
      if (place === undefined || topPx === undefined || (!pinned && (topPx + slicePx <= from || topPx >= to))) continue
      boxesOfLane(input, raster, place, topPx, use)
    }
  }
}

/** Those that reach into the plot. */
function boxesOfLane(
  input: TraceInput,
  { firstBox, data }: PlacedRaster,
  place: number,
  topPx: number,
  use: (box: PlacedBox) => void,
): void {
  const { plot } = input.layout
  const scales = xScaleOf(input)
  const { boxes } = data
  const end = firstBox[place + 1] ?? 0
  for (let index = firstBox[place] ?? 0; index < end; index++) {
    const start = boxes.start[index] ?? 0
    const left = xToPx(scales, start)
    const right = xToPx(scales, start + (boxes.dur[index] ?? 0))
    if (right > plot.xPx && left < rightOf(plot)) use({ index, left, right, topPx })
  }
}

/** Boxes and the names on them. A box has a gap at its end, so that neighbours of one colour can be told apart. */
export function drawBoxes(input: TraceInput, pinned: boolean): Item[] {
  const { raster, layout, tokens, emphasis } = input
  if (!raster) return []
  const { boxes } = raster.data
  const { plot } = layout
  const { canvas, t3 } = inkOf(tokens)
  const fills = fillColors(tokens, emphasis)
  const labelColors = labelInks(fills, emphasis, t3)
  const cutter = cutterOf(input.measure, labelPx)
  const items: Item[] = []
  const labels: Item[] = []
  eachBox(input, pinned, ({ index, left, right, topPx }) => {
    const slot = boxes.slot[index] ?? 0
    const color = fills[slot]
    if (right - left < leastBoxPx || !color) return
    const xPx = Math.max(left, plot.xPx - 4)
    const widthPx = Math.min(right, rightOf(plot) + 4) - xPx
    const colorPx = Math.max(1, widthPx - gapPx)
    items.push({ kind: 'box', xPx, yPx: topPx, widthPx: colorPx, heightPx: slicePx, color, alpha: 1 })
    // Below it lie the cells of the same slice, which know nothing of the gap.
    items.push({ kind: 'box', xPx: xPx + colorPx, yPx: topPx, widthPx: gapPx, heightPx: slicePx, color: canvas, alpha: 1 })
    if (boxes.unfinished[index] === 1) items.push(...tornEdge({ left, right, topPx }, color, canvas))
    if (widthPx < leastLabelPx) return
    const labelLeft = Math.max(left, plot.xPx) + labelInsetPx
    const text = cutter.fit(boxes.titles[index] ?? '', Math.min(right, rightOf(plot)) - labelLeft - labelInsetPx)
    if (text) {
      labels.push({
        kind: 'text',
        xPx: labelLeft,
        yPx: topPx + slicePx / 2 + 0.5,
        spans: [{ text }],
        sizePx: labelPx,
        align: 'left',
        color: labelColors[slot] ?? t3,
      })
    }
  })
  return [...items, ...labels]
}

/** Where a slice goes on because the file has no end of it, its box ends in teeth instead of an edge, in place of the gap. */
function tornEdge(box: Omit<PlacedBox, 'index'>, color: Rgb, canvas: Rgb): Item[] {
  const { right, topPx } = box
  const widthPx = Math.min(toothPx, (right - box.left) / 2)
  const left = right - widthPx
  const toothHeightPx = slicePx / teeth
  const items: Item[] = [{ kind: 'box', xPx: left, yPx: topPx, widthPx: widthPx + 1, heightPx: slicePx, color: canvas, alpha: 1 }]
  for (let tooth = 0; tooth < teeth; tooth++) {
    const yPx = topPx + tooth * toothHeightPx
    const points = [left, yPx, left, yPx + toothHeightPx, right, yPx + toothHeightPx / 2] as const
    items.push({ kind: 'triangle', points, color, alpha: 1 })
  }
  return items
}

const darkInk: Rgb = [22, 24, 28]
const lightInk: Rgb = [255, 255, 255]

const inks = new WeakMap<readonly (Rgb | undefined)[], readonly Rgb[]>()

/** Colour of names on each slot: what stepped back steps back with its name. Kept as long as the fills are. */
function labelInks(fills: readonly (Rgb | undefined)[], emphasis: TraceInput['emphasis'], weak: Rgb): readonly Rgb[] {
  const kept = inks.get(fills)
  if (kept) return kept
  const made = fills.map((fill, slot) => {
    if (!fill || slot === leftOutSlot || (emphasis !== undefined && !emphasis.has(slot))) return weak
    const ink = inkOn(fill) === 'light' ? lightInk : darkInk
    return mix(fill, ink, 0.94)
  })
  inks.set(fills, made)
  return made
}
