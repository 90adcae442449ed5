// Display list of a finished picture: the timeline's own, a title and a legend.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import type { DisplayList, Item, Measure } from '../../scene/display-list.ts'
import { useShell } from '../../state/shell.ts'
import type { Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { startsLate } from './assemble.ts'
import { curveLines } from './curve-lines.ts'
import { bottomOf, rightOf } from './layout.ts'
import { type Legend, legendOf } from './legend.ts'
import { buildTimeline } from './model.ts'
import { inkOf, type TimelineInput } from './model-input.ts'
import type { PictureData } from './picture-data.ts'
import { legendHeight } from './picture-layout.ts'
import { endsOf } from './scales.ts'
import { fitText } from './text-fit.ts'
import { timelineText as t } from './texts.ts'
import { timeLabels } from './ticks.ts'

const marginPx = 16
const rowPx = 18
const columnPx = 300
const dimmedAlpha = 0.25 // swatches beside the emphasised one

/** File and device in one line. */
export function pictureTitle(capture: CaptureSummary, data: PictureData): string {
  return `${capture.sourceName} · ${t('picture.title')} · ${t('picture.device', { device: data.device.device })}`
}

/** The whole picture. */
export function buildPicture(capture: CaptureSummary, data: PictureData, tokens: Tokens, measure: Measure): DisplayList {
  const { view, device, layout, range } = data
  const input: TimelineInput = {
    device,
    axis: view.axis,
    colorBy: view.colorBy,
    hasTimes: capture.hasTimes,
    startsLate: startsLate(capture),
    visible: range,
    home: data.home,
    y1: data.y1,
    overviewTop: data.y1,
    emphasised: data.emphasis?.slots,
    curves: data.curves,
    raster: data.raster,
    overview: undefined,
    spans: data.spans,
    outline: data.outline,
    cursor: data.cursor,
    selectedRange: view.selectedRange,
    layout,
    tokens,
    measure,
    t,
  }
  const whole = { xPx: 0, yPx: 0, widthPx: layout.widthPx, heightPx: data.heightPx }
  return [
    ...buildTimeline(input),
    { clip: whole, items: [...drawTitle(capture, data, tokens, measure), ...drawLegend(capture, data, tokens, measure)] },
  ]
}

function rangeWords(data: PictureData): string {
  const { view, device, range } = data
  if (view.axis === 'event') {
    const [first, last] = endsOf(device.eventCount, range)
    return t('picture.events', { first: formatCount(first), last: formatCount(last), count: formatCount(device.eventCount) })
  }
  const [from, to] = timeLabels([Math.max(range.x0, device.firstTimeNs ?? range.x0), Math.min(range.x1, device.lastTimeNs ?? range.x1)])
  return t('picture.times', { from: from?.text ?? '', to: to?.text ?? '' })
}

function drawTitle(capture: CaptureSummary, data: PictureData, tokens: Tokens, measure: Measure): Item[] {
  const ink = inkOf(tokens)
  const { widthPx } = data.layout
  const { device } = data
  const version = useShell.getState().info?.version
  const made = t('picture.made', { app: version === undefined ? 'Tidemark' : `Tidemark ${version}` })
  const madeWidth = measure(made, 11, false)
  const peak = t('picture.peak', { peak: formatBytes(device.peakAllocatedBytes), reserved: formatBytes(device.peakReservedBytes) })
  const second = [t('picture.device', { device: device.device }), rangeWords(data), peak].join(' · ')
  const room = widthPx - 2 * marginPx
  const heading = `${capture.sourceName} · ${t('picture.title')}`
  const fitted = fitText(heading, room - madeWidth - 24, (text) => measure(text, 16, true)) ?? ''
  return [
    { kind: 'text', xPx: marginPx, yPx: 22, spans: [{ text: fitted, strong: true }], sizePx: 16, align: 'left', color: ink.t1 },
    { kind: 'text', xPx: widthPx - marginPx, yPx: 22, spans: [{ text: made }], sizePx: 11, align: 'right', color: ink.t3 },
    {
      kind: 'text',
      xPx: marginPx,
      yPx: 44,
      spans: [{ text: fitText(second, room, (text) => measure(text, 12, false)) ?? '' }],
      sizePx: 12,
      align: 'left',
      color: ink.t2,
    },
  ]
}

function drawLegend(capture: CaptureSummary, data: PictureData, tokens: Tokens, measure: Measure): Item[] {
  const { view, device, layout, top: stacks } = data
  const ink = inkOf(tokens)
  const top = bottomOf(layout.plot) + 18
  const left = layout.plot.xPx
  const items = drawCurveLegend(left, top, tokens, measure)
  if (legendHeight(data.heightPx) < 60) return items
  const legend = legendOf({
    capture,
    colorBy: view.colorBy,
    tokens,
    top: stacks,
    largestBytes: device.peakAllocatedBytes,
    t,
  })
  const heading =
    view.colorBy !== 'stack'
      ? t(`legend.${view.colorBy}`)
      : view.cursorEvent === undefined
        ? t('picture.stacksAtPeak')
        : t('picture.stacksAt', { event: formatCount(view.cursorEvent) })
  const row = top + rowPx + 2
  items.push({ kind: 'text', xPx: left, yPx: row, spans: [{ text: heading }], sizePx: 11, align: 'left', color: ink.t3 })
  return [
    ...items,
    ...drawColorLegend(legend, left, row + rowPx, rightOf(layout.plot), stacks.totalBytes, data.emphasis?.key, tokens, measure),
  ]
}

function drawCurveLegend(left: number, yPx: number, tokens: Tokens, measure: Measure): Item[] {
  const ink = inkOf(tokens)
  const items: Item[] = []
  let xPx = left
  for (const { name, ink: line, dash } of curveLines) {
    const text = t(`curve.${name}`)
    const points = [xPx, yPx + 0.5, xPx + 24, yPx + 0.5]
    items.push({ kind: 'path', points, color: ink[line], alpha: 1, widthPx: 1.5, ...dash })
    items.push({ kind: 'text', xPx: xPx + 32, yPx, spans: [{ text }], sizePx: 12, align: 'left', color: ink.t2 })
    xPx += 32 + measure(text, 12, false) + 28
  }
  return items
}

function drawScale(legend: Legend & { kind: 'scale' }, left: number, top: number, right: number, ink: Rgb): Item[] {
  const widthPx = Math.min(320, right - left)
  const stepPx = widthPx / legend.steps.length
  const step = { kind: 'box', yPx: top - 6, widthPx: stepPx + 0.5, heightPx: 12, alpha: 1 } as const
  const label = { kind: 'text', yPx: top + 16, sizePx: 11, align: 'left', color: ink } as const
  return [
    ...legend.steps.map((color, index): Item => ({ ...step, xPx: left + index * stepPx, color })),
    ...legend.labels.map(({ share, text }): Item => ({ ...label, xPx: left + share * widthPx, spans: [{ text }] })),
  ]
}

function drawColorLegend(
  legend: Legend,
  left: number,
  top: number,
  right: number,
  totalBytes: number,
  emphasis: string | undefined,
  tokens: Tokens,
  measure: Measure,
): Item[] {
  const ink = inkOf(tokens)
  if (legend.kind === 'scale') return drawScale(legend, left, top, right, ink.t2)
  const columns = Math.max(1, Math.floor((right - left) / columnPx))
  const width = (right - left) / columns
  const placeOf = (index: number) => ({ xPx: left + (index % columns) * width, yPx: top + Math.floor(index / columns) * rowPx })
  const room = columns * 2
  const all = legend.swatches.length + legend.more
  const shown = legend.swatches.slice(0, all > room ? room - 1 : room)
  const leftOut = all - shown.length
  const more: Item[] =
    leftOut > 0
      ? [
          {
            kind: 'text',
            ...placeOf(shown.length),
            spans: [{ text: t('more', { count: formatCount(leftOut) }) }],
            sizePx: 11,
            align: 'left',
            color: ink.t3,
          },
        ]
      : []
  const entries = shown.flatMap((swatch, index): Item[] => {
    const { xPx, yPx } = placeOf(index)
    const numbers = swatch.bytes === undefined ? '' : `${formatBytes(swatch.bytes)} · ${formatShare(swatch.bytes, totalBytes)}`
    const textPx = width - 40 - measure(numbers, 11, false)
    const title = fitText(swatch.title, textPx, (text) => measure(text, 11, false)) ?? ''
    const place = fitText(` ${swatch.place}`, textPx - measure(title, 11, false), (text) => measure(text, 11, false)) ?? ''
    const spans = [{ text: title, color: ink.t1 }, { text: place }, { text: `  ${numbers}`, color: ink.t2 }]
    return [
      {
        kind: 'box',
        xPx,
        yPx: yPx - 5,
        widthPx: 10,
        heightPx: 10,
        color: swatch.color,
        alpha: emphasis === undefined || emphasis === swatch.key ? 1 : dimmedAlpha,
      },
      { kind: 'text', xPx: xPx + 16, yPx, spans, sizePx: 11, align: 'left', color: ink.t3 },
    ]
  })
  return [...entries, ...more]
}
