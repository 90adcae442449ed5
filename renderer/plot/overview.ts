// The overview: all there is in little, with the visible range as a window in it.
import { plotText } from '../i18n/part-texts.ts'
import type { Frame, Item } from '../scene/display-list.ts'
import type { AxisInput } from './axis-input.ts'
import { drawArea } from './draw-area.ts'
import { inkOf } from './ink.ts'
import { bottomOf, rightOf } from './layout.ts'
import { poleX } from './note-flags.ts'
import { pxToX, type Scales, xToPx } from './scales.ts'
import { crisp } from './step-curve.ts'

const handleReachPx = 6

/** Scales of the overview: the home range over its frame. */
export const overviewScales = (input: AxisInput): Scales => ({
  visible: input.home,
  y1: input.overviewTop,
  plot: input.layout.overview,
})

/** Allocated area and reserved line over everything; outside the window dimmed; the window with its handles. */
export function drawOverview(input: AxisInput): Item[] {
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
      spans: [{ text: plotText('all') }],
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
  return [...items, ...windowFrame(input, left, right), ...drawOverviewMarks(input)]
}

interface DrawnArea {
  readonly overview: AxisInput['overview']
  readonly frame: Frame
  readonly tokens: AxisInput['tokens']
  readonly top: number
  readonly items: readonly Item[]
}

let lastArea: DrawnArea | undefined

/** Area and line over the whole range. They stand still while the window moves, so they are kept between frames. */
function overviewArea(input: AxisInput): readonly Item[] {
  const { overview, tokens, overviewTop: top } = input
  const frame = input.layout.overview
  if (!overview || overview.axis !== input.axis) return []
  if (lastArea?.overview === overview && lastArea.frame === frame && lastArea.tokens === tokens && lastArea.top === top)
    return lastArea.items
  const items = drawArea(overview, overviewScales(input), inkOf(tokens))
  lastArea = { overview, frame, tokens, top, items }
  return items
}

function windowFrame(input: AxisInput, left: number, right: number): Item[] {
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

/** A triangle a note at the top of the overview. */
function drawOverviewMarks(input: AxisInput): Item[] {
  const { overview: frame } = input.layout
  const { t1 } = inkOf(input.tokens)
  return (input.noteMarks ?? []).flatMap((mark): Item[] => {
    const xPx = Math.round(xToPx(overviewScales(input), poleX(input, mark)))
    if (xPx < frame.xPx || xPx > rightOf(frame)) return []
    return [{ kind: 'triangle', points: [xPx - 4, frame.yPx, xPx + 4, frame.yPx, xPx, frame.yPx + 7], color: t1, alpha: 1 }]
  })
}

export interface OverviewHit {
  readonly region: 'overview'
  readonly part: 'left' | 'right' | 'window' | 'outside'
  readonly x: number
}

/** Which part of the window lies at a place of the overview. */
export function overviewHit(input: AxisInput, xPx: number): OverviewHit | undefined {
  const scales = overviewScales(input)
  if (xPx < scales.plot.xPx - handleReachPx || xPx > rightOf(scales.plot) + handleReachPx) return undefined
  const left = xToPx(scales, input.visible.x0)
  const right = xToPx(scales, input.visible.x1)
  const x = pxToX(scales, xPx)
  const part =
    Math.abs(xPx - left) <= handleReachPx
      ? 'left'
      : Math.abs(xPx - right) <= handleReachPx
        ? 'right'
        : xPx > left && xPx < right
          ? 'window'
          : 'outside'
  return { region: 'overview', part, x }
}
