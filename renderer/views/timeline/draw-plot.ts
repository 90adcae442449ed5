// The picture itself: grid, bands, curves, band labels, the selected allocation's outline.
import type { CurveName, TimelineRaster } from '../../../preload/contract/queries.ts'
import { formatBytes } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { curvesOf } from '../../plot/curve-lines.ts'
import type { ByteAxis } from '../../plot/draw-bytes.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { bytesToPx, xToPx } from '../../plot/scales.ts'
import { apart, crisp, curveStrokes, stepPath } from '../../plot/step-curve.ts'
import { fitText, freePlace } from '../../plot/text-fit.ts'
import { type Item, type TextItem, type TextSpan, widthOf } from '../../scene/display-list.ts'
import { cellColor, inkOn, isHeat, mix, type Rgb } from '../../theme/palette.ts'
import { scalesOf, type TimelineInput } from './model-input.ts'

const gridGapPx = 56
const labelPaddingPx = 8
const linePx = 18
const black: Rgb = [22, 24, 28]
const white: Rgb = [255, 255, 255]

export const byteAxisOf = (input: TimelineInput): ByteAxis => ({ scales: scalesOf(input), gapPx: gridGapPx, tokens: input.tokens })

/** The bands of live allocations. An answer for another viewport is stretched into place until the right one arrives. */
export function drawBands(input: TimelineInput): Item[] {
  const { raster } = input
  if (!raster) return []
  const scales = scalesOf(input)
  const x0 = xToPx(scales, raster.range.x0)
  const top = bytesToPx(scales, raster.y1)
  return [
    {
      kind: 'raster',
      xPx: x0,
      yPx: top,
      widthPx: xToPx(scales, raster.range.x1) - x0,
      heightPx: bottomOf(input.layout.plot) - top,
      columns: raster.data.columns,
      rows: raster.data.rows,
      cells: raster.data.cells,
    },
  ]
}

/** Reserved, requested (dotted), active (dashed, where it differs from allocated) and allocated, of these what the device has. */
export function drawCurves(input: TimelineInput): Item[] {
  const { curves } = input
  if (!curves) return []
  const ink = inkOf(input.tokens)
  const scales = scalesOf(input)
  const { data } = curves
  const lines = curvesOf(input.device)
  const has = (name: CurveName): boolean => lines.some((line) => line.name === name)
  const strokes = (name: 'allocated' | 'active' | 'requested'): Item[] =>
    curveStrokes(curves, data[name].rep, scales, name === 'allocated' ? undefined : apart(data, name, 'allocated', scales)).map(
      ({ points, alpha }) => ({
        kind: 'path',
        points,
        alpha,
        widthPx: 1.5,
        butt: true,
        color: ink.curve,
        ...lines.find((line) => line.name === name)?.dash,
      }),
    )
  const reserved: Item = { kind: 'path', alpha: 1, widthPx: 1.5, points: stepPath(curves, data.reserved.rep, scales), color: ink.curve2 }
  const further = (['requested', 'active', 'allocated'] as const).filter(has)
  return [...(has('reserved') ? [reserved] : []), ...further.flatMap(strokes)]
}

/** The cell of the bands at a place of the canvas; 0 where nothing is. */
function cellUnder(input: TimelineInput, xPx: number, yPx: number): number {
  const { raster } = input
  if (!raster) return 0
  const scales = scalesOf(input)
  const x0 = xToPx(scales, raster.range.x0)
  const column = Math.floor(((xPx - x0) / (xToPx(scales, raster.range.x1) - x0)) * raster.data.columns)
  const row = Math.floor(
    ((bottomOf(input.layout.plot) - yPx) / (bottomOf(input.layout.plot) - bytesToPx(scales, raster.y1))) * raster.data.rows,
  )
  return raster.data.cells[column * raster.data.rows + row] ?? 0
}

