// Edges of a range drawn with the pointer stick to the program's marks and to events.
import type { PlacedSpan } from './annotations.ts'
import { type AxisInput, xScaleOf } from './axis-input.ts'
import { columnAt } from './placed.ts'
import { spanOf, xToPx } from './scales.ts'

/** How near an edge must be to stick, in pixels. */
export const reachPx = 6

/** The end of a mark nearest to x within `reach` axis units. */
export function nearestEnd(spans: readonly Pick<PlacedSpan, 'x0' | 'x1'>[], x: number, reach: number): number | undefined {
  let best: number | undefined
  let least = reach
  for (const { x0, x1 } of spans) {
    for (const end of [x0, x1]) {
      const distance = Math.abs(end - x)
      if (distance > least) continue
      best = end
      least = distance
    }
  }
  return best
}

/**
 * x moved to the nearest end of a step or annotation within 6 px, else to the nearest event, which are many; unchanged when `off` or none is
 * near. On the event axis events are whole numbers.
 */
export function snapX(input: AxisInput, x: number, off: boolean): number {
  if (off) return x
  const perPx = spanOf(input.visible) / input.layout.plot.widthPx
  const end = nearestEnd(input.spans, x, reachPx * perPx)
  if (end !== undefined) return end
  if (input.axis === 'event') {
    const whole = Math.round(x)
    return Math.abs(xToPx(xScaleOf(input), whole) - xToPx(xScaleOf(input), x)) <= reachPx ? whole : x
  }
  const { curves } = input
  const column = curves && columnAt(curves, x)
  if (!curves || column === undefined) return x
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
