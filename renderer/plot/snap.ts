// Edges of a range drawn with the pointer stick to events.
import { type AxisInput, xScaleOf } from './axis-input.ts'
import { columnAt } from './placed.ts'
import { spanOf, xToPx } from './scales.ts'

const reachPx = 6

/** x moved to the nearest event within 6 px; unchanged when `off` or none is near. On the event axis events are whole numbers. */
export function snapX(input: AxisInput, x: number, off: boolean): number {
  if (off) return x
  if (input.axis === 'event') {
    const whole = Math.round(x)
    return Math.abs(xToPx(xScaleOf(input), whole) - xToPx(xScaleOf(input), x)) <= reachPx ? whole : x
  }
  const { curves } = input
  const column = curves && columnAt(curves, x)
  if (!curves || column === undefined) return x
  const perPx = spanOf(input.visible) / input.layout.plot.widthPx
  let best = x
  let bestPx = reachPx + 1
  for (let near = column - reachPx; near <= column + reachPx; near++) {
    if (!((curves.data.lastEvent[near] ?? 0) > (curves.data.firstEvent[near] ?? 0))) continue
    const time = curves.data.repTimeNs[near] ?? Number.NaN
    const distancePx = Math.abs(time - x) / perPx
    if (distancePx < bestPx) {
      best = time
      bestPx = distancePx
    }
  }
  return best
}
