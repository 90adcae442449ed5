// Marks over the picture: where the history starts and ends, the peak, the pinned cursor.
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { xOfEvent } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { bytesToPx, pxToX, spanOf, xToPx } from '../../plot/scales.ts'
import { crisp } from '../../plot/step-curve.ts'
import { freePlace, textFrame, textsOverlap } from '../../plot/text-fit.ts'
import { type Item, type TextItem, type TextSpan, widthOf } from '../../scene/display-list.ts'
import { scalesOf, type TimelineInput } from './model-input.ts'

/** Start of the axis' history: 0, or the first event's time. */
function historyStart(input: TimelineInput): number {
  return input.axis === 'time' ? (input.device.firstTimeNs ?? 0) : 0
}

function historyEnd(input: TimelineInput): number {
  return input.axis === 'time' ? (input.device.lastTimeNs ?? 0) : input.device.eventCount
}

/** What lies outside the history: a hatch over the unknown past, words at either end where there is room for them. */
export function drawHistoryEnds(input: TimelineInput, placed: readonly TextItem[]): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const scales = scalesOf(input)
  const start = Math.round(xToPx(scales, historyStart(input)))
  const end = Math.round(xToPx(scales, historyEnd(input)))
  const items: Item[] = []
  const words = { kind: 'text', yPx: plot.yPx + 14, sizePx: 11, color: ink.t2, halo: ink.canvas } as const
  const add = (text: TextItem) => {
    const place = freePlace(lowered(text), placed, input.measure)
    if (place) items.push(place)
  }
  if (start > plot.xPx) {
    const widthPx = Math.min(start, rightOf(plot)) - plot.xPx
    const text = input.t(input.startsLate ? 'beforeUnknown' : 'historyStart')
    const fits = widthPx > input.measure(text, 11, false) + 12
    if (input.startsLate) items.push({ kind: 'hatch', ...plot, widthPx, color: ink.hatch })
    if (input.startsLate || fits) items.push(endLine(start, input))
    if (fits) add({ ...words, xPx: plot.xPx + widthPx - 6, spans: [{ text }], align: 'right' })
    // Without room on its own side the reason for the hatch stands on the other.
    else if (input.startsLate) add({ ...words, xPx: start + 6, spans: [{ text: `◂ ${text}` }], align: 'left' })
  }
  const text = input.t('historyEnd')
  if (rightOf(plot) - end > input.measure(text, 11, false) + 12) {
    items.push(endLine(end, input))
    add({ ...words, xPx: end + 6, spans: [{ text }], align: 'left' })
  }
  return items
}

const linePx = 18

/** The place of a text and the two below it. */
const lowered = (text: TextItem): TextItem[] => [0, 1, 2].map((lines) => ({ ...text, yPx: text.yPx + lines * linePx }))

function endLine(xPx: number, { layout: { plot }, tokens }: TimelineInput): Item {
  return {
    kind: 'path',
    points: [xPx + 0.5, plot.yPx, xPx + 0.5, bottomOf(plot)],
    color: inkOf(tokens).mark,
    alpha: 1,
    widthPx: 1,
    dashPx: [2, 3],
  }
}

export interface PeakMark {
  readonly kind: 'peak'
  readonly event: number
  readonly xPx: number
  readonly yPx: number
}

/** The peak of the device: where it is drawn, undefined when outside the visible range. */
export function peakMark(input: TimelineInput): PeakMark | undefined {
  const { device, layout } = input
  if (device.peakAllocatedBytes <= 0) return undefined
  const x = device.peakEvent < 0 ? historyStart(input) : xOfEvent(input.axis, device.peakEvent, device.peakTimeNs)
  if (x === undefined) return undefined
  const xPx = xToPx(scalesOf(input), x)
  if (xPx < layout.plot.xPx - 1 || xPx > rightOf(layout.plot) + 1) return undefined
  return { kind: 'peak', event: device.peakEvent, xPx, yPx: bytesToPx(scalesOf(input), device.peakAllocatedBytes) }
}

/** The same line, ending before whatever else stands on it; the text itself where that would leave the plot. */
function leftOfOthers(text: TextItem, placed: readonly TextItem[], { measure, layout: { plot } }: TimelineInput): TextItem {
  const others = placed.filter((other) => textsOverlap(text, other, measure))
  if (others.length === 0) return text
  const left = Math.min(...others.map((other) => textFrame(other, measure).xPx)) - 16
  return left - widthOf(text, measure) > plot.xPx ? { ...text, xPx: left, align: 'right' } : text
}

/** The place one and two lines higher, inside the plot. */
const raised = (text: TextItem, topPx: number): TextItem[] =>
  [1, 2].map((lines) => ({ ...text, yPx: text.yPx - lines * linePx })).filter(({ yPx }) => yPx >= topPx + 12)

/** True where the reserved line runs through a text. */
const isStruck = (text: TextItem, input: TimelineInput): boolean => strikePx(text, input) !== undefined

const mostMoves = 4

