// Display list of a finished picture: the view's own, a title and a legend.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { deviceWords, drawTitle, filterWords } from '../../picture/title.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import type { EventState } from '../../plot/placed.ts'
import { endsOf } from '../../plot/scales.ts'
import { timeLabels } from '../../plot/ticks.ts'
import type { DisplayList, Item } from '../../scene/display-list.ts'
import type { AllocationFilter } from '../../state/view-state.ts'
import { mix, type Rgb } from '../../theme/palette.ts'
import { heatColor, reservedColor } from './heat.ts'
import { colorEntries, type Form, type FormEntry, formColor, heatForms, singleForms } from './legend.ts'
import type { PlacedBars, PlacedHeat } from './lifetimes-data.ts'
import { buildLifetimes } from './model.ts'
import type { LifetimesInput } from './model-input.ts'
import { lifetimesText as t } from './texts.ts'
import { perWords, scaleWords } from './units.ts'

const scalePx = 280
const steps = 56
const swatchPx = { widthPx: 22, heightPx: 12 }
const rowPx = 18
const gapPx = 24
const stackSwatchPx = 10

/** The whole picture; `filter`: what the input was asked with. */
export function buildPicture(capture: CaptureSummary, input: LifetimesInput, filter: AllocationFilter, heightPx: number): DisplayList {
  const { layout, tokens, measure } = input
  const whole = { xPx: 0, yPx: 0, widthPx: layout.widthPx, heightPx }
  const title = { heading: `${capture.sourceName} · ${t('picture.title')}`, facts: factsOf(input, filter) }
  return [
    ...buildLifetimes(input),
    {
      clip: whole,
      items: [
        ...drawTitle(title, layout.widthPx, tokens, measure),
        ...(input.bars ? drawSingleLegend(input, input.bars) : drawHeatLegend(input)),
      ],
    },
  ]
}

function factsOf({ device, axis, visible, order, raster, cursor }: LifetimesInput, filter: AllocationFilter): string[] {
  const [first, last] = endsOf(device.eventCount, visible)
  const [from, to] = timeLabels([
    Math.max(visible.x0, device.firstTimeNs ?? visible.x0),
    Math.min(visible.x1, device.lastTimeNs ?? visible.x1),
  ])
  const range =
    axis === 'event'
      ? t('picture.events', { first: formatCount(first), last: formatCount(last), ...counted(device.eventCount) })
      : t('picture.times', { from: from?.text ?? '', to: to?.text ?? '' })
  const shown = t('picture.shown', {
    shown: formatCount((raster?.data.shown ?? 0) - (raster?.data.folded ?? 0)),
    folded: formatCount(raster?.data.folded ?? 0),
  })
  const at = cursor ? [cursorWords(cursor)] : []
  const peak = t('picture.peak', { peak: formatBytes(device.peakAllocatedBytes) })
  const head = [...deviceWords(device), ...filterWords(filter)]
  return [...head, range, ...at, t(`rowNote.${order}`), shown, peak]
}

function cursorWords({ event, allocated }: EventState): string {
  const bytes = formatBytes(allocated)
  return event < 0 ? t('picture.cursorBefore', { bytes }) : t('picture.cursor', { event: formatCount(event), bytes })
}

/** Scale bar with its unit, then the forms. */
function drawHeatLegend(input: LifetimesInput): Item[] {
  const { raster, layout } = input
  if (!raster) return []
  const ink = inkOf(input.tokens)
  const { plot } = layout
  const top = bottomOf(plot) + 18
  const stepPx = scalePx / steps
  const bar = Array.from({ length: steps }, (_, index): Item => {
    const color = heatColor(input.tokens, (index + 0.5) / steps)
    return { kind: 'box', xPx: plot.xPx + index * stepPx, yPx: top + 10, widthPx: stepPx + 0.5, heightPx: 10, color, alpha: 1 }
  })
  const label = { kind: 'text', sizePx: 11 } as const
  return [
    { ...label, xPx: plot.xPx, yPx: top, spans: [{ text: headingOf(raster) }], align: 'left', color: ink.t2 },
    ...bar,
    ...scaleWords(raster, raster.data.max).map(({ share, text }): Item => {
      const align = share === 0 ? 'left' : share === 1 ? 'right' : 'center'
      return { ...label, xPx: plot.xPx + share * scalePx, yPx: top + 30, spans: [{ text }], align, color: ink.t2 }
    }),
    ...drawForms(input, heatForms(raster, t), plot.xPx + scalePx + 40),
  ]
}

const headingOf = (raster: PlacedHeat): string => `${t(`measure.${raster.measure}`)} ${perWords(raster)} · ${t(`scale.${raster.scale}`)}`

