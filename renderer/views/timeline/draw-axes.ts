// Ruler (event and time), annotation lane and overview.

import { formatCount } from '../../i18n/format.ts'
import type { Item } from '../../scene/display-list.ts'
import { mix } from '../../theme/palette.ts'
import { bottomOf, laneRowPx, rightOf } from './layout.ts'
import { inkOf, scalesOf, type TimelineInput } from './model-input.ts'
import { type Scales, xToPx } from './scales.ts'
import { crisp } from './step-curve.ts'
import { fitText } from './text-fit.ts'
import { niceTicks, type TickLabel, timeLabels } from './ticks.ts'
import { columnAt } from './timeline-data.ts'

const tickGapPx = 100

export interface RulerTick {
  readonly xPx: number
  readonly event: TickLabel
  readonly time: TickLabel | undefined
}

/** Ticks at round values of the axis, each with the other measure at the same place. */
function rulerTicks(input: TimelineInput): RulerTick[] {
  const { axis, visible, layout, curves } = input
  const xs = niceTicks(Math.max(visible.x0, Math.min(input.home.x0, 0)), visible.x1, layout.plot.widthPx, tickGapPx, 1).filter(
    (x) => x >= 0,
  )
  const other = (x: number, values: Float64Array | undefined): number => {
    const column = curves && curves.axis === axis ? columnAt(curves, x) : undefined
    return column === undefined ? Number.NaN : (values?.[column] ?? Number.NaN)
  }
  const scales = scalesOf(input)
  const events = axis === 'event' ? xs : xs.map((x) => other(x, curves?.data.repEvent))
  const times = axis === 'time' ? xs : xs.map((x) => other(x, curves?.data.repTimeNs))
  const labels = input.hasTimes ? timeLabels(times) : undefined
  return xs.map((x, index) => {
    const event = events[index] ?? Number.NaN
    const text = Number.isNaN(event) ? '' : event < 0 ? '—' : formatCount(event)
    return { xPx: xToPx(scales, x), event: { text, strong: false }, time: labels?.[index] }
  })
}

/** The ruler's two lines, the axis' own first and stronger. */
export function drawRuler(input: TimelineInput): Item[] {
  const { ruler } = input.layout
  const ink = inkOf(input.tokens)
  const own = { sizePx: 12, color: ink.t2, yPx: ruler.yPx + 11 }
  const second = { sizePx: 11, color: ink.t3, yPx: ruler.yPx + 24 }
  const [eventLine, timeLine] = input.axis === 'event' ? [own, second] : [second, own]
  const name = (text: string, line: typeof own): Item => ({
    kind: 'text',
    xPx: ruler.xPx - 8,
    ...line,
    sizePx: 11,
    color: ink.t3,
    spans: [{ text }],
    align: 'right',
  })
  const items: Item[] = [
    { kind: 'box', xPx: 0, yPx: ruler.yPx, widthPx: input.layout.widthPx, heightPx: 1, color: ink.line, alpha: 1 },
    { kind: 'box', xPx: 0, yPx: bottomOf(ruler) - 1, widthPx: input.layout.widthPx, heightPx: 1, color: ink.line, alpha: 1 },
    name(input.t('axis.event'), eventLine),
  ]
  if (input.hasTimes) items.push(name(input.t('axis.time'), timeLine))
  for (const tick of rulerTicks(input)) {
    items.push({ kind: 'box', xPx: Math.round(tick.xPx), yPx: bottomOf(ruler) - 6, widthPx: 1, heightPx: 5, color: ink.line2, alpha: 1 })
    items.push(...tickText(tick.event, tick.xPx, eventLine, input), ...(tick.time ? tickText(tick.time, tick.xPx, timeLine, input) : []))
  }
  return items
}