/** Names of bands that are tall and long enough: "forward linear.py:134 · 125 MiB". None below the texts already `placed`. */
export function drawBandLabels(input: TimelineInput, placed: readonly TextItem[]): Item[] {
  const { raster, layout } = input
  if (!raster) return []
  const scales = scalesOf(input)
  const width = (raster.range.x1 - raster.range.x0) / raster.data.columns
  return widestLabels(raster.data.labels).flatMap((label): Item[] => {
    const left = Math.max(xToPx(scales, raster.range.x0 + label.column0 * width), layout.plot.xPx)
    const right = Math.min(xToPx(scales, raster.range.x0 + label.column1 * width), rightOf(layout.plot))
    const yPx = bytesToPx(scales, label.y0Bytes + label.bytes / 2)
    const cell = cellUnder(input, (left + right) / 2, yPx)
    const fill = cellColor(input.tokens, raster.colorBy, cell & 127)
    const isDimmed = input.emphasised !== undefined && !input.emphasised.has(cell & 63)
    const heightPx = bytesToPx(scales, label.y0Bytes) - bytesToPx(scales, label.y0Bytes + label.bytes)
    if (!fill || isDimmed || heightPx < 13) return []
    const color = inkOn(fill) === 'light' ? white : black
    const spans = labelSpans(label, formatBytes(label.bytes), right - left - 2 * labelPaddingPx, input, mix(color, fill, 0.14))
    if (!spans) return []
    const text: TextItem = { kind: 'text', xPx: left + labelPaddingPx, yPx, spans, sizePx: 12, align: 'left', color }
    return freePlace([text], placed, input.measure) ? [text] : []
  })
}

type Label = TimelineRaster['labels'][number]

/** One label an allocation: its longest stretch. */
function widestLabels(labels: TimelineRaster['labels']): TimelineRaster['labels'] {
  const widest = new Map<number, Label>()
  for (const label of labels) {
    const known = widest.get(label.allocationId)
    if (!known || label.column1 - label.column0 > known.column1 - known.column0) widest.set(label.allocationId, label)
  }
  return [...widest.values()]
}

function labelSpans(label: Label, bytes: string, widthPx: number, input: TimelineInput, weak: Rgb): TextSpan[] | undefined {
  const title = label.title || plotText(label.isHeldBefore ? 'heldBefore' : 'noPythonFrames')
  const cut = label.title === '' ? -1 : title.lastIndexOf(' ')
  const name = cut < 0 ? title : title.slice(0, cut)
  const rest = `${cut < 0 ? '' : title.slice(cut)} · ${bytes}`
  const nameWidth = input.measure(name, 12, true)
  if (nameWidth > widthPx) {
    const fitted = fitText(name, widthPx, (text) => input.measure(text, 12, true))
    return fitted ? [{ text: fitted, strong: true }] : undefined
  }
  const fitted = fitText(rest, widthPx - nameWidth, (text) => input.measure(text, 12, false))
  return fitted
    ? [
        { text: name, strong: true },
        { text: fitted, color: weak },
      ]
    : [{ text: name, strong: true }]
}

/** Outline of the selected allocation: 2 px with a dark edge on either side; white over heat colours, where yellow would drown. */
export function drawOutline(input: TimelineInput): Item[] {
  const { outline } = input
  if (!outline) return []
  const ink = inkOf(input.tokens)
  const points = outlinePath(input)
  const color = isHeat(input.colorBy) ? white : ink.selection
  return [
    { kind: 'path', points, color: ink.selectionEdge, alpha: 1, widthPx: 4 },
    { kind: 'path', points, color, alpha: 1, widthPx: 2 },
  ]
}

function outlinePath(input: TimelineInput): number[] {
  const { outline } = input
  if (!outline) return []
  const scales = scalesOf(input)
  const { y0 } = outline.data
  const width = (outline.range.x1 - outline.range.x0) / y0.length
  const points: number[] = []
  for (let first = 0; first < y0.length; first++) {
    if (Number.isNaN(y0[first] ?? Number.NaN)) continue
    let end = first
    while (end < y0.length && !Number.isNaN(y0[end] ?? Number.NaN)) end++
    const under: number[] = []
    const over: number[] = []
    for (let column = first; column < end; column++) {
      const bytes = y0[column] ?? 0
      if (column > first && bytes === y0[column - 1] && column < end - 1) continue
      const left = Math.round(xToPx(scales, outline.range.x0 + column * width))
      const right = Math.max(left + 1, Math.round(xToPx(scales, outline.range.x0 + (column + 1) * width)))
      const low = Math.round(bytesToPx(scales, bytes))
      const high = Math.min(low - 2, Math.round(bytesToPx(scales, bytes + outline.bytes)))
      const lastLow = under.at(-1) ?? low
      const lastHigh = over.at(-1) ?? high
      under.push(left, lastLow, left, low, right, low)
      over.push(left, lastHigh, left, high, right, high)
    }
    points.push(...under, ...reversedPairs(over), under[0] ?? 0, under[1] ?? 0, Number.NaN, Number.NaN)
    first = end
  }
  return points
}

