// Reserved memory filled with its parts, the lines over them, and their names.
import type { SpaceCurves } from '../../../preload/contract/queries.ts'
import { formatBytes } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { columnAt } from '../../plot/placed.ts'
import { bytesToPx, pxToBytes, pxToX, xToPx } from '../../plot/scales.ts'
import { curveStrokes, stepPath } from '../../plot/step-curve.ts'
import { freePlace } from '../../plot/text-fit.ts'
import { byteTickLabels, byteTicks } from '../../plot/ticks.ts'
import type { Item, TextItem } from '../../scene/display-list.ts'
import { inkOn, type Rgb } from '../../theme/palette.ts'
import { lineDash, partColor } from './colors.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'
import { type Line, lines, measuresAt, partOf, parts } from './measures.ts'

const gridGapPx = 48
const nameSizePx = 12
const leastNamePx = 17 // height of a part that can hold its name
const dimmedAlpha = 0.25
const black: Rgb = [22, 24, 28]
const white: Rgb = [255, 255, 255]

const topsOf = new WeakMap<SpaceCurves, readonly Float64Array[]>()

/** Bytes from the bottom up to the top of each part, in every column; made once an answer. */
function partTops({ curves }: CurveInput): readonly Float64Array[] {
  if (!curves) return []
  const known = topsOf.get(curves.data)
  if (known) return known
  const columns = curves.data.repEvent.length
  const tops = parts.map(() => new Float64Array(columns))
  for (let column = 0; column < columns; column++) {
    const measures = measuresAt(curves, column)
    let sum = 0
    for (const [index, part] of parts.entries()) {
      sum += partOf(measures, part)
      const top = tops[index]
      if (top) top[column] = sum
    }
  }
  topsOf.set(curves.data, tops)
  return tops
}

/** The parts as areas. Neighbouring columns of one height are one box. */
export function drawParts(input: CurveInput): Item[] {
  const { curves } = input
  if (!curves) return []
  const scales = scalesOf(input)
  const columns = curves.data.repEvent.length
  const width = (curves.range.x1 - curves.range.x0) / columns
  // Whole pixels: boxes that meet inside one would show a seam.
  const xAt = (column: number): number => Math.round(xToPx(scales, curves.range.x0 + column * width))
  const tops = partTops(input)
  const yAt = (index: number, column: number): number => Math.round(bytesToPx(scales, tops[index]?.[column] ?? 0))
  return parts.flatMap((part, index) => {
    const color = partColor(input.tokens, part, input.emphasis)
    const items: Item[] = []
    for (let first = 0; first < columns; ) {
      const [top, bottom] = [yAt(index, first), yAt(index - 1, first)]
      let end = first + 1
      while (end < columns && yAt(index, end) === top && yAt(index - 1, end) === bottom) end++
      if (bottom > top)
        items.push({ kind: 'box', xPx: xAt(first), yPx: top, widthPx: xAt(end) - xAt(first), heightPx: bottom - top, color, alpha: 1 })
      first = end
    }
    return items
  })
}

/** The edge of what is reserved, and the lines of the largest free block and of inactive splits. */
export function drawLines(input: CurveInput): Item[] {
  const { curves, emphasis } = input
  if (!curves) return []
  const ink = inkOf(input.tokens)
  const scales = scalesOf(input)
  const reserved: Item = {
    kind: 'path',
    alpha: 1,
    widthPx: 1.5,
    points: stepPath(curves, curves.data.reserved.rep, scales),
    color: ink.curve2,
  }
  const over = lines.toReversed().flatMap((line): Item[] => {
    const strength = emphasis === undefined || emphasis === line ? 1 : dimmedAlpha
    const color = line === 'largestFree' ? ink.curve : ink.t2
    return curveStrokes(curves, curves.data[line].rep, scales).map(({ points, alpha }) => ({
      kind: 'path',
      points,
      alpha: alpha * strength,
      widthPx: emphasis === line ? 2.5 : 1.5,
      butt: true,
      color,
      dashPx: lineDash[line],
    }))
  })
  return [reserved, ...over]
}

const gridOverParts = 0.3

/** Horizontal grid lines: below the parts in the grid's colour, over them as faint cuts, so that they can be read off. */
export function drawByteGrid(input: CurveInput, isOver: boolean): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  return byteTicks(input.y1, plot.heightPx, gridGapPx).map((bytes) => ({
    kind: 'box',
    xPx: plot.xPx,
    yPx: Math.floor(bytesToPx(scalesOf(input), bytes)),
    widthPx: plot.widthPx,
    heightPx: 1,
    color: isOver ? ink.canvas : bytes === 0 ? ink.line2 : ink.grid,
    alpha: isOver ? gridOverParts : 1,
  }))
}

/** Labels left of the plot. */
export function drawByteAxis(input: CurveInput): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const ticks = byteTicks(input.y1, plot.heightPx, gridGapPx)
  const labels = byteTickLabels(ticks)
  return ticks.map((bytes, index) => ({
    kind: 'text',
    xPx: plot.xPx - 8,
    yPx: bytes === 0 ? bottomOf(plot) - 5 : bytesToPx(scalesOf(input), bytes),
    spans: [{ text: labels[index] ?? '' }],
    sizePx: 11,
    align: 'right',
    color: ink.t3,
  }))
}

