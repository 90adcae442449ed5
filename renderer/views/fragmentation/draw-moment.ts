// Marks over the curves: the moment that tiles and tables are about, and what lies before the history.
import { xOfEvent } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { xToPx } from '../../plot/scales.ts'
import { crisp } from '../../plot/step-curve.ts'
import type { Item } from '../../scene/display-list.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'
import { bothPlots } from './curve-layout.ts'

/** Where the moment's line stands, in pixels; undefined where it is out of sight. */
export function momentPx(input: CurveInput): number | undefined {
  const { moment, layout } = input
  const x = moment && xOfEvent(input.axis, moment.event, moment.timeNs)
  const xPx = x === undefined ? Number.NaN : crisp(xToPx(scalesOf(input), x))
  return xPx >= layout.plot.xPx && xPx <= rightOf(layout.plot) ? xPx : undefined
}

/** The line with a handle on the ruler; dashed while nobody has pinned it. */
export function drawMoment(input: CurveInput): Item[] {
  const { moment, layout } = input
  const xPx = momentPx(input)
  if (!moment || xPx === undefined) return []
  const color = inkOf(input.tokens).t1
  const top = bottomOf(layout.ruler)
  const points = [xPx, top - 3, xPx, bottomOf(layout.shares)]
  return [
    { kind: 'path', points, color, alpha: 1, widthPx: 1, ...(moment.isPinned ? {} : { dashPx: [4, 3] as const }) },
    { kind: 'triangle', points: [xPx - 5, top - 8, xPx + 5, top - 8, xPx, top - 1], color, alpha: 1 },
  ]
}

/** A hatch over the unknown past, where memory was in use before the first event; the reason beside it where it is in sight. */
export function drawUnknownPast(input: CurveInput): Item[] {
  const { layout, device, axis, startsLate } = input
  const start = Math.round(xToPx(scalesOf(input), axis === 'time' ? (device.firstTimeNs ?? 0) : 0))
  if (!startsLate || start <= layout.plot.xPx) return []
  const ink = inkOf(input.tokens)
  const both = bothPlots(layout)
  const end = Math.min(start, rightOf(both))
  const text = `◂ ${input.t('beforeUnknown')}`
  const words = { kind: 'text', xPx: end + 6, yPx: both.yPx + 10, spans: [{ text }], sizePx: 11, color: ink.t2, halo: ink.canvas } as const
  const fits = end + input.measure(text, 11, false) + 12 < rightOf(both)
  return [
    { kind: 'box', ...both, widthPx: end - both.xPx, color: ink.canvas, alpha: 0.7 },
    { kind: 'hatch', ...both, widthPx: end - both.xPx, color: ink.hatch },
    { kind: 'path', points: [end + 0.5, both.yPx, end + 0.5, bottomOf(both)], color: ink.mark, alpha: 1, widthPx: 1, dashPx: [2, 3] },
    ...(fits ? [{ ...words, align: 'left' } as const] : []),
  ]
}