function tickText(
  label: TickLabel,
  xPx: number,
  line: { readonly sizePx: number; readonly color: readonly [number, number, number]; readonly yPx: number },
  input: TimelineInput,
): Item[] {
  if (label.text === '') return []
  const half = input.measure(label.text, line.sizePx, label.strong) / 2
  const { ruler } = input.layout
  if (xPx - half < ruler.xPx - 4 || xPx + half > input.layout.widthPx - 4) return []
  return [{ kind: 'text', xPx, ...line, spans: [{ text: label.text, strong: label.strong }], align: 'center' }]
}

/** Annotation bars with their names: inside where they fit, else beside the bar when there is room before the next. */
export function drawLane(input: TimelineInput): Item[] {
  const { lane } = input.layout
  if (lane.heightPx === 0) return []
  const ink = inkOf(input.tokens)
  const items: Item[] = [
    { kind: 'box', xPx: 0, yPx: bottomOf(lane) - 1, widthPx: input.layout.widthPx, heightPx: 1, color: ink.line, alpha: 1 },
    {
      kind: 'text',
      xPx: lane.xPx - 8,
      yPx: lane.yPx + laneRowPx / 2 + 2,
      spans: [{ text: input.t('annotations') }],
      sizePx: 11,
      align: 'right',
      color: ink.t3,
    },
  ]
  const bars = visibleBars(input)
  const nextLeft: number[] = []
  for (const bar of bars.toReversed()) {
    items.push(...drawBar(input, bar, nextLeft[bar.row] ?? rightOf(lane)))
    nextLeft[bar.row] = bar.left
  }
  return items
}

interface Bar {
  readonly name: string
  readonly row: number
  readonly left: number
  readonly widthPx: number
  readonly count: number // spans too narrow to tell apart are one bar
}

const narrowPx = 4
const leastLabelPx = 36

/** Bars in the visible range; neighbours too narrow to tell apart join into a counted one. */
function visibleBars(input: TimelineInput): Bar[] {
  const { lane } = input.layout
  const scales = scalesOf(input)
  const bars: Bar[] = []
  const lastOfRow: number[] = []
  const { visible } = input
  for (const { span, row, x0, x1 } of input.spans) {
    if (x1 < visible.x0 || x0 > visible.x1) continue
    const left = Math.round(Math.max(xToPx(scales, x0), lane.xPx - 2))
    const right = Math.round(Math.min(xToPx(scales, x1), rightOf(lane) + 2))
    const widthPx = Math.max(right - left, 2)
    const lastIndex = lastOfRow[row] ?? -1
    const last = bars[lastIndex]
    if (last && widthPx < narrowPx && (last.count > 1 || last.widthPx < narrowPx) && left - last.left - last.widthPx <= 1) {
      const joined = Math.max(last.widthPx, left + widthPx - last.left)
      bars[lastIndex] = { ...last, widthPx: joined, count: last.count + 1 }
    } else lastOfRow[row] = bars.push({ name: span.name, row, left, widthPx, count: 1 }) - 1
  }
  return bars
}

function drawBar(input: TimelineInput, { name, row, left, widthPx, count }: Bar, nextLeft: number): Item[] {
  const ink = inkOf(input.tokens)
  const yPx = input.layout.lane.yPx + 2 + row * laneRowPx
  const heightPx = laneRowPx - 3
  const items: Item[] = [
    { kind: 'box', xPx: left, yPx, widthPx, heightPx, color: mix(ink.canvas, ink.curve2, 0.34), alpha: 1 },
    { kind: 'box', xPx: left, yPx, widthPx: count > 1 ? 0 : Math.min(2, widthPx), heightPx, color: ink.curve2, alpha: 1 },
  ]
  const measure = (text: string) => input.measure(text, 11, false)
  const inside = widthPx < leastLabelPx ? undefined : fitText(count > 1 ? input.t('spansJoined', { count }) : name, widthPx - 14, measure)
  const besidePx = nextLeft - left - widthPx - 16
  const beside = inside || count > 1 || besidePx < leastLabelPx ? undefined : fitText(name, besidePx, measure)
  const text = { kind: 'text', yPx: yPx + heightPx / 2 + 0.5, sizePx: 11, align: 'left' } as const
  if (inside) items.push({ ...text, xPx: left + 8, spans: [{ text: inside }], color: ink.t1 })
  else if (beside) items.push({ ...text, xPx: left + widthPx + 5, spans: [{ text: beside }], color: ink.t2 })
  return items
}

