// Single lifetimes: one bar an allocation, its states drawn apart by form before colour.
import type { LifetimeColor } from '../../../preload/contract/queries.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { rightOf } from '../../plot/layout.ts'
import { stackTitle } from '../../plot/legend.ts'
import { xToPx } from '../../plot/scales.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Box, Item } from '../../scene/display-list.ts'
import { inkOn, mix, parseHex, type Rgb, slotColor } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { orElse } from './lanes.ts'
import { historyOf, idleAfter, type LifetimesInput, yScaleOf } from './model-input.ts'
import { yToPx } from './y-axis.ts'

const gapPx = 1 // between bars that are high enough to spare it
const leastGapHeightPx = 4
const edgeHeightPx = 5 // bars lower than this have no marks
const edgeWidthPx = 6
const idleStrength = 0.58 // of the colour on the canvas
const pendingStrength = 0.3
const dotStepPx = 8
const labelHeightPx = 13
const labelWidthPx = 56
const mostLabels = 300
const reachPx = 4 // a bar is hit within this distance of its middle at least
const nearBlack: Rgb = [22, 24, 28]
const white: Rgb = [255, 255, 255]

/** Where one bar lies, in CSS pixels: made, no longer in use for sure, given back, completed. */
export interface BarBox {
  readonly index: number
  readonly left: number
  readonly idle: number // from here on it is an idle candidate; its freed end when it never is
  readonly freed: number
  readonly right: number
  readonly top: number
  readonly heightPx: number
  readonly isOpen: boolean // made before the history
  readonly isAlive: boolean // not given back in the capture
}

/** The bars in sight. */
export function barBoxes(input: LifetimesInput): BarBox[] {
  const { bars } = input
  if (!bars) return []
  const [x, y] = [xScaleOf(input), yScaleOf(input)]
  const history = historyOf(input)
  const idle = idleAfter(input)
  const { plot } = input.layout
  const boxes: BarBox[] = []
  for (const [index, start] of bars.data.start.entries()) {
    const top = yToPx(y, bars.data.y0[index] ?? 0)
    const heightPx = Math.max(1, yToPx(y, bars.data.y1[index] ?? 0) - top)
    const from = orElse(start, history.x0)
    const freed = orElse(bars.data.freeRequested[index], history.x1)
    const completed = Math.max(
      freed,
      orElse(bars.data.freeCompleted[index], Number.isNaN(bars.data.freeRequested[index]) ? freed : history.x1),
    )
    const [left, right] = [xToPx(x, from), xToPx(x, completed)]
    if (right < plot.xPx - 1 || left > rightOf(plot) + 1 || top > plot.yPx + plot.heightPx || top + heightPx < plot.yPx) continue
    const spare = heightPx >= leastGapHeightPx ? gapPx : 0
    boxes.push({
      index,
      left,
      idle: Math.min(xToPx(x, freed), xToPx(x, from + idle)),
      freed: xToPx(x, freed),
      right: Math.max(right, left + 1),
      top,
      heightPx: heightPx - spare,
      isOpen: Number.isNaN(start),
      isAlive: Number.isNaN(bars.data.freeRequested[index]),
    })
  }
  return boxes
}

const slotInk = (tokens: Tokens, colorBy: LifetimeColor, slot: number): Rgb => slotColor(tokens, colorBy, slot) ?? inkOf(tokens).mark

/** Colour of what is in use, as painted on the canvas. */
export const barColor = (tokens: Tokens, colorBy: LifetimeColor, slot: number): Rgb =>
  mix(parseHex(tokens.canvas), slotInk(tokens, colorBy, slot), tokens.bandOpacity)

/** Bars, their states and their names. */
export function drawBars(input: LifetimesInput): Item[] {
  const { bars } = input
  if (!bars) return []
  const boxes = barBoxes(input)
  const labelled = new Set(
    boxes
      .filter(({ heightPx }) => heightPx >= labelHeightPx)
      .sort((a, b) => b.right - b.left - (a.right - a.left))
      .slice(0, mostLabels),
  )
  return boxes.flatMap((box) => {
    const color = slotInk(input.tokens, bars.colorBy, bars.data.slot[box.index] ?? 0)
    const items = drawBar(input, box, color)
    return labelled.has(box) ? [...items, ...drawLabel(input, box, color)] : items
  })
}

