// Display list of a finished picture: the timeline's own, a title and a legend.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { slotsIn } from '../../categories/present.ts'
import { startsLate } from '../../focus/home.ts'
import { keptMarks } from '../../focus/note-marks.ts'
import { counted, formatBytes, formatCount, isCpu } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { drawColorLegend } from '../../picture/draw-legend.ts'
import { deviceWords, drawTitle, filterWords, type TitleWords } from '../../picture/title.ts'
import { curvesOf } from '../../plot/curve-lines.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { legendOf } from '../../plot/legend.ts'
import { endsOf } from '../../plot/scales.ts'
import { timeLabels } from '../../plot/ticks.ts'
import type { DisplayList, Item, Measure } from '../../scene/display-list.ts'
import { isFiltering } from '../../state/filter.ts'
import type { ViewState } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { buildTimeline } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import type { PictureData } from './picture-data.ts'
import { legendHeight } from './picture-layout.ts'
import { timelineText as t } from './texts.ts'

const rowPx = 18
const legendRows = 3

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
    noteMarks: keptMarks(capture.captureId),
    layout,
    tokens,
    measure,
    t,
  }
  const whole = { xPx: 0, yPx: 0, widthPx: layout.widthPx, heightPx: data.heightPx }
  return [
    ...buildTimeline(input),
    {
      clip: whole,
      items: [...drawTitle(titleOf(capture, data), layout.widthPx, tokens, measure), ...drawLegend(capture, data, tokens, measure)],
    },
  ]
}

function rangeWords(data: PictureData): string {
  const { view, device, range } = data
  if (view.axis === 'event') {
    const [first, last] = endsOf(device.eventCount, range)
    return t('picture.events', { first: formatCount(first), last: formatCount(last), ...counted(device.eventCount) })
  }
  const [from, to] = timeLabels([Math.max(range.x0, device.firstTimeNs ?? range.x0), Math.min(range.x1, device.lastTimeNs ?? range.x1)])
  return t('picture.times', { from: from?.text ?? '', to: to?.text ?? '' })
}

/** What the picture is of, in words. */
export const titleOfDevice = ({ device, deviceType }: DeviceSummary): string =>
  t(isCpu(device, deviceType) ? 'picture.titleOfCpu' : 'picture.title')

function titleOf(capture: CaptureSummary, data: PictureData): TitleWords {
  const { device, view } = data
  const bytes = { peak: formatBytes(device.peakAllocatedBytes), reserved: formatBytes(device.peakReservedBytes) }
  const peak = t(isCpu(device.device, device.deviceType) ? 'picture.peakOfCpu' : 'picture.peak', bytes)
  const more = data.annotationsLeftOut
  const leftOut = more > 0 ? [t('status.annotationsLeftOut', counted(more))] : []
  return {
    heading: `${capture.sourceName} · ${titleOfDevice(device)}`,
    facts: [...deviceWords(device), ...filterWords(view.filter), rangeWords(data), peak, ...leftOut],
  }
}

function drawLegend(capture: CaptureSummary, data: PictureData, tokens: Tokens, measure: Measure): Item[] {
  const { view, device, layout, top: stacks } = data
  const ink = inkOf(tokens)
  const top = bottomOf(layout.plot) + 18
  const left = layout.plot.xPx
  const items = drawCurveLegend(device, { left, yPx: top }, tokens, measure)
  if (legendHeight(data.heightPx) < 60) return items
  const legend = legendOf({
    capture,
    colorBy: view.colorBy,
    tokens,
    top: stacks,
    elsewhere: data.elsewhere,
    largestBytes: device.peakAllocatedBytes,
    categories: { held: data.held, present: slotsIn(data.raster.data.cells) },
  })
  const heading = headingOf(view, data.toldEvent)
  const row = top + rowPx + 2
  items.push({ kind: 'text', xPx: left, yPx: row, spans: [{ text: heading }], sizePx: 11, align: 'left', color: ink.t3 })
  return [
    ...items,
    ...drawColorLegend(legend, {
      left,
      top: row + rowPx,
      right: rightOf(layout.plot),
      rows: legendRows,
      totalBytes: stacks.totalBytes,
      emphasis: data.emphasis?.key,
      tokens,
      measure,
    }),
  ]
}

/** What the colours are of; of stacks and categories when they hold so much, and that the filter does not count. */
function headingOf({ colorBy, filter }: ViewState, event: number | undefined): string {
  if (colorBy !== 'stack' && colorBy !== 'category') return t(`legend.${colorBy}`)
  const [atPeak, at] =
    colorBy === 'stack'
      ? (['picture.stacksAtPeak', 'picture.stacksAt'] as const)
      : (['picture.categoriesAtPeak', 'picture.categoriesAt'] as const)
  const when = event === undefined ? t(atPeak) : t(at, { event: formatCount(event) })
  return isFiltering(filter) ? `${when} · ${t('unfiltered')}` : when
}

type Place = { readonly left: number; readonly yPx: number }

function drawCurveLegend(device: PictureData['device'], { left, yPx }: Place, tokens: Tokens, measure: Measure): Item[] {
  const ink = inkOf(tokens)
  const items: Item[] = []
  let xPx = left
  for (const { name, ink: line, dash } of curvesOf(device)) {
    const text = plotText(`curve.${name}`)
    const points = [xPx, yPx + 0.5, xPx + 24, yPx + 0.5]
    items.push({ kind: 'path', points, color: ink[line], alpha: 1, widthPx: 1.5, ...dash })
    items.push({ kind: 'text', xPx: xPx + 32, yPx, spans: [{ text }], sizePx: 12, align: 'left', color: ink.t2 })
    xPx += 32 + measure(text, 12, false) + 28
  }
  return items
}