/** Scales of the overview: the home range over its frame. */
export const overviewScales = (input: TimelineInput): Scales => ({ visible: input.home, y1: input.y1, plot: input.layout.overview })

/** Allocated area and reserved line over everything; outside the window dimmed; the window with its handles. */
export function drawOverview(input: TimelineInput): Item[] {
  const { overview: frame } = input.layout
  if (frame.heightPx === 0) return []
  const ink = inkOf(input.tokens)
  const scales = overviewScales(input)
  const left = Math.round(xToPx(scales, Math.max(input.visible.x0, input.home.x0)))
  const right = Math.max(left + 3, Math.round(xToPx(scales, Math.min(input.visible.x1, input.home.x1))))
  const items: Item[] = [
    {
      kind: 'text',
      xPx: frame.xPx - 8,
      yPx: frame.yPx + frame.heightPx / 2,
      spans: [{ text: input.t('all') }],
      sizePx: 11,
      align: 'right',
      color: ink.t3,
    },
    { kind: 'box', ...frame, color: ink.panel, alpha: 1 },
    { kind: 'box', ...frame, xPx: left, widthPx: right - left, color: ink.raised, alpha: 0.6 },
    ...overviewArea(input, left, right),
  ]
  return [...items, ...windowFrame(input, left, right)]
}

function overviewArea(input: TimelineInput, left: number, right: number): Item[] {
  const { overview } = input
  if (!overview || overview.axis !== input.axis) return []
  const ink = inkOf(input.tokens)
  const scales = overviewScales(input)
  const { allocated, reserved } = overview.data
  const columns = allocated.rep.length
  const columnWidth = (overview.range.x1 - overview.range.x0) / columns
  const floor = bottomOf(scales.plot)
  const items: Item[] = []
  const heightOf = (values: Float64Array, column: number): number => Math.round(((values[column] ?? 0) / input.y1) * scales.plot.heightPx)
  const add = (values: Float64Array, isLine: boolean): void => {
    for (let first = 0; first < columns; ) {
      let end = first + 1
      const heightPx = heightOf(values, first)
      while (end < columns && heightOf(values, end) === heightPx) end++
      const x0 = xToPx(scales, overview.range.x0 + first * columnWidth)
      const x1 = xToPx(scales, overview.range.x0 + end * columnWidth)
      const box = { kind: 'box', yPx: floor - heightPx, heightPx: isLine ? 1 : heightPx, color: isLine ? ink.curve2 : ink.mark } as const
      // Dimmed outside the window.
      for (const [from, to, alpha] of [
        [x0, Math.min(x1, left), 0.45],
        [Math.max(x0, left), Math.min(x1, right), 0.95],
        [Math.max(x0, right), x1, 0.45],
      ] as const)
        if (to > from) items.push({ ...box, xPx: from, widthPx: to - from, alpha })
      first = end
    }
  }
  add(allocated.max, false)
  add(reserved.max, true)
  return items
}

function windowFrame(input: TimelineInput, left: number, right: number): Item[] {
  const { overview: frame } = input.layout
  const ink = inkOf(input.tokens)
  const [top, bottom] = [frame.yPx + 0.5, bottomOf(frame) - 0.5]
  const handle = { kind: 'box', yPx: frame.yPx + frame.heightPx / 2 - 7, widthPx: 5, heightPx: 14, color: ink.t2, alpha: 1 } as const
  const [x0, x1] = [crisp(left), crisp(right - 1)]
  return [
    { kind: 'path', points: [x0, top, x1, top, x1, bottom, x0, bottom, x0, top], color: ink.t2, alpha: 1, widthPx: 1 },
    { ...handle, xPx: left - 2 },
    { ...handle, xPx: right - 3 },
  ]
}
