// The lane above a plot: steps of a training run, and the program's annotations below them.
import { counted, formatCount, formatTime } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import type { Item } from '../scene/display-list.ts'
import { mix } from '../theme/palette.ts'
import type { PlacedSpan } from './annotations.ts'
import { type AxisInput, xScaleOf } from './axis-input.ts'
import { inkOf } from './ink.ts'
import { bottomOf, laneRowPx, rightOf } from './layout.ts'
import { spanOf, xToPx } from './scales.ts'
import { crisp } from './step-curve.ts'
import { fitMiddle, fitText } from './text-fit.ts'
import { shortName } from './training-steps.ts'

const narrowPx = 4
const leastLabelPx = 44
const leastStepPx = 48 // steps narrower than this draw no borders through the plot

const hasSteps = ({ spans }: AxisInput): boolean => spans[0]?.step !== undefined

/** What a bar is called in full: a step with its duration, an annotation by its own name. */
export function spanTitle({ span, step, isWhole }: PlacedSpan): string {
  if (step === undefined) return span.name
  if (!isWhole || span.endNs === null) return plotText('step', { step: formatCount(step) })
  return plotText('stepLasting', { step: formatCount(step), duration: formatTime(span.endNs - span.startNs) })
}

/** Rows that the lane has room for: a low canvas leaves out the annotations. */
const rowsIn = ({ heightPx }: { readonly heightPx: number }): number => Math.floor(heightPx / laneRowPx)

/** Names of the lane's rows, left of it. */
export function drawLaneNames(input: AxisInput): Item[] {
  const { lane } = input.layout
  if (lane.heightPx === 0) return []
  const ink = inkOf(input.tokens)
  const rows = rowsIn(lane)
  const names = hasSteps(input) ? [plotText('steps'), ...(rows > 1 ? [plotText('annotations')] : [])] : [plotText('annotations')]
  return [
    { kind: 'box', xPx: 0, yPx: bottomOf(lane) - 1, widthPx: input.layout.widthPx, heightPx: 1, color: ink.line, alpha: 1 },
    ...names.map(
      (text, row): Item => ({
        kind: 'text',
        xPx: lane.xPx - 8,
        yPx: lane.yPx + laneRowPx * (row + 0.5) + 2,
        spans: [{ text }],
        sizePx: 11,
        align: 'right',
        color: ink.t3,
      }),
    ),
  ]
}

/** Bars with their names: inside where they fit, else beside the bar when there is room before the next. */
export function drawLane(input: AxisInput): Item[] {
  const { lane } = input.layout
  if (lane.heightPx === 0) return []
  const items: Item[] = []
  const nextLeft: number[] = []
  for (const bar of visibleBars(input).toReversed()) {
    items.push(...drawBar(input, bar, nextLeft[bar.row] ?? rightOf(lane)))
    nextLeft[bar.row] = bar.left
  }
  return items
}

interface Bar {
  readonly placed: PlacedSpan
  readonly row: number
  readonly left: number
  readonly widthPx: number
  readonly count: number // spans too narrow to tell apart are one bar
}

/** Bars in the visible range; neighbours too narrow to tell apart join into a counted one. */
function visibleBars(input: AxisInput): Bar[] {
  const { lane } = input.layout
  const scales = xScaleOf(input)
  const bars: Bar[] = []
  const lastOfRow: number[] = []
  const { visible } = input
  const rows = rowsIn(lane)
  for (const placed of input.spans) {
    const { row, x0, x1 } = placed
    if (row >= rows || x1 < visible.x0 || x0 > visible.x1) continue
    const left = Math.round(Math.max(xToPx(scales, x0), lane.xPx - 2))
    const right = Math.round(Math.min(xToPx(scales, x1), rightOf(lane) + 2))
    const widthPx = Math.max(right - left, 2)
    const lastIndex = lastOfRow[row] ?? -1
    const last = bars[lastIndex]
    if (last && widthPx < narrowPx && (last.count > 1 || last.widthPx < narrowPx) && left - last.left - last.widthPx <= 1) {
      const joined = Math.max(last.widthPx, left + widthPx - last.left)
      bars[lastIndex] = { ...last, widthPx: joined, count: last.count + 1 }
    } else lastOfRow[row] = bars.push({ placed, row, left, widthPx, count: 1 }) - 1
  }
  return bars
}

function drawBar(input: AxisInput, bar: Bar, nextLeft: number): Item[] {
  const { placed, row, left, widthPx, count } = bar
  const ink = inkOf(input.tokens)
  const isStep = placed.step !== undefined
  const yPx = input.layout.lane.yPx + 2 + row * laneRowPx
  const heightPx = laneRowPx - 3
  const items: Item[] = [
    { kind: 'box', xPx: left, yPx, widthPx, heightPx, color: mix(ink.canvas, ink.curve2, isStep ? 0.12 : 0.34), alpha: 1 },
    { kind: 'box', xPx: left, yPx, widthPx: count > 1 ? 0 : Math.min(isStep ? 1 : 2, widthPx), heightPx, color: ink.curve2, alpha: 1 },
  ]
  const measure = (text: string) => input.measure(text, 11, false)
  const inside = widthPx < leastLabelPx ? undefined : barLabel(input, bar, widthPx - 14)
  // A step without room for its name has none: beside it lies the next step.
  const besidePx = isStep ? 0 : nextLeft - left - widthPx - 16
  const beside = inside || count > 1 || besidePx < leastLabelPx ? undefined : fitMiddle(shortName(placed.span.name), besidePx, measure)
  const text = { kind: 'text', yPx: yPx + heightPx / 2 + 0.5, sizePx: 11, align: 'left' } as const
  if (inside) items.push({ ...text, xPx: left + 8, spans: [{ text: inside }], color: ink.t1 })
  else if (beside) items.push({ ...text, xPx: left + widthPx + 5, spans: [{ text: beside }], color: ink.t2 })
  return items
}

function barLabel(input: AxisInput, { placed, count }: Bar, widthPx: number): string | undefined {
  const measure = (text: string) => input.measure(text, 11, false)
  const isStep = placed.step !== undefined
  if (count > 1) return fitText(plotText(isStep ? 'stepsJoined' : 'spansJoined', counted(count)), widthPx, measure)
  if (!isStep) return fitMiddle(shortName(placed.span.name), widthPx, measure)
  const full = spanTitle(placed)
  return measure(full) <= widthPx ? full : fitText(spanTitle({ ...placed, isWhole: false }), widthPx, measure)
}

/** Borders of the steps through the plot, while they are far enough apart to help. */
export function drawStepBorders(input: AxisInput): Item[] {
  if (!hasSteps(input)) return []
  const { plot } = input.layout
  const scales = xScaleOf(input)
  const { visible } = input
  const least = (leastStepPx / plot.widthPx) * spanOf(visible)
  const color = inkOf(input.tokens).line2
  return input.spans.flatMap(({ step, x0, x1 }): Item[] => {
    if (step === undefined || x1 < visible.x0 || x1 > visible.x1 || x1 - x0 < least) return []
    const xPx = crisp(xToPx(scales, x1))
    return [{ kind: 'path', points: [xPx, plot.yPx, xPx, bottomOf(plot)], color, alpha: 1, widthPx: 1, dashPx: [2, 3] }]
  })
}

/** The bar at a place of the lane. */
export function spanAt(input: AxisInput, x: number, yPx: number): PlacedSpan | undefined {
  const row = Math.floor((yPx - input.layout.lane.yPx - 2) / laneRowPx)
  return input.spans.find((placed) => placed.row === row && placed.x0 <= x && x < Math.max(placed.x1, placed.x0 + 1e-9))
}
