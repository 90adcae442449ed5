// The ruler above a plot: event and time at round places.
import { formatCount } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import type { Frame, Item } from '../scene/display-list.ts'
import { type AxisInput, xScaleOf } from './axis-input.ts'
import { inkOf } from './ink.ts'
import { bottomOf, rightOf } from './layout.ts'
import { drawFlags, flagsOf } from './note-flags.ts'
import { columnAt } from './placed.ts'
import { xToPx } from './scales.ts'
import { niceTicks, type TickLabel, timeLabels } from './ticks.ts'

const tickGapPx = 100
const oneLinePx = 28
const flagGapPx = 4

export interface RulerTick {
  readonly xPx: number
  readonly event: TickLabel
  readonly time: TickLabel | undefined
}

/** Ticks at round values of the axis, each with the other measure at the same place. */
function rulerTicks(input: AxisInput): RulerTick[] {
  const { axis, visible, layout, curves } = input
  const xs = niceTicks(Math.max(visible.x0, Math.min(input.home.x0, 0)), visible.x1, layout.plot.widthPx, tickGapPx, 1).filter(
    (x) => x >= 0,
  )
  const other = (x: number, values: Float64Array | undefined): number => {
    const column = curves && curves.axis === axis ? columnAt(curves, x) : undefined
    return column === undefined ? Number.NaN : (values?.[column] ?? Number.NaN)
  }
  const scales = xScaleOf(input)
  const events = axis === 'event' ? xs : xs.map((x) => other(x, curves?.data.repEvent))
  const times = axis === 'time' ? xs : xs.map((x) => other(x, curves?.data.repTimeNs))
  const labels = input.hasTimes ? timeLabels(times) : undefined
  return xs.map((x, index) => {
    const event = events[index] ?? Number.NaN
    const text = Number.isNaN(event) ? '' : event < 0 ? '—' : formatCount(event)
    return { xPx: xToPx(scales, x), event: { text, strong: false }, time: labels?.[index] }
  })
}

/** The ruler's two lines, the axis' own first and stronger, and the flags of notes. A ruler too low for both has its own alone. */
export function drawRuler(input: AxisInput): Item[] {
  const { ruler } = input.layout
  const ink = inkOf(input.tokens)
  const own = { sizePx: 12, color: ink.t2, yPx: ruler.yPx + 11 }
  const second = { sizePx: 11, color: ink.t3, yPx: ruler.yPx + 24 }
  const [eventLine, timeLine] = input.axis === 'event' ? [own, second] : [second, own]
  const hasBoth = ruler.heightPx > oneLinePx
  const [hasEvents, hasTimes] = [hasBoth || input.axis === 'event', input.hasTimes && (hasBoth || input.axis === 'time')]
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
  ]
  if (hasEvents) items.push(name(plotText('axis.event'), eventLine))
  if (hasTimes) items.push(name(plotText('axis.time'), timeLine))
  const flags = flagsOf(input)
  const taken = flags.map(({ frame }) => frame)
  for (const tick of rulerTicks(input)) {
    items.push({ kind: 'box', xPx: Math.round(tick.xPx), yPx: bottomOf(ruler) - 6, widthPx: 1, heightPx: 5, color: ink.line2, alpha: 1 })
    if (hasEvents) items.push(...tickText(tick.event, tick.xPx, eventLine, input, taken))
    if (hasTimes && tick.time) items.push(...tickText(tick.time, tick.xPx, timeLine, input, taken))
  }
  return [...items, ...drawFlags(input, flags)]
}

/** A tick's words; none where they would leave the ruler or lie under a flag. */
function tickText(
  label: TickLabel,
  xPx: number,
  line: { readonly sizePx: number; readonly color: readonly [number, number, number]; readonly yPx: number },
  input: AxisInput,
  taken: readonly Frame[],
): Item[] {
  if (label.text === '') return []
  const half = input.measure(label.text, line.sizePx, label.strong) / 2
  const { ruler } = input.layout
  if (xPx - half < ruler.xPx - 2 || xPx + half > input.layout.widthPx - 4) return []
  const isUnder = (flag: Frame): boolean =>
    xPx + half > flag.xPx - flagGapPx && xPx - half < rightOf(flag) + flagGapPx && line.yPx + line.sizePx / 2 > flag.yPx
  if (taken.some(isUnder)) return []
  return [{ kind: 'text', xPx, ...line, spans: [{ text: label.text, strong: label.strong }], align: 'center' }]
}
