// One curve of the timeline as an axis-aligned path.
import type { TimelineCurves } from '../../../preload/contract/queries.ts'
import { bytesToPx, type Scales, xToPx } from './scales.ts'
import type { Placed } from './timeline-data.ts'

/** Centre of a 1 px stroke, so that it fills whole pixels. */
export const crisp = (px: number): number => Math.floor(px) + 0.5

/**
 * The step path of one value a column, equal neighbours joined, in pixels. NaN lifts the pen.
 * `shows(column)` false leaves columns out.
 */
export function stepPath(
  placed: Placed<unknown>,
  values: Float64Array,
  scales: Scales,
  shows: (column: number) => boolean = () => true,
): number[] {
  const columns = values.length
  const width = (placed.range.x1 - placed.range.x0) / columns
  const points: number[] = []
  let lastY = Number.NaN
  let lastX = Number.NaN
  for (let column = 0; column < columns; column++) {
    const bytes = values[column] ?? Number.NaN
    const yPx = shows(column) && !Number.isNaN(bytes) ? crisp(bytesToPx(scales, bytes)) : Number.NaN
    if (yPx === lastY || (Number.isNaN(yPx) && Number.isNaN(lastY))) continue
    const xPx = crisp(xToPx(scales, placed.range.x0 + column * width))
    if (!Number.isNaN(lastY)) points.push(xPx, lastY)
    if (Number.isNaN(yPx)) points.push(Number.NaN, Number.NaN)
    else points.push(xPx, yPx)
    lastX = xPx
    lastY = yPx
  }
  if (!Number.isNaN(lastY) && !Number.isNaN(lastX)) points.push(crisp(xToPx(scales, placed.range.x1)), lastY)
  return points
}

const leastApartPx = 3

/** True where two curves lie far enough apart on screen that the second is worth a line of its own. */
export function apart(curves: TimelineCurves, a: 'active' | 'requested', b: 'allocated', scales: Scales): (column: number) => boolean {
  const leastBytes = (leastApartPx * scales.y1) / scales.plot.heightPx
  return (column) => Math.abs((curves[a].rep[column] ?? 0) - (curves[b].rep[column] ?? 0)) >= leastBytes
}
