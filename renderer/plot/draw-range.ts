// The selected range over a plot.
import type { Item } from '../scene/display-list.ts'
import { type AxisInput, xScaleOf } from './axis-input.ts'
import { inkOf } from './ink.ts'
import { bottomOf, rightOf } from './layout.ts'
import { xToPx } from './scales.ts'

/** The selected range as a light veil with edges, from ruler to floor. */
export function drawSelectedRange(input: AxisInput): Item[] {
  const range = input.selectedRange
  if (!range) return []
  const { plot, ruler } = input.layout
  const ink = inkOf(input.tokens)
  const scales = xScaleOf(input)
  const left = Math.round(Math.max(xToPx(scales, range.x0), plot.xPx))
  const right = Math.round(Math.min(xToPx(scales, range.x1), rightOf(plot)))
  if (right < plot.xPx || left > rightOf(plot)) return []
  const top = bottomOf(ruler) - 5
  const edge = { kind: 'box', yPx: top, widthPx: 1, heightPx: bottomOf(plot) - top, color: ink.t1, alpha: 0.9 } as const
  return [
    { kind: 'box', xPx: left, yPx: top, widthPx: Math.max(1, right - left), heightPx: bottomOf(plot) - top, color: ink.t1, alpha: 0.1 },
    { ...edge, xPx: left },
    { ...edge, xPx: Math.max(left, right - 1) },
    { kind: 'box', xPx: left, yPx: top, widthPx: Math.max(1, right - left), heightPx: 3, color: ink.t1, alpha: 0.9 },
  ]
}