function reversedPairs(points: readonly number[]): number[] {
  const reversed: number[] = []
  for (let i = points.length - 2; i >= 0; i -= 2) reversed.push(points[i] ?? 0, points[i + 1] ?? 0)
  return reversed
}

/**
 * Words in the plot: name of the reserved line (at the top edge when the line lies above it) and of the gap below it; each where it does
 * not run into the texts already `placed`.
 */
export function drawCurveNames(input: TimelineInput, placed: readonly TextItem[]): Item[] {
  const { curves } = input
  const reserved = curves?.data.reserved.rep
  const last = reserved?.at(-1)
  if (!curves || !reserved || last === undefined || Number.isNaN(last)) return []
  if (!curvesOf(input.device).some(({ name }) => name === 'reserved')) return []
  const name = reservedName(input, last, placed)
  const taken = [...placed, ...name.filter((item) => item.kind === 'text')]
  const cached = cachedLabel(input) ?? []
  const isFree = cached.every((text) => freePlace([text], taken, input.measure))
  return isFree ? [...name, ...cached] : name
}

function reservedName(input: TimelineInput, bytes: number, placed: readonly TextItem[]): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const text = {
    kind: 'text',
    spans: [{ text: `${plotText('curve.reserved')} ${formatBytes(bytes)}` }],
    sizePx: 12,
    color: ink.t2,
    halo: ink.canvas,
  } as const
  const isCut = bytes > input.y1
  const first = isCut ? plot.yPx + 10 : crisp(bytesToPx(scalesOf(input), bytes)) - 12
  const lines = isCut ? [0, 1, 2] : [0, 24 / linePx]
  const along = [1, 0.75, 0.5, 0.35].map((share) => plot.xPx + plot.widthPx * share - 8)
  const all = lines.flatMap((line) => along.map((xPx): TextItem => ({ ...text, xPx, align: 'right', yPx: first + line * linePx })))
  const places = all.filter(({ yPx }) => yPx >= plot.yPx + linePx / 2) // above the plot it would be cut
  const free = freePlace(places, placed, input.measure)
  if (!free || !isCut) return free ? [free] : []
  const [xPx, tip] = [free.xPx - widthOf(free, input.measure) - 9, free.yPx - 4]
  return [free, { kind: 'triangle', points: [xPx - 4, tip + 7, xPx + 4, tip + 7, xPx, tip], color: ink.curve2, alpha: 1 }]
}

function cachedLabel(input: TimelineInput): TextItem[] | undefined {
  const { curves, layout } = input
  if (!curves) return undefined
  const columns = curves.data.repEvent.length
  const first = Math.floor(columns * 0.8)
  const end = Math.floor(columns * 0.98)
  let gapLow = 0
  let gapHigh = Number.POSITIVE_INFINITY
  for (let column = first; column < end; column++) {
    gapLow = Math.max(gapLow, curves.data.active.rep[column] ?? 0)
    gapHigh = Math.min(gapHigh, curves.data.reserved.rep[column] ?? 0, input.y1)
  }
  const scales = scalesOf(input)
  if (bytesToPx(scales, gapLow) - bytesToPx(scales, gapHigh) < 96) return undefined
  const at = Math.floor(columns * 0.9)
  const cached = (curves.data.reserved.rep[at] ?? 0) - (curves.data.active.rep[at] ?? 0)
  const ink = inkOf(input.tokens)
  const middle = bytesToPx(scales, (gapLow + gapHigh) / 2)
  const xPx = layout.plot.xPx + layout.plot.widthPx * 0.8
  const text = { kind: 'text', xPx, sizePx: 11, align: 'left', color: ink.t3 } as const
  return [
    { ...text, yPx: middle - 8, spans: [{ text: `${input.t('cached')} ${formatBytes(cached)}` }] },
    { ...text, yPx: middle + 8, spans: [{ text: input.t('cachedMeaning') }] },
  ]
}
