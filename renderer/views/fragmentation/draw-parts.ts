// Reserved memory filled with its parts, and the lines over them.
import type { SpaceCurves } from '../../../preload/contract/queries.ts'
import { type ByteAxis, drawByteGrid } from '../../plot/draw-bytes.ts'
import { inkOf } from '../../plot/ink.ts'
import { bytesToPx, xToPx } from '../../plot/scales.ts'
import { curveStrokes, stepPath } from '../../plot/step-curve.ts'
import type { Item } from '../../scene/display-list.ts'
import { lines, measuresAt, partOf, parts } from '../../space/measures.ts'
import { lineDash, partColor } from './colors.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'

const gridGapPx = 48
const dimmedAlpha = 0.25

const topsOf = new WeakMap<SpaceCurves, readonly Float64Array[]>()

/** Bytes from the bottom up to the top of each part, in every column; made once an answer. */
export function partTops({ curves }: CurveInput): readonly Float64Array[] {
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

export const byteAxisOf = (input: CurveInput): ByteAxis => ({ scales: scalesOf(input), gapPx: gridGapPx, tokens: input.tokens })

/** The grid once more over the parts, as faint cuts, so that they can be read off. */
export const drawGridCuts = (input: CurveInput): Item[] =>
  drawByteGrid(byteAxisOf(input)).map((line) => ({ ...line, color: inkOf(input.tokens).canvas, alpha: gridOverParts }))
