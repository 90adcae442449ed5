// The histogram's view model: what sizes were asked for, and what sizes are free. Pure; screen, PNG and SVG share it.
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { crisp } from '../../plot/step-curve.ts'
import { byteTickLabels } from '../../plot/ticks.ts'
import type { DisplayList, Frame, Item, Measure } from '../../scene/display-list.ts'
import { mix, type Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { partHue } from './colors.ts'
import type { Unit } from './fragmentation-data.ts'
import { mostOf, type SizeBar, stepOf, stepsPerDoubling } from './size-bars.ts'
import { layoutSizes, type SizeLayout } from './size-layout.ts'
import type { Translate } from './texts.ts'

export interface SizeInput {
  readonly bars: readonly SizeBar[]
  readonly unit: Unit
  readonly largestFree: number // bytes; 0 = nothing is free
  readonly failedBytes: number | undefined // of the allocation that failed at this moment
  readonly frame: Frame
  readonly tokens: Tokens
  readonly measure: Measure
  readonly t: Translate
}

const tickGapPx = 64
const leastBarPx = 2
const leastSteps = 20 // of the axis: a single class is no wall

interface SizeScale {
  readonly layout: SizeLayout
  readonly step0: number
  readonly step1: number // exclusive
}

/** Steps of the axis: every bar, the largest free block and the failed request, with a little room. */
function scaleOf({ bars, largestFree, failedBytes, frame }: SizeInput): SizeScale {
  const steps = [...bars.map(({ step }) => step), ...[largestFree, failedBytes ?? 0].filter((bytes) => bytes > 0).map(stepOf)]
  const [low, high] = steps.length > 0 ? [Math.min(...steps), Math.max(...steps)] : [stepOf(512), stepOf(2 ** 30)]
  const [first, end] = [Math.floor(low) - 1, Math.floor(high) + 3]
  const widened = Math.max(0, Math.ceil((leastSteps - (end - first)) / 2))
  return { layout: layoutSizes(frame, mostOf(bars, 'count').requests > 0), step0: first - widened, step1: end + widened }
}

const stepToPx = ({ layout, step0, step1 }: SizeScale, step: number): number =>
  layout.up.xPx + ((step - step0) / (step1 - step0)) * layout.up.widthPx

/** Height of a bar: the square root of its share of the largest, so that single blocks stay in sight beside thousands. */
const barPx = (value: number, most: number, heightPx: number): number =>
  value === 0 ? 0 : Math.max(leastBarPx, Math.round(Math.sqrt(value / most) * heightPx))

/** All layers of the histogram. */
export function buildSizes(input: SizeInput): DisplayList {
  const scale = scaleOf(input)
  return [
    {
      clip: input.frame,
      items: [
        ...drawTooLarge(input, scale),
        ...drawAxes(input, scale),
        ...drawBars(input, scale),
        ...drawMarks(input, scale),
        ...drawNames(input, scale),
      ],
    },
  ]
}

/** Where no block is free that is as large: a veil over the half of the free blocks. */
function drawTooLarge(input: SizeInput, scale: SizeScale): Item[] {
  if (input.largestFree <= 0) return []
  const { down } = scale.layout
  const left = Math.round(stepToPx(scale, stepOf(input.largestFree)))
  return [{ kind: 'box', ...down, xPx: left, widthPx: Math.max(0, rightOf(down) - left), color: inkOf(input.tokens).grid, alpha: 0.6 }]
}

function drawBars(input: SizeInput, scale: SizeScale): Item[] {
  const { up, down } = scale.layout
  const most = mostOf(input.bars, input.unit)
  const ink = inkOf(input.tokens)
  const request = mix(ink.canvas, partHue('allocated'), 0.85)
  return input.bars.flatMap(({ step, requests, free }): Item[] => {
    const xPx = Math.round(stepToPx(scale, step))
    const widthPx = Math.max(1, Math.round(stepToPx(scale, step + 1)) - xPx - 1)
    const upPx = barPx(requests[input.unit], most.requests, up.heightPx)
    const downPx = barPx(free[input.unit], most.free, down.heightPx)
    const bars: Item[] = []
    if (upPx > 0) bars.push({ kind: 'box', xPx, yPx: bottomOf(up) - upPx, widthPx, heightPx: upPx, color: request, alpha: 1 })
    if (downPx > 0) bars.push(...hollowBar({ xPx, yPx: down.yPx, widthPx, heightPx: downPx }, ink.t2, ink.raised))
    return bars
  })
}

/** Free blocks are hollow, as in the block map. */
const hollowBar = (frame: Frame, edge: Rgb, fill: Rgb): Item[] => [
  { kind: 'box', ...frame, color: edge, alpha: 1 },
  {
    kind: 'box',
    xPx: frame.xPx + 1,
    yPx: frame.yPx,
    widthPx: Math.max(0, frame.widthPx - 2),
    heightPx: Math.max(0, frame.heightPx - 1),
    color: fill,
    alpha: 1,
  },
]

/** The size axis with ticks at powers of two, and the scale of both halves. */
function drawAxes(input: SizeInput, scale: SizeScale): Item[] {
  const { up, axis, down } = scale.layout
  const ink = inkOf(input.tokens)
  const doublings = (scale.step1 - scale.step0) / stepsPerDoubling
  const every = Math.max(1, Math.ceil((doublings * tickGapPx) / axis.widthPx))
  const items: Item[] = [
    { kind: 'box', ...axis, heightPx: 1, color: ink.line2, alpha: 1 },
    { kind: 'box', ...axis, yPx: bottomOf(axis) - 1, heightPx: 1, color: ink.line2, alpha: 1 },
  ]
  for (let power = Math.ceil(scale.step0 / stepsPerDoubling); power * stepsPerDoubling < scale.step1; power++) {
    if (power < 0 || power % every !== 0) continue
    const xPx = Math.round(stepToPx(scale, power * stepsPerDoubling))
    const text = byteTickLabels([2 ** power])[0] ?? ''
    const half = input.measure(text, 11, false) / 2
    if (xPx - half < axis.xPx - 16 || xPx + half > rightOf(axis) + 8) continue
    items.push({ kind: 'box', xPx, yPx: up.yPx, widthPx: 1, heightPx: up.heightPx, color: ink.grid, alpha: 1 })
    items.push({ kind: 'box', xPx, yPx: down.yPx, widthPx: 1, heightPx: down.heightPx, color: ink.grid, alpha: 1 })
    items.push({ kind: 'text', xPx, yPx: axis.yPx + axis.heightPx / 2, spans: [{ text }], sizePx: 11, align: 'center', color: ink.t3 })
  }
  return items
}

/** What each half is, and its scale, left of it. */
function drawNames(input: SizeInput, { layout }: SizeScale): Item[] {
  const { up, axis, down } = layout
  const ink = inkOf(input.tokens)
  const most = mostOf(input.bars, input.unit)
  const number = (value: number): string => (input.unit === 'bytes' ? formatBytes(value) : formatCount(value))
  const side = { kind: 'text', xPx: up.xPx - 8, sizePx: 11, align: 'right' } as const
  const above: Item[] = [
    { ...side, yPx: up.yPx + 5, spans: [{ text: number(most.requests) }], color: ink.t3 },
    { ...side, yPx: up.yPx + up.heightPx / 2, spans: [{ text: input.t('sizes.requests'), strong: true }], color: ink.t2 },
    { ...side, yPx: axis.yPx - 6, spans: [{ text: '0' }], color: ink.t3 },
  ]
  return [
    ...(up.heightPx > 0 ? above : []),
    { ...side, yPx: bottomOf(axis) + 7, spans: [{ text: '0' }], color: ink.t3 },
    { ...side, yPx: down.yPx + down.heightPx / 2, spans: [{ text: input.t('sizes.free'), strong: true }], color: ink.t2 },
    { ...side, yPx: bottomOf(down) - 5, spans: [{ text: number(most.free) }], color: ink.t3 },
  ]
}

interface SizeMark {
  readonly bytes: number
  readonly words: string
  readonly color: Rgb
  readonly wordsY: number
  readonly stretches: readonly (readonly [y0: number, y1: number])[] // of its line
}

/** The largest free block, and the request that failed; its line leaves out the labels of the axis. */
function marksOf({ failedBytes, largestFree, tokens, t }: SizeInput, { up, down }: SizeLayout): SizeMark[] {
  const ink = inkOf(tokens)
  const floor = bottomOf(down)
  const marks: SizeMark[] = []
  if (failedBytes !== undefined) {
    const words = `▲ ${t('sizes.failed', { bytes: formatBytes(failedBytes) })}`
    const stretches = [
      [up.yPx - 4, bottomOf(up)],
      [down.yPx, floor],
    ] as const
    marks.push({ bytes: failedBytes, words, color: ink.bad, wordsY: up.yPx - 12, stretches })
  }
  if (largestFree > 0) {
    const words = t('sizes.largest', { bytes: formatBytes(largestFree) })
    marks.push({ bytes: largestFree, words, color: ink.t1, wordsY: floor + 11, stretches: [[down.yPx, floor + 16]] })
  }
  return marks
}

/** Lines, and words on the side with room. */
function drawMarks(input: SizeInput, scale: SizeScale): Item[] {
  const { frame, measure, tokens } = input
  return marksOf(input, scale.layout).flatMap(({ bytes, words, color, wordsY, stretches }): Item[] => {
    const xPx = crisp(stepToPx(scale, stepOf(bytes)))
    const points = stretches.flatMap(([y0, y1]) => [xPx, y0, xPx, y1, Number.NaN, Number.NaN])
    const fitsRight = xPx + measure(words, 11, true) + 10 < rightOf(frame)
    const side = fitsRight ? ({ xPx: xPx + 6, align: 'left' } as const) : ({ xPx: xPx - 6, align: 'right' } as const)
    const spans = [{ text: words, strong: true }]
    return [
      { kind: 'path', points, color, alpha: 1, widthPx: 1.5, dashPx: [4, 3] },
      { kind: 'text', yPx: wordsY, ...side, spans, sizePx: 11, color, halo: inkOf(tokens).canvas },
    ]
  })
}

/** The class under a point: its bar, or its edges where it is empty. undefined outside the histogram. */
export function hitSizes(input: SizeInput, xPx: number, yPx: number): SizeBar | undefined {
  const scale = scaleOf(input)
  const { up, down } = scale.layout
  if (xPx < up.xPx || xPx >= rightOf(up) || yPx < up.yPx || yPx > bottomOf(down)) return undefined
  const step = Math.floor(scale.step0 + ((xPx - up.xPx) / up.widthPx) * (scale.step1 - scale.step0))
  const edge = (each: number): number => Math.ceil(2 ** (each / stepsPerDoubling))
  const empty = { count: 0, bytes: 0 }
  return (
    input.bars.find((bar) => bar.step === step) ?? { step, fromBytes: edge(step), toBytes: edge(step + 1), requests: empty, free: empty }
  )
}

/** Left edge and width of a class on screen, from the top of the requests to the floor of the free blocks. */
export function columnOf(input: SizeInput, { step }: SizeBar): Frame {
  const scale = scaleOf(input)
  const { up, down } = scale.layout
  const xPx = Math.round(stepToPx(scale, step))
  return { xPx, yPx: up.yPx, widthPx: Math.max(1, Math.round(stepToPx(scale, step + 1)) - xPx - 1), heightPx: bottomOf(down) - up.yPx }
}
