// Marks over the picture: what lies outside the history, failures, the pinned cursor, the selected rectangle and allocation.
import { xOfEvent, xScaleOf } from '../../plot/axis-input.ts'
import { drawSelectedRange } from '../../plot/draw-range.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { xToPx } from '../../plot/scales.ts'
import { crisp } from '../../plot/step-curve.ts'
import type { Frame, Item } from '../../scene/display-list.ts'
import type { Rgb } from '../../theme/palette.ts'
import type { PlacedLife } from './lifetimes-data.ts'
import { historyOf, type LifetimesInput, yScaleOf } from './model-input.ts'
import { yToPx } from './y-axis.ts'

const leastOutlinePx = 4
const oomWords = 'OOM'

/** A hatch over the unknown past, and where the history ends. */
export function drawHistoryEnds(input: LifetimesInput): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const { x0 } = historyOf(input)
  const start = Math.round(xToPx(xScaleOf(input), x0))
  if (!input.startsLate || start <= plot.xPx) return []
  const widthPx = Math.min(start, rightOf(plot)) - plot.xPx
  return [
    { kind: 'hatch', ...plot, widthPx, color: ink.hatch },
    { kind: 'path', points: [start + 0.5, plot.yPx, start + 0.5, bottomOf(plot)], color: ink.mark, alpha: 1, widthPx: 1, dashPx: [2, 3] },
  ]
}

/** Failures: a red triangle with a word, and a line down. */
export function drawOoms(input: LifetimesInput): Item[] {
  const { plot } = input.layout
  const { bad, canvas } = inkOf(input.tokens)
  const widthPx = input.measure(oomWords, 11, true)
  let lastWord = Number.NEGATIVE_INFINITY
  return input.device.ooms.flatMap((oom): Item[] => {
    const x = xOfEvent(input.axis, oom.event, oom.timeNs)
    const xPx = x === undefined ? Number.NaN : xToPx(xScaleOf(input), x)
    if (!(xPx >= plot.xPx - 1 && xPx <= rightOf(plot) + 1)) return []
    const top = plot.yPx + 3
    const items: Item[] = [
      { kind: 'path', points: [crisp(xPx), top + 11, crisp(xPx), bottomOf(plot)], color: bad, alpha: 0.75, widthPx: 1 },
      { kind: 'triangle', points: [xPx - 6, top + 11, xPx + 6, top + 11, xPx, top], color: bad, alpha: 1 },
    ]
    if (xPx - lastWord < widthPx + 20) return items
    lastWord = xPx
    const onRight = xPx + 12 + widthPx < rightOf(plot)
    const side = onRight ? ({ xPx: xPx + 10, align: 'left' } as const) : ({ xPx: xPx - 10, align: 'right' } as const)
    return [
      ...items,
      { kind: 'text', ...side, yPx: top + 7, spans: [{ text: oomWords, strong: true }], sizePx: 11, color: bad, halo: canvas },
    ]
  })
}

/** The pinned cursor: a line with a handle on the ruler. */
export function drawCursor(input: LifetimesInput): Item[] {
  const { cursor, layout } = input
  const x = cursor && xOfEvent(input.axis, cursor.event, cursor.timeNs)
  if (!cursor || x === undefined) return []
  const xPx = crisp(xToPx(xScaleOf(input), x))
  if (xPx < layout.plot.xPx || xPx > rightOf(layout.plot)) return []
  const ink = inkOf(input.tokens)
  const top = bottomOf(layout.ruler)
  return [
    // A dark edge on both sides keeps the line visible on every level of the heat map.
    { kind: 'path', points: [xPx, layout.plot.yPx, xPx, bottomOf(layout.plot)], color: ink.canvas, alpha: 0.7, widthPx: 3 },
    { kind: 'path', points: [xPx, top - 3, xPx, bottomOf(layout.plot)], color: ink.t1, alpha: 1, widthPx: 1 },
    { kind: 'triangle', points: [xPx - 5, top - 8, xPx + 5, top - 8, xPx, top - 1], color: ink.t1, alpha: 1 },
  ]
}

/** A frame of two colours, visible on every ground. */
function outline({ xPx, yPx, widthPx, heightPx }: Frame, color: Rgb, edge: Rgb): Item[] {
  const ring = (by: number) => {
    const [left, top, right, bottom] = [xPx - by, yPx - by, xPx + widthPx + by, yPx + heightPx + by]
    return [left, top, right, top, right, bottom, left, bottom, left, top]
  }
  return [
    { kind: 'path', points: ring(1), color: edge, alpha: 1, widthPx: 4 },
    { kind: 'path', points: ring(1), color, alpha: 1, widthPx: 2 },
  ]
}

const white: Rgb = [255, 255, 255]

/** The selected rectangle; a range without a band is drawn as everywhere. */
export function drawRectangle(input: LifetimesInput): Item[] {
  const { selectedRange: range, band } = input
  if (!range || !band) return drawSelectedRange(input)
  const [x, y] = [xScaleOf(input), yScaleOf(input)]
  const [left, top] = [Math.round(xToPx(x, range.x0)), Math.round(yToPx(y, band.y0))]
  const frame = { xPx: left, yPx: top, widthPx: Math.round(xToPx(x, range.x1)) - left, heightPx: Math.round(yToPx(y, band.y1)) - top }
  return outline(frame, white, inkOf(input.tokens).selectionEdge)
}

/** The frame of a life, from its beginning to where its free completed; what the capture does not hold reaches past the plot. */
export function lifeFrame(input: LifetimesInput, life: Pick<PlacedLife, 'start' | 'freeRequested' | 'freeCompleted' | 'y'>): Frame {
  const { plot } = input.layout
  const [x, y] = [xScaleOf(input), yScaleOf(input)]
  const left = life.start === null ? plot.xPx - 8 : xToPx(x, life.start)
  const end = life.freeCompleted ?? life.freeRequested
  const right = end === null ? rightOf(plot) + 8 : xToPx(x, end)
  const top = yToPx(y, life.y.y0)
  const missingPx = Math.max(0, leastOutlinePx - (right - left)) / 2
  const lowPx = Math.max(0, leastOutlinePx - (yToPx(y, life.y.y1) - top)) / 2
  return { xPx: left - missingPx, yPx: top - lowPx, widthPx: right - left + 2 * missingPx, heightPx: yToPx(y, life.y.y1) - top + 2 * lowPx }
}

/** The selected allocation: white on the heat map, whose brightest level is the yellow of selections elsewhere. */
export function drawSelected(input: LifetimesInput): Item[] {
  if (!input.place) return []
  const ink = inkOf(input.tokens)
  return outline(lifeFrame(input, input.place), input.bars ? ink.selection : white, ink.selectionEdge)
}
