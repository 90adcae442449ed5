// The scrubber's view model: the whole history in little, and the moment shown in it. Pure.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import type { TimelineCurves } from '../../preload/contract/queries.ts'
import { formatBytes, formatCount } from '../i18n/format.ts'
import { plotText } from '../i18n/part-texts.ts'
import { drawArea } from '../plot/draw-area.ts'
import { inkOf } from '../plot/ink.ts'
import { bottomOf, rightOf } from '../plot/layout.ts'
import type { EventState, Placed } from '../plot/placed.ts'
import { pxToX, type Scales, xToPx } from '../plot/scales.ts'
import { crisp } from '../plot/step-curve.ts'
import { niceTicks } from '../plot/ticks.ts'
import type { DisplayList, Frame, Item, Measure } from '../scene/display-list.ts'
import type { Range } from '../state/view-state.ts'
import type { Tokens } from '../theme/tokens.ts'

export interface ScrubberLayout {
  readonly widthPx: number
  readonly heightPx: number
  readonly plot: Frame
  readonly isTrack: boolean // too low for the curves and their names
}

export interface ScrubberInput {
  readonly device: DeviceSummary
  readonly curves: Placed<TimelineCurves> | undefined
  readonly event: number // shown; −1 = before the first
  readonly moment: EventState | undefined
  readonly marked: Range | undefined // events of the selected range
  readonly layout: ScrubberLayout
  readonly tokens: Tokens
  readonly measure: Measure
}

const sidePx = 8 // half a handle, and half a label of the axis
const abovePx = 18
const belowPx = 18
const aboveTrackPx = 10 // the marks of failures
const leastCurvePx = 64
const tickGapPx = 96
const headroom = 1.15 // for the names above the curves

/** Lays out the canvas right of the buttons. A low one is a plain track. */
export function layoutScrubber(widthPx: number, heightPx: number): ScrubberLayout {
  const isTrack = heightPx < leastCurvePx
  const yPx = isTrack ? aboveTrackPx : abovePx
  const plot = {
    xPx: sidePx,
    yPx,
    widthPx: Math.max(16, widthPx - 2 * sidePx),
    heightPx: Math.max(isTrack ? 8 : 16, heightPx - yPx - belowPx),
  }
  return { widthPx, heightPx, plot, isTrack }
}

function scalesOf({ device, layout }: Pick<ScrubberInput, 'device' | 'layout'>): Scales {
  const top = Math.max(device.peakReservedBytes, device.peakAllocatedBytes, 1) * headroom
  return { visible: { x0: 0, x1: Math.max(1, device.eventCount) }, y1: top, plot: layout.plot }
}

/** The event at a place of the canvas; the ends reach to its sides. */
export function eventAtPx(input: Pick<ScrubberInput, 'device' | 'layout'>, xPx: number): number {
  const event = Math.floor(pxToX(scalesOf(input), xPx))
  return Math.min(Math.max(event, 0), Math.max(0, input.device.eventCount - 1))
}

/** All layers, back to front. */
export function buildScrubber(input: ScrubberInput): DisplayList {
  const { widthPx, heightPx, plot } = input.layout
  const whole: Frame = { xPx: 0, yPx: 0, widthPx, heightPx }
  return [
    { clip: plot, items: area(input) },
    { clip: whole, items: [...axis(input), ...marked(input), ...ooms(input), ...cursor(input), ...names(input)] },
  ]
}

interface DrawnArea {
  readonly curves: ScrubberInput['curves']
  readonly plot: Frame
  readonly tokens: Tokens
  readonly items: Item[]
}

let lastArea: DrawnArea | undefined

/** The curves stand still while the cursor moves, so they are kept between frames. */
function area(input: ScrubberInput): Item[] {
  const { curves, tokens, layout } = input
  if (!curves || layout.isTrack) return []
  if (lastArea?.curves === curves && lastArea.plot === layout.plot && lastArea.tokens === tokens) return lastArea.items
  lastArea = { curves, plot: layout.plot, tokens, items: drawArea(curves, scalesOf(input), inkOf(tokens)) }
  return lastArea.items
}

