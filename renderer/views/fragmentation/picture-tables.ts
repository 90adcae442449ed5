// The tables of the report page: pools, and who pins segments. Rows without room are counted.
import { formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { type Ink, inkOf } from '../../plot/ink.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Frame, Item, Measure } from '../../scene/display-list.ts'
import { groupCell, groupName } from '../../space/group-cells.ts'
import { type GroupColumn, groupRows, sortGroups } from '../../space/groups.ts'
import { measuresOf } from '../../space/measures.ts'
import { stacksOf, stackWords } from '../../space/pins.ts'
import type { Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { PageData } from './picture.ts'
import { fragmentationText as t } from './texts.ts'

const rowPx = 20
const headRows = 1.5 // title and space above a table
const nameShare = 0.3 // of the table's width
const columns: readonly Exclude<GroupColumn, 'group'>[] = ['reserved', 'active', 'cached', 'stranded', 'largestFree', 'external']

interface Row {
  readonly cells: readonly string[]
  readonly color: Rgb
  readonly strong?: boolean
}

/** Both tables, one below the other. */
export function drawTables(data: PageData, tokens: Tokens, measure: Measure): Item[] {
  const frame = data.page.groups
  if (!frame) return []
  const ink = inkOf(tokens)
  const room = Math.floor(frame.heightPx / rowPx - headRows)
  const groups = groupLines(data, ink, room)
  const used = rowPx * (headRows + groups.length + 0.5)
  const pins = pinLines(data, ink, Math.floor((frame.heightPx - used) / rowPx - headRows))
  const below: Frame = { ...frame, yPx: frame.yPx + used, heightPx: frame.heightPx - used }
  return [
    ...(groups.length > 0 ? drawTable(t('picture.groups'), groups, frame, ink, measure) : []),
    ...(pins.length > 0 ? drawTable(t('pins.title'), pins, below, ink, measure) : []),
  ]
}

function groupLines({ report, look }: PageData, ink: Ink, room: number): Row[] {
  const rows = sortGroups(groupRows(report.value, report.event), look.groupOrder)
  const most = room - 2 // head and totals
  if (most < 1) return []
  const shown = rows.slice(0, rows.length > most ? most - 1 : most)
  const left = rows.length - shown.length
  const total = { segments: report.value.totals.segments, measures: measuresOf(report.value.totals, report.event) }
  return [
    { cells: ['', ...columns.map((column) => t(`column.${column}`))], color: ink.t3 },
    ...shown.map((row) => ({ cells: [groupName(row, t), ...columns.map((column) => groupCell(row, column)[0])], color: ink.t2 })),
    ...moreLine(left, ink),
    { cells: [t('groups.total'), ...columns.map((column) => groupCell(total, column)[0])], color: ink.t1, strong: true },
  ]
}

function pinLines({ report }: PageData, ink: Ink, room: number): Row[] {
  const { pins } = report.value
  if (pins.length === 0 || room < 2) return []
  const shown = pins.slice(0, pins.length > room ? room - 1 : room)
  const lines = shown.map((pin): Row => {
    const free = t('picture.freeOf', { free: formatBytes(pin.freeBytes), total: formatBytes(pin.totalBytes) })
    const kept = stacksOf(pin).map((stack) => stackWords(stack, t))
    return { cells: [[formatAddress(pin.segmentAddress), free, ...kept].join(' · ')], color: ink.t2 }
  })
  return [...lines, ...moreLine(pins.length - shown.length, ink)]
}

const moreLine = (count: number, ink: Ink): Row[] =>
  count > 0 ? [{ cells: [t('picture.more', { count, shown: formatCount(count) })], color: ink.t3 }] : []

/** A title, then rows with rules between them: the first cell from the left, numbers to the right. A row of one cell takes the whole width. */
function drawTable(title: string, rows: readonly Row[], frame: Frame, ink: Ink, measure: Measure): Item[] {
  const namePx = frame.widthPx * nameShare
  const cellPx = (frame.widthPx - namePx) / columns.length
  const yAt = (row: number): number => frame.yPx + rowPx * (headRows + row)
  const cell = (text: string, index: number, row: number, { cells, color, strong = false }: Row): Item => {
    const widthPx = cells.length === 1 ? frame.widthPx : index === 0 ? namePx : cellPx
    const xPx = index === 0 ? frame.xPx : frame.xPx + namePx + index * cellPx
    const spans = [{ text: fitText(text, widthPx - 6, (each) => measure(each, 11, strong)) ?? text, strong }]
    return { kind: 'text', xPx, yPx: yAt(row), spans, sizePx: 11, align: index === 0 ? 'left' : 'right', color }
  }
  const rule = (row: number): Item => ({
    kind: 'box',
    xPx: frame.xPx,
    yPx: Math.round(yAt(row) - rowPx / 2),
    widthPx: frame.widthPx,
    heightPx: 1,
    color: ink.line,
    alpha: 1,
  })
  return [
    { kind: 'text', xPx: frame.xPx, yPx: frame.yPx + 10, spans: [{ text: title, strong: true }], sizePx: 12, align: 'left', color: ink.t1 },
    ...rows.flatMap((row, index) => [
      ...(index > 0 ? [rule(index)] : []),
      ...row.cells.map((text, column) => cell(text, column, index, row)),
    ]),
  ]
}
