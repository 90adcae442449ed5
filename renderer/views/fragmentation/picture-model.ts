// Display list of the report page.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { startsLate } from '../../focus/home.ts'
import { keptMarks } from '../../focus/note-marks.ts'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { deviceWords, drawTitle, type TitleWords } from '../../picture/title.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitText } from '../../plot/text-fit.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import type { DisplayList, Frame, Item, Measure } from '../../scene/display-list.ts'
import { measuresOf } from '../../space/measures.ts'
import { type Tile, tilesOf } from '../../space/tiles.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { barsOf, failedBytesAt } from './assemble.ts'
import { topBytes } from './curve-input.ts'
import { buildCurves } from './curve-model.ts'
import { mismatchSentence } from './mismatch.ts'
import type { PageData } from './picture.ts'
import { drawLegend } from './picture-legend.ts'
import { drawTables } from './picture-tables.ts'
import { buildSizes } from './size-model.ts'
import { fragmentationText as t } from './texts.ts'

const headPx = 40 // title and sentence above the histogram

interface Ways {
  readonly tokens: Tokens
  readonly measure: Measure
}

/** The whole page. */
export function buildPage(capture: CaptureSummary, data: PageData, tokens: Tokens, measure: Measure): DisplayList {
  const { page, device, report, look } = data
  const ways = { tokens, measure }
  const whole: Frame = { xPx: 0, yPx: 0, widthPx: page.widthPx, heightPx: page.heightPx }
  const failedBytes = failedBytesAt(device, report.event)
  const measures = measuresOf(report.value.totals, report.event)
  const tiles = tilesOf(measures, failedBytes, t)
  const sizes = page.sizes && { ...page.sizes, yPx: page.sizes.yPx + headPx, heightPx: page.sizes.heightPx - headPx }
  return [
    {
      clip: whole,
      items: [
        ...drawTitle(titleOf(capture, data), page.widthPx, tokens, measure),
        ...tiles.flatMap((tile, index) => drawTile(tile, page.tiles[index], ways)),
        ...(page.legend ? drawLegend(measures, page.legend, tokens, measure) : []),
        ...drawSizesHead(data, ways),
        ...drawTables(data, tokens, measure),
      ],
    },
    ...drawCurves(capture, data, ways),
    ...(sizes
      ? buildSizes({
          bars: barsOf(report),
          unit: look.unit,
          largestFree: report.value.totals.largestFreeBytes,
          failedBytes,
          frame: sizes,
          tokens,
          measure,
          t,
        })
      : []),
  ]
}

function drawCurves(capture: CaptureSummary, data: PageData, { tokens, measure }: Ways): DisplayList {
  const { page, device, report, view } = data
  if (!page.curves || !data.curves) return []
  return buildCurves({
    device,
    axis: view.axis,
    hasTimes: capture.hasTimes,
    visible: data.range,
    home: data.home,
    startsLate: startsLate(capture),
    y1: topBytes(device),
    overviewTop: topBytes(device),
    emphasis: data.look.emphasis,
    curves: data.curves,
    overview: undefined,
    spans: data.spans,
    moment: { event: report.event, timeNs: Number.isNaN(report.timeNs) ? null : report.timeNs, isPinned: view.cursorEvent !== undefined },
    selectedRange: view.selectedRange,
    noteMarks: keptMarks(capture.captureId),
    layout: page.curves,
    tokens,
    measure,
    t,
  })
}

function titleOf(capture: CaptureSummary, { device, report }: PageData): TitleWords {
  const moment =
    device.eventCount === 0 ? t('atDump') : report.event < 0 ? t('beforeFirst') : t('afterEvent', { event: formatCount(report.event) })
  return {
    heading: `${capture.sourceName} · ${t('picture.title')} · ${moment}`,
    facts: [
      ...deviceWords(device),
      ...(Number.isNaN(report.timeNs) ? [] : [exactTimeLabel(report.timeNs)]),
      ...(failedBytesAt(device, report.event) === undefined ? [] : [t('outOfMemory')]),
      `${plotText('curve.reserved')} ${formatBytes(report.value.totals.reservedBytes)}`,
      `${plotText('curve.allocated')} ${formatBytes(report.value.totals.allocatedBytes)}`,
    ],
  }
}

function drawTile({ label, value, note, definition }: Tile, frame: Frame | undefined, { tokens, measure }: Ways): Item[] {
  if (!frame) return []
  const ink = inkOf(tokens)
  const line = { kind: 'text', xPx: frame.xPx, align: 'left' } as const
  const fitted = (text: string): string => fitText(text, frame.widthPx - 12, (each) => measure(each, 11, false)) ?? ''
  return [
    { ...line, yPx: frame.yPx + 8, spans: [{ text: fitted(label) }], sizePx: 11, color: ink.t2 },
    { ...line, yPx: frame.yPx + 25, spans: [{ text: value, strong: true }], sizePx: 16, color: ink.t1 },
    ...[
      { text: note, color: ink.t2 },
      { text: definition, color: ink.t3 },
    ]
      .filter(({ text }) => text !== '')
      .map(
        ({ text, color }, row): Item => ({ ...line, yPx: frame.yPx + 42 + row * 14, spans: [{ text: fitted(text) }], sizePx: 11, color }),
      ),
  ]
}

function drawSizesHead({ page, report }: PageData, { tokens, measure }: Ways): Item[] {
  const { sizes } = page
  if (!sizes) return []
  const ink = inkOf(tokens)
  const line = { kind: 'text', xPx: sizes.xPx + 16, align: 'left' } as const
  const sentence = fitText(mismatchSentence(report, t), sizes.widthPx - 24, (text) => measure(text, 11, false)) ?? ''
  return [
    { ...line, yPx: sizes.yPx + 10, spans: [{ text: t('sizes.title'), strong: true }], sizePx: 12, color: ink.t1 },
    { ...line, yPx: sizes.yPx + 28, spans: [{ text: sentence }], sizePx: 11, color: ink.t2 },
  ]
}
