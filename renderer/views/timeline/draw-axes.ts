// Ruler (event and time) and overview.
import { formatCount } from '../../i18n/format.ts'
import type { Frame, Item } from '../../scene/display-list.ts'
import { bottomOf, rightOf } from './layout.ts'
import { inkOf, scalesOf, type TimelineInput } from './model-input.ts'
import { type Scales, xToPx } from './scales.ts'
import { crisp } from './step-curve.ts'
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
  if (xPx - half < ruler.xPx - 2 || xPx + half > input.layout.widthPx - 4) return []
  return [{ kind: 'text', xPx, ...line, spans: [{ text: label.text, strong: label.strong }], align: 'center' }]
}

/** Scales of the overview: the home range over its frame. */
export const overviewScales = (input: TimelineInput): Scales => ({
  visible: input.home,
  y1: input.overviewTop,
  plot: input.layout.overview,
})

/** Allocated area and reserved line over everything; outside the window dimmed; the window with its handles. */
export function drawOverview(input: TimelineInput): Item[] {
  const { overview: frame } = input.layout
  if (frame.heightPx === 0) return []
  const ink = inkOf(input.tokens)
  const scales = overviewScales(input)
  const left = Math.round(xToPx(scales, Math.max(input.visible.x0, input.home.x0)))
  const right = Math.max(left + 3, Math.round(xToPx(scales, Math.min(input.visible.x1, input.home.x1))))
  const veil = { kind: 'box', yPx: frame.yPx, heightPx: frame.heightPx, color: ink.panel, alpha: 0.55 } as const
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
    ...overviewArea(input),
    { ...veil, xPx: frame.xPx, widthPx: Math.max(0, left - frame.xPx) },
    { ...veil, xPx: right, widthPx: Math.max(0, rightOf(frame) - right) },
  ]
  return [...items, ...windowFrame(input, left, right)]
}

interface DrawnArea {
  readonly overview: TimelineInput['overview']
  readonly frame: Frame
  readonly tokens: TimelineInput['tokens']
  readonly top: number
  readonly items: readonly Item[]
}

let lastArea: DrawnArea | undefined

/** Area and line over the whole range. They stand still while the window moves, so they are kept between frames. */
function overviewArea(input: TimelineInput): readonly Item[] {
  const { overview, tokens, overviewTop: top } = input
  const frame = input.layout.overview
  if (!overview || overview.axis !== input.axis) return []
  if (lastArea?.overview === overview && lastArea.frame === frame && lastArea.tokens === tokens && lastArea.top === top)
    return lastArea.items
  const ink = inkOf(tokens)
  const scales = overviewScales(input)
  const columns = overview.data.repEvent.length
  const xAt = (column: number): number => xToPx(scales, overview.range.x0 + ((overview.range.x1 - overview.range.x0) * column) / columns)
  const items: Item[] = []
  const add = (values: Float64Array, isLine: boolean): void => {
    const heightAt = (column: number): number => Math.round(((values[column] ?? 0) / top) * frame.heightPx)
    for (let first = 0; first < columns; ) {
      const heightPx = heightAt(first)
      let end = first + 1
      while (end < columns && heightAt(end) === heightPx) end++
      const box = { kind: 'box', yPx: bottomOf(frame) - heightPx, heightPx: isLine ? 1 : heightPx, alpha: 0.95 } as const
      items.push({ ...box, xPx: xAt(first), widthPx: xAt(end) - xAt(first), color: isLine ? ink.curve2 : ink.mark })
      first = end
    }
  }
  add(overview.data.allocated.max, false)
  add(overview.data.reserved.max, true)
  lastArea = { overview, frame, tokens, top, items }
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