function axis(input: ScrubberInput): Item[] {
  const { plot, widthPx } = input.layout
  const ink = inkOf(input.tokens)
  const ticks = niceTicks(0, input.device.eventCount, plot.widthPx, tickGapPx, 1)
  const labels = ticks.flatMap((event): Item[] => {
    const text = formatCount(event)
    const half = input.measure(text, 11, false) / 2
    const xPx = Math.max(half + 1, xToPx(scalesOf(input), event))
    if (xPx + half > widthPx) return []
    return [{ kind: 'text', xPx, yPx: bottomOf(plot) + 10, spans: [{ text }], sizePx: 11, align: 'center', color: ink.t3 }]
  })
  return [{ kind: 'box', ...plot, yPx: bottomOf(plot), heightPx: 1, color: ink.line2, alpha: 1 }, ...labels]
}

/** The selected range, as other views draw it: a light veil with edges and a bar at its top. */
function marked(input: ScrubberInput): Item[] {
  const { plot } = input.layout
  if (!input.marked) return []
  const ink = inkOf(input.tokens)
  const left = Math.round(xToPx(scalesOf(input), input.marked.x0))
  const widthPx = Math.max(1, Math.round(xToPx(scalesOf(input), input.marked.x1)) - left)
  const top = plot.yPx - 4
  const heightPx = bottomOf(plot) - top
  const edge = { kind: 'box', yPx: top, widthPx: 1, heightPx, color: ink.t1, alpha: 0.9 } as const
  return [
    { kind: 'box', xPx: left, yPx: top, widthPx, heightPx, color: ink.t1, alpha: 0.1 },
    { ...edge, xPx: left },
    { ...edge, xPx: left + widthPx - 1 },
    { kind: 'box', xPx: left, yPx: top, widthPx, heightPx: 3, color: ink.t1, alpha: 0.9 },
  ]
}

function ooms(input: ScrubberInput): Item[] {
  const { plot } = input.layout
  const { bad } = inkOf(input.tokens)
  return input.device.ooms.flatMap(({ event }): Item[] => {
    const xPx = crisp(xToPx(scalesOf(input), event + 0.5))
    return [
      { kind: 'path', points: [xPx, plot.yPx, xPx, bottomOf(plot)], color: bad, alpha: 0.75, widthPx: 1 },
      { kind: 'triangle', points: [xPx - 5, plot.yPx - 9, xPx + 5, plot.yPx - 9, xPx, plot.yPx - 1], color: bad, alpha: 1 },
    ]
  })
}

function cursor(input: ScrubberInput): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  const xPx = crisp(xToPx(scalesOf(input), Math.max(0, input.event + 0.5)))
  return [
    { kind: 'path', points: [xPx, plot.yPx - 4, xPx, bottomOf(plot)], color: ink.t1, alpha: 1, widthPx: 1 },
    { kind: 'box', xPx: xPx - 3.5, yPx: bottomOf(plot) - 8, widthPx: 7, heightPx: 12, color: ink.t1, alpha: 1 },
  ]
}

/** Reserved and allocated memory at the moment, on the side of the picture where the cursor is not. */
function names({ moment, event, device, layout: { plot, isTrack }, tokens }: ScrubberInput): Item[] {
  if (!moment || isTrack || Number.isNaN(moment.allocated)) return []
  const ink = inkOf(tokens)
  const isLeft = event > device.eventCount / 2
  const spans = [
    { text: `${plotText('curve.reserved')} ${formatBytes(moment.reserved)}` },
    { text: ` · ${plotText('curve.allocated')} ${formatBytes(moment.allocated)}`, color: ink.t1 },
  ]
  const xPx = isLeft ? plot.xPx + 6 : rightOf(plot) - 6
  return [{ kind: 'text', xPx, yPx: 8, spans, sizePx: 11, align: isLeft ? 'left' : 'right', color: ink.t3, halo: ink.canvas }]
}