/** The widest room of a band between two curves for a text: its middle, undefined where it fits nowhere. `low`, `high`: pixels at a pixel column. */
function roomFor(input: CurveInput, widthPx: number, low: (xPx: number) => number, high: (xPx: number) => number): TextPlace | undefined {
  const { plot } = input.layout
  const step = Math.max(8, Math.round(widthPx / 6))
  let best: (TextPlace & { readonly room: number }) | undefined
  for (let left = plot.xPx + 6; left + widthPx <= rightOf(plot) - 6; left += step) {
    let [bottom, top] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let xPx = left - 4; xPx <= left + widthPx + 4; xPx += 4) {
      bottom = Math.min(bottom, low(xPx))
      top = Math.max(top, high(xPx))
    }
    const room = bottom - top
    if (room >= leastNamePx && room > (best?.room ?? 0)) best = { xPx: left, yPx: (bottom + top) / 2, room }
  }
  return best
}

interface TextPlace {
  readonly xPx: number
  readonly yPx: number
}

/** Names on the parts, each where its part is highest; a part too thin for its name has none here, but in the legend. */
export function drawPartNames(input: CurveInput, placed: readonly TextItem[]): TextItem[] {
  const { curves } = input
  if (!curves) return []
  const scales = scalesOf(input)
  const tops = partTops(input)
  const names: TextItem[] = []
  for (const [index, part] of parts.entries()) {
    const text = input.t(`part.${part}`)
    const yAt = (each: number, xPx: number): number => {
      const column = columnAt(curves, pxToX(scales, xPx))
      return column === undefined ? Number.NaN : bytesToPx(scales, tops[each]?.[column] ?? 0)
    }
    const place = roomFor(
      input,
      input.measure(text, nameSizePx, true),
      (xPx) => yAt(index - 1, xPx),
      (xPx) => yAt(index, xPx),
    )
    if (!place) continue
    const fill = partColor(input.tokens, part, input.emphasis)
    const item: TextItem = {
      kind: 'text',
      ...place,
      spans: [{ text, strong: true }],
      sizePx: nameSizePx,
      align: 'left',
      color: inkOn(fill) === 'light' ? white : black,
      halo: fill,
    }
    if (freePlace([item], [...placed, ...names], input.measure)) names.push(item)
  }
  return names
}

/** What lies under a place of the plot: the colour of its part, the canvas outside. */
function fillAt(input: CurveInput, tops: readonly Float64Array[], { xPx, yPx }: TextPlace): Rgb {
  const { curves } = input
  const column = curves && columnAt(curves, pxToX(scalesOf(input), xPx))
  const bytes = pxToBytes(scalesOf(input), yPx)
  const part = column === undefined ? undefined : parts.find((_, index) => bytes < (tops[index]?.[column] ?? 0))
  return part ? partColor(input.tokens, part, input.emphasis) : inkOf(input.tokens).canvas
}

/** Names of the lines at the right end, with their value there. */
export function drawLineNames(input: CurveInput, placed: readonly TextItem[]): TextItem[] {
  const { curves, layout } = input
  const last = curves && curves.data.repEvent.length - 1
  if (!curves || last === undefined || last < 0) return []
  const scales = scalesOf(input)
  const tops = partTops(input)
  const names: TextItem[] = []
  const add = (text: string, bytes: number): void => {
    if (Number.isNaN(bytes)) return
    const words = `${text} ${formatBytes(bytes)}`
    const half = input.measure(words, 11, false) / 2
    const along = [1, 0.8, 0.6, 0.4].map((share) => layout.plot.xPx + layout.plot.widthPx * share - 8)
    const places = [-10, 11].flatMap((dy) =>
      along.map((xPx): TextItem => {
        const yPx = bytesToPx(scales, bytes) + dy
        const fill = fillAt(input, tops, { xPx: xPx - half, yPx })
        const color = inkOn(fill) === 'light' ? white : black
        return { kind: 'text', xPx, yPx, spans: [{ text: words }], sizePx: 11, align: 'right', color, halo: fill }
      }),
    )
    const inside = places.filter(({ yPx }) => yPx > layout.plot.yPx + 8 && yPx < bottomOf(layout.plot) - 8)
    const free = freePlace(inside, [...placed, ...names], input.measure)
    if (free) names.push(free)
  }
  add(plotText('curve.reserved'), curves.data.reserved.rep[last] ?? Number.NaN)
  add(input.t('line.largestFree'), curves.data.largestFree.rep[last] ?? Number.NaN)
  if (isApart(input)) add(input.t('line.inactiveSplit'), curves.data.inactiveSplit.rep[last] ?? Number.NaN)
  return names
}

/** True where the end of the line of inactive splits is told from that of the largest free block. */
function isApart(input: CurveInput): boolean {
  const { curves } = input
  const at = (line: Line): number => bytesToPx(scalesOf(input), curves?.data[line].rep.at(-1) ?? 0)
  return Math.abs(at('inactiveSplit') - at('largestFree')) > 3
}