function drawBar(input: LifetimesInput, box: BarBox, color: Rgb): Item[] {
  const { tokens } = input
  const canvas = parseHex(tokens.canvas)
  const { left, idle, freed, right, top, heightPx, isOpen, isAlive } = box
  const part = (xPx: number, end: number, fill: Rgb): Box => ({
    kind: 'box',
    xPx,
    yPx: top,
    widthPx: end - xPx,
    heightPx,
    color: fill,
    alpha: 1,
  })
  const solid = mix(canvas, color, tokens.bandOpacity)
  const items: Item[] = [part(left, Math.max(idle, left + 1), solid)]
  if (freed > idle) items.push(part(idle, freed, mix(canvas, color, idleStrength)), ...drawDots(input, idle, freed, box, solid))
  if (right - freed > 1 && !isAlive) {
    items.push(part(freed, right, mix(canvas, color, pendingStrength)))
    if (heightPx >= edgeHeightPx && right - freed >= edgeWidthPx)
      items.push({ kind: 'hatch', xPx: freed, yPx: top, widthPx: right - freed, heightPx, color: inkOf(tokens).t1 })
  }
  if (heightPx < edgeHeightPx || right - left < edgeWidthPx) return items
  const ink = inkOf(tokens)
  const edge = (xPx: number, widthPx: number, alpha: number): Box => ({
    kind: 'box',
    xPx,
    yPx: top,
    widthPx,
    heightPx,
    color: ink.t1,
    alpha,
  })
  if (isOpen) items.push(...openEdge(box, canvas))
  else items.push(edge(left, 2, 0.95))
  if (!isAlive) items.push(edge(freed - 1, 1, 0.75))
  else items.push(...arrow(input, box, ink.t1))
  return items
}

/** Dots on the part in which a long life may be idle: at least one row of them. */
function drawDots({ layout: { plot } }: LifetimesInput, from: number, to: number, { top, heightPx }: BarBox, color: Rgb): Item[] {
  if (heightPx < edgeHeightPx) return []
  const [left, right] = [Math.max(from, plot.xPx), Math.min(to, rightOf(plot))]
  const rows = Math.max(1, Math.floor(heightPx / dotStepPx))
  const dots: Item[] = []
  // Anchored to the page, so that they stand still while edges move.
  for (let row = 0; row < rows; row++) {
    const yPx = top + ((row + 0.5) * heightPx) / rows - 1
    if (yPx < plot.yPx || yPx > plot.yPx + plot.heightPx) continue
    for (let xPx = Math.ceil(left / dotStepPx) * dotStepPx + 2; xPx < right - 2; xPx += dotStepPx)
      dots.push({ kind: 'box', xPx, yPx, widthPx: 2, heightPx: 2, color, alpha: 1 })
  }
  return dots
}

/** A torn edge: it was made before the history. */
function openEdge({ left, top, heightPx }: BarBox, canvas: Rgb): Item[] {
  return [1, 4].map((offset) => ({ kind: 'box', xPx: left + offset, yPx: top, widthPx: 1.5, heightPx, color: canvas, alpha: 1 }))
}

/** It goes on past the end. */
function arrow({ layout: { plot } }: LifetimesInput, { freed, top, heightPx }: BarBox, color: Rgb): Item[] {
  const tip = Math.min(freed, rightOf(plot)) - 1
  const half = Math.min(5, heightPx / 2)
  const middle = top + heightPx / 2
  return [{ kind: 'triangle', points: [tip - half - 1, middle - half, tip - half - 1, middle + half, tip, middle], color, alpha: 1 }]
}

function drawLabel(input: LifetimesInput, { index, left, freed, top, heightPx, idle }: BarBox, color: Rgb): Item[] {
  const { plot } = input.layout
  const xPx = Math.max(left, plot.xPx) + 7
  const room = Math.min(freed, rightOf(plot)) - xPx - 10
  if (room < labelWidthPx) return []
  const text = fitText(stackTitle(input.bars?.data.titles[index] ?? ''), room, (words) => input.measure(words, 11, false))
  if (text === undefined) return []
  const canvas = parseHex(input.tokens.canvas)
  const fill = mix(canvas, color, idle > xPx + 8 ? input.tokens.bandOpacity : idleStrength)
  const ink = inkOn(fill) === 'light' ? white : nearBlack
  // Over dots and at the border of two strengths the halo keeps the words readable.
  return [{ kind: 'text', xPx, yPx: top + heightPx / 2, spans: [{ text }], sizePx: 11, align: 'left', color: ink, halo: fill }]
}

/** How far a place lies outside [from, to]; within reach of a thin stretch it counts as near, otherwise as outside. */
function gapTo(at: number, from: number, to: number): number {
  const gap = Math.max(from - at, 0, at - to)
  return gap <= Math.max(0, reachPx - (to - from) / 2) ? gap : Number.POSITIVE_INFINITY
}

/** The bar at a place of the canvas: the one drawn last of those under it, else a thin one near it. */
export function barAt(input: LifetimesInput, xPx: number, yPx: number): BarBox | undefined {
  let near: BarBox | undefined
  let nearPx = Number.POSITIVE_INFINITY
  for (const box of barBoxes(input)) {
    const distance = Math.max(gapTo(xPx, box.left, box.right), gapTo(yPx, box.top, box.top + box.heightPx))
    if (Number.isFinite(distance) && distance <= nearPx) {
      near = box
      nearPx = distance
    }
  }
  return near
}