/** The largest stacks or categories that have room in a row, then the forms. */
function drawSingleLegend(input: LifetimesInput, bars: PlacedBars): Item[] {
  const { layout, tokens, measure } = input
  const ink = inkOf(tokens)
  const yPx = bottomOf(layout.plot) + 18
  const entries = colorEntries(bars, tokens)
  const widthOf = (text: string) => measure(text, 11, false)
  const more = (count: number) => plotText('more', counted(count))
  const items: Item[] = []
  let { xPx } = layout.plot
  for (const [index, { color, title }] of entries.entries()) {
    const left = entries.length - index - 1
    const widthPx = stackSwatchPx + 6 + widthOf(title)
    if (xPx + widthPx + (left > 0 ? gapPx + widthOf(more(left)) : 0) > rightOf(layout.plot)) {
      items.push({ kind: 'text', xPx, yPx, spans: [{ text: more(left + 1) }], sizePx: 11, align: 'left', color: ink.t3 })
      break
    }
    const side = stackSwatchPx
    items.push({ kind: 'box', xPx, yPx: yPx - side / 2, widthPx: side, heightPx: side, color, alpha: 1 })
    items.push({ kind: 'text', xPx: xPx + side + 6, yPx, spans: [{ text: title }], sizePx: 11, align: 'left', color: ink.t2 })
    xPx += widthPx + gapPx
  }
  return [...items, ...drawForms(input, singleForms(t), layout.plot.xPx, rowPx)]
}

/** Forms with their words, in rows. */
function drawForms(input: LifetimesInput, entries: readonly FormEntry[], left: number, downPx = 0): Item[] {
  const { plot } = input.layout
  const ink = inkOf(input.tokens)
  let [xPx, yPx] = [left, bottomOf(plot) + 18 + downPx]
  return entries.flatMap(({ form, text }) => {
    const widthPx = swatchPx.widthPx + 8 + input.measure(text, 11, false)
    if (xPx > left && xPx + widthPx > rightOf(plot)) [xPx, yPx] = [left, yPx + rowPx]
    const items: Item[] = [
      ...drawForm(input, form, xPx, yPx - swatchPx.heightPx / 2),
      { kind: 'text', xPx: xPx + swatchPx.widthPx + 8, yPx, spans: [{ text }], sizePx: 11, align: 'left', color: ink.t2 },
    ]
    xPx += widthPx + gapPx
    return items
  })
}

function drawForm({ tokens }: LifetimesInput, form: Form, xPx: number, yPx: number): Item[] {
  const ink = inkOf(tokens)
  const own = formColor(tokens)
  const box = { kind: 'box', xPx, yPx, ...swatchPx, alpha: 1 } as const
  const solid = mix(ink.canvas, own, tokens.bandOpacity)
  const hatch = (color: Rgb): Item => ({ kind: 'hatch', xPx, yPx, ...swatchPx, color })
  if (form === 'reserved') return [{ ...box, color: reservedColor(tokens) }]
  if (form === 'notReserved')
    return [
      {
        kind: 'path',
        points: [xPx, yPx, xPx + 22, yPx, xPx + 22, yPx + 12, xPx, yPx + 12, xPx, yPx],
        color: ink.mark,
        alpha: 1,
        widthPx: 1,
      },
    ]
  if (form === 'pendingCell') return [{ ...box, color: mix(ink.canvas, heatColor(tokens, 0.6), 0.55) }, hatch(ink.canvas)]
  if (form === 'pending') return [{ ...box, color: mix(ink.canvas, own, 0.3) }, hatch(ink.t1)]
  if (form === 'idle') {
    const dots = [3, 10, 17].map(
      (at): Item => ({ kind: 'box', xPx: xPx + at, yPx: yPx + 5, widthPx: 2, heightPx: 2, color: solid, alpha: 1 }),
    )
    return [{ ...box, color: mix(ink.canvas, own, 0.58) }, ...dots]
  }
  if (form === 'made')
    return [
      { ...box, color: solid },
      { ...box, widthPx: 2, color: ink.t1 },
    ]
  if (form === 'freed')
    return [
      { ...box, color: solid },
      { ...box, xPx: xPx + 21, widthPx: 1, color: ink.t1 },
    ]
  if (form === 'alive')
    return [
      { ...box, color: solid },
      { kind: 'triangle', points: [xPx + 16, yPx + 1, xPx + 16, yPx + 11, xPx + 22, yPx + 6], color: ink.t1, alpha: 1 },
    ]
  if (form === 'before')
    return [{ ...box, color: solid }, ...[1, 4].map((at): Item => ({ ...box, xPx: xPx + at, widthPx: 1.5, color: ink.canvas }))]
  return [{ ...box, color: solid }]
}