/** The same line, ending before where the curve runs through it, and before where it then does; none that would leave the plot. */
function leftOfStrikes(text: TextItem, input: TimelineInput, moves = mostMoves): TextItem[] {
  const strike = moves > 0 ? strikePx(text, input) : undefined
  const xPx = (strike ?? text.xPx) - 8
  if (strike === undefined || xPx - widthOf(text, input.measure) < input.layout.plot.xPx) return []
  const moved: TextItem = { ...text, xPx, align: 'right' }
  return [moved, ...leftOfStrikes(moved, input, moves - 1)]
}

/** Where the reserved line first runs through a text. */
function strikePx(text: TextItem, input: TimelineInput): number | undefined {
  const { curves, measure } = input
  if (!curves) return undefined
  const { range, data } = curves
  const scales = scalesOf(input)
  const frame = textFrame(text, measure)
  const columns = data.reserved.rep.length
  const columnAtPx = (px: number): number => Math.floor(((pxToX(scales, px) - range.x0) / spanOf(range)) * columns)
  const end = Math.min(columnAtPx(frame.xPx + frame.widthPx), columns - 1)
  let before = Number.NaN
  for (let column = Math.max(0, columnAtPx(frame.xPx)); column <= end; column++) {
    const yPx = bytesToPx(scales, data.reserved.rep[column] ?? Number.NaN)
    const [top, bottom] = Number.isNaN(before) ? [yPx, yPx] : [Math.min(before, yPx), Math.max(before, yPx)]
    if (bottom >= frame.yPx - 1 && top <= frame.yPx + frame.heightPx + 1)
      return xToPx(scales, range.x0 + (column * spanOf(range)) / columns)
    before = yPx
  }
  return undefined
}

/** Triangle on the peak with its number and event, beside it where there is room that no text has taken. */
export function drawPeak(input: TimelineInput, placed: readonly TextItem[]): Item[] {
  const mark = peakMark(input)
  if (!mark) return []
  const { device, layout, t } = input
  const ink = inkOf(input.tokens)
  const words = device.peakEvent < 0 ? t('peakBefore') : t('peakAt', { event: formatCount(device.peakEvent) })
  // One line, so that number and words cannot run into each other whatever the fonts measure.
  const spans: TextSpan[] = [
    { text: formatBytes(device.peakAllocatedBytes), strong: true, color: ink.t1 },
    { text: `  ${words}`, sizePx: 12 },
  ]
  const line = { kind: 'text', spans, sizePx: 16, color: ink.t2, halo: ink.canvas } as const
  const fitsRight = mark.xPx + 12 + widthOf(line, input.measure) < rightOf(layout.plot)
  const side = fitsRight ? ({ xPx: mark.xPx + 12, align: 'left' } as const) : ({ xPx: mark.xPx - 12, align: 'right' } as const)
  const first: TextItem = { ...line, ...side, yPx: Math.max(mark.yPx - 10, layout.plot.yPx + 12) }
  const places = [first, leftOfOthers(first, placed, input), ...raised(first, layout.plot.yPx), ...lowered(first)]
  const clear = [...places, ...places.flatMap((place) => leftOfStrikes(place, input))].filter((place) => !isStruck(place, input))
  const tip = Math.max(mark.yPx - 2, layout.plot.yPx + 10)
  const text = freePlace(clear, placed, input.measure) ?? freePlace(places, placed, input.measure) ?? first
  return [
    { kind: 'triangle', points: [mark.xPx - 5, tip - 8, mark.xPx + 5, tip - 8, mark.xPx, tip], color: ink.t1, alpha: 1 },
    ...leader(text, mark, input),
    text,
  ]
}

const leaderFromPx = 40

/** A line from a text to its mark, where it had to move away from it to the left. */
function leader(text: TextItem, { xPx }: PeakMark, { measure, tokens }: TimelineInput): Item[] {
  const frame = textFrame(text, measure)
  const right = frame.xPx + frame.widthPx
  if (xPx - right < leaderFromPx) return []
  const yPx = crisp(text.yPx)
  return [{ kind: 'path', points: [right + 6, yPx, xPx - 7, yPx], color: inkOf(tokens).t3, alpha: 1, widthPx: 1 }]
}

/** The pinned cursor: a line with a handle on the ruler, and a ring on the allocated curve. */
export function drawCursor(input: TimelineInput): Item[] {
  const { cursor, layout } = input
  const x = cursor && xOfEvent(input.axis, cursor.event, cursor.timeNs)
  if (!cursor || x === undefined) return []
  const xPx = crisp(xToPx(scalesOf(input), x))
  if (xPx < layout.plot.xPx || xPx > rightOf(layout.plot)) return []
  const ink = inkOf(input.tokens)
  const top = bottomOf(layout.ruler)
  const yPx = bytesToPx(scalesOf(input), cursor.allocated)
  return [
    { kind: 'path', points: [xPx, top - 3, xPx, bottomOf(layout.plot)], color: ink.t1, alpha: 1, widthPx: 1 },
    { kind: 'triangle', points: [xPx - 5, top - 8, xPx + 5, top - 8, xPx, top - 1], color: ink.t1, alpha: 1 },
    { kind: 'disc', xPx, yPx, radiusPx: 4, color: ink.t1 },
    { kind: 'disc', xPx, yPx, radiusPx: 2.5, color: ink.canvas },
  ]
}
