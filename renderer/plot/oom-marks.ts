// Failures to allocate over a plot: red triangles with words.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import { formatBytes } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import type { Item } from '../scene/display-list.ts'
import { type AxisInput, xOfEvent, xScaleOf } from './axis-input.ts'
import { inkOf } from './ink.ts'
import { bottomOf, rightOf } from './layout.ts'
import { xToPx } from './scales.ts'
import { crisp } from './step-curve.ts'

interface OomInput extends AxisInput {
  readonly device: Pick<DeviceSummary, 'ooms'>
}

export interface OomMark {
  readonly kind: 'oom'
  readonly event: number
  readonly xPx: number
  readonly yPx: number
}

/** Failures in the visible range, with their place. */
export function oomMarks(input: OomInput): OomMark[] {
  const { plot } = input.layout
  return input.device.ooms.flatMap((oom) => {
    const x = xOfEvent(input.axis, oom.event, oom.timeNs)
    const xPx = x === undefined ? Number.NaN : xToPx(xScaleOf(input), x)
    return xPx >= plot.xPx - 1 && xPx <= rightOf(plot) + 1 ? [{ kind: 'oom', event: oom.event, xPx, yPx: plot.yPx + 6 } as const] : []
  })
}

/** Marks closer than their words are counted into one. */
export function drawOoms(input: OomInput): Item[] {
  const ink = inkOf(input.tokens)
  const { plot } = input.layout
  const groups: { marks: OomMark[]; text: string; widthPx: number }[] = []
  for (const mark of oomMarks(input)) {
    const last = groups.at(-1)
    const first = last?.marks[0]
    if (last && first && mark.xPx - first.xPx < last.widthPx + 20) last.marks.push(mark)
    else {
      const size = input.device.ooms.find(({ event }) => event === mark.event)?.sizeBytes ?? 0
      const text = plotText('oomOf', { bytes: formatBytes(size) })
      groups.push({ marks: [mark], text, widthPx: input.measure(text, 11, true) })
    }
  }
  return groups.flatMap(({ marks, text, widthPx }): Item[] => {
    const first = marks[0]
    if (!first) return []
    const words = marks.length === 1 ? text : plotText('oomMany', { count: marks.length })
    const fitsRight = first.xPx + 12 + widthPx < rightOf(plot)
    return [
      ...marks.flatMap(({ xPx }): Item[] => [
        { kind: 'path', points: [crisp(xPx), plot.yPx + 14, crisp(xPx), bottomOf(plot)], color: ink.bad, alpha: 0.75, widthPx: 1 },
        { kind: 'triangle', points: [xPx - 6, plot.yPx + 14, xPx + 6, plot.yPx + 14, xPx, plot.yPx + 3], color: ink.bad, alpha: 1 },
      ]),
      {
        kind: 'text',
        xPx: first.xPx + (fitsRight ? 10 : -10),
        yPx: plot.yPx + 9,
        spans: [{ text: words, strong: true }],
        sizePx: 11,
        align: fitsRight ? 'left' : 'right',
        color: ink.bad,
        halo: ink.canvas,
      },
    ]
  })
}
