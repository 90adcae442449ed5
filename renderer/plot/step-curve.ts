// One curve of the timeline as axis-aligned strokes.
import type { TimelineCurves } from '../../preload/contract/queries.ts'
import type { Placed } from './placed.ts'
import { bytesToPx, type Scales, xToPx } from './scales.ts'

/** Centre of a 1 px stroke, so that it fills whole pixels. */
export const crisp = (px: number): number => Math.floor(px) + 0.5

type Shows = (column: number) => boolean

/** A stretch of columns whose value lies in one row of pixels. */
interface Run {
  readonly first: number
  readonly end: number
  readonly yPx: number // NaN: nothing to draw
}

function runsOf(values: Float64Array, scales: Scales, shows: Shows): Run[] {
  const runs: Run[] = []
  let first = 0
  let lastY = Number.NaN
  for (let column = 0; column <= values.length; column++) {
    const bytes = values[column] ?? Number.NaN
    const yPx = column < values.length && shows(column) && !Number.isNaN(bytes) ? crisp(bytesToPx(scales, bytes)) : Number.NaN
    const goesOn = yPx === lastY || (Number.isNaN(yPx) && Number.isNaN(lastY))
    if (goesOn && column < values.length) continue
    if (column > first) runs.push({ first, end: column, yPx: lastY })
    first = column
    lastY = yPx
  }
  return runs
}

/**
 * The step path of one value a column, equal neighbours joined, in pixels. NaN lifts the pen.
 * `shows(column)` false leaves columns out.
 */
export function stepPath(placed: Placed<unknown>, values: Float64Array, scales: Scales, shows: Shows = () => true): number[] {
  const width = (placed.range.x1 - placed.range.x0) / values.length
  const xAt = (column: number): number => crisp(xToPx(scales, placed.range.x0 + column * width))
  return runsOf(values, scales, shows).flatMap(({ first, end, yPx }, index, runs) => {
    if (!Number.isNaN(yPx)) return [xAt(first), yPx, xAt(end), yPx]
    return index === 0 || index === runs.length - 1 ? [] : [Number.NaN, Number.NaN]
  })
}

/** Points of one strength, 0–1, drawn with butt ends. */
export interface CurveStroke {
  readonly points: number[]
  readonly alpha: number
}

const sparseEvents = 2 // a column: up to here verticals stand at full strength
const denseEvents = 16 // from here on they are left out
const shortPx = 3 // verticals no longer than this hide nothing and keep a smooth curve whole
const looseColumns = 4 // levels no wider are drawn weaker where columns are dense
const looseStrength = 0.5
const strengths = 4 // steps of the verticals' fading

/** Strength of a vertical between columns that hold `events`, in steps, so that few strokes are needed. */
function strengthOf(events: number, heightPx: number): number {
  if (heightPx <= shortPx || events <= sparseEvents) return 1
  const share = 1 - Math.log(events / sparseEvents) / Math.log(denseEvents / sparseEvents)
  return Math.max(0, Math.ceil(share * strengths) / strengths)
}

/**
 * A curve's representative values as strokes. Where columns hold many events, neighbours are moments far apart: the verticals between
 * them mean nothing and would cover the bands, so they fade with the number of events and only the level itself remains.
 */
export function curveStrokes(
  placed: Placed<TimelineCurves>,
  values: Float64Array,
  scales: Scales,
  shows: Shows = () => true,
): CurveStroke[] {
  const { firstEvent, lastEvent } = placed.data
  const width = (placed.range.x1 - placed.range.x0) / values.length
  const perPx = Math.max(1, values.length / Math.max(1, xToPx(scales, placed.range.x1) - xToPx(scales, placed.range.x0)))
  const xAt = (column: number): number => Math.floor(xToPx(scales, placed.range.x0 + column * width))
  const eventsAt = (column: number): number => ((lastEvent[column] ?? 0) - (firstEvent[column] ?? 0)) * perPx
  const line: number[] = []
  const faded = new Map<number, number[]>()
  const runs = runsOf(values, scales, shows)
  const fade = (strength: number, ...points: number[]): void => {
    const known = faded.get(strength)
    if (known) known.push(...points, Number.NaN, Number.NaN)
    else faded.set(strength, [...points, Number.NaN, Number.NaN])
  }
  let isJoined = false
  for (const [index, { first, end, yPx }] of runs.entries()) {
    if (Number.isNaN(yPx)) continue
    const wasJoined = isJoined
    const nextY = runs[index + 1]?.yPx ?? Number.NaN
    const strength = Number.isNaN(nextY) ? 0 : strengthOf(Math.max(eventsAt(end - 1), eventsAt(end)), Math.abs(nextY - yPx))
    isJoined = strength === 1
    const right = isJoined ? crisp(xAt(end)) : xAt(end)
    if (strength > 0 && !isJoined) fade(strength, crisp(right), yPx, crisp(right), nextY)
    // A level of its own between two others is one moment among many.
    const isLoose = !wasJoined && strength === 0 && eventsAt(first) >= denseEvents && end - first <= looseColumns
    if (isLoose) {
      fade(looseStrength, xAt(first), yPx, right, yPx)
      continue
    }
    line.push(wasJoined ? crisp(xAt(first)) : xAt(first), yPx, right, yPx)
    if (!isJoined) line.push(Number.NaN, Number.NaN)
  }
  return [...[...faded].map(([alpha, points]) => ({ points, alpha })), { points: line, alpha: 1 }]
}

const leastApartPx = 3

/** True where two curves lie far enough apart on screen that the second is worth a line of its own. */
export function apart(curves: TimelineCurves, a: 'active' | 'requested', b: 'allocated', scales: Scales): Shows {
  const leastBytes = (leastApartPx * scales.y1) / scales.plot.heightPx
  return (column) => Math.abs((curves[a].rep[column] ?? 0) - (curves[b].rep[column] ?? 0)) >= leastBytes
}
