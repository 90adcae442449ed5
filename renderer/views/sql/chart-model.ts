// A result as bars or as a line: rows and columns → a display list. Pure.
import type { SqlCell } from '../../../preload/contract/queries.ts'
import { formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { type Ink, inkOf } from '../../plot/ink.ts'
import { fitMiddle } from '../../plot/text-fit.ts'
import { byteTicks, niceTicks } from '../../plot/ticks.ts'
import type { Frame, Item, Measure } from '../../scene/display-list.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { cellText, isNumber, numberIn, type Unit, unitOf } from './cells.ts'
import type { ChartKind, SqlResult } from './sql-state.ts'
import type { Translate } from './texts.ts'

export interface Chart {
  readonly kind: Exclude<ChartKind, 'none'>
  readonly label: string // column of the labels; '' = the number of the row
  readonly value: string // column of the values
  readonly unit: Unit
  readonly points: readonly { readonly label: string; readonly value: number }[] // rows without a number are left out
}

/** Columns that have a number somewhere. */
export const valueColumns = ({ columns, rows }: SqlResult): readonly string[] =>
  columns.filter((_, at) => rows.some((row) => numberIn(row[at]) !== undefined))

/** The column drawn: the one chosen where the result has it, else the first whose name tells a unit, else the last. */
function chosenColumn(result: SqlResult, chosen: string | undefined): string | undefined {
  const columns = valueColumns(result)
  if (chosen !== undefined && columns.includes(chosen)) return chosen
  const isFirstOfAll = (column: string) => column === result.columns[0] && columns.length > 1
  return columns.find((column) => unitOf(column) !== 'none' && !isFirstOfAll(column)) ?? columns.at(-1)
}

/** The column of the labels: the first of texts, else the first but that of the values; −1 = none. */
function labelColumn({ columns, rows }: SqlResult, value: string): number {
  const isText = (cell: SqlCell | undefined) => cell !== undefined && cell !== null && !isNumber(cell)
  const text = columns.findIndex((_, at) => rows.some((row) => isText(row[at])))
  return text >= 0 ? text : columns.findIndex((column) => column !== value)
}

/** Undefined: no column has numbers. */
export function chartOf(result: SqlResult, kind: Chart['kind'], chosen: string | undefined, t: Translate): Chart | undefined {
  const value = chosenColumn(result, chosen)
  if (value === undefined) return undefined
  const [labels, values] = [labelColumn(result, value), result.columns.indexOf(value)]
  const points = result.rows.flatMap((row, at) => {
    const number = numberIn(row[values])
    const cell = row[labels] ?? null
    const label = labels < 0 ? formatCount(at + 1) : labelText(cell, result.columns[labels] ?? '', t)
    return number === undefined ? [] : [{ label, value: number }]
  })
  return { kind, label: result.columns[labels] ?? '', value, unit: unitOf(value), points }
}

/** The first line of a text, a number in its unit. */
function labelText(cell: SqlCell, column: string, t: Translate): string {
  const number = numberIn(cell)
  return number === undefined ? (cellText(cell, t).split('\n')[0] ?? '') : valueText(number, unitOf(column))
}

/** A number in its unit. */
export function valueText(value: number, unit: Unit): string {
  if (unit === 'bytes') return value < 0 ? `−${formatBytes(-value)}` : formatBytes(value)
  return unit === 'time' ? formatTime(value) : Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(6)))
}

export interface DrawTools {
  readonly tokens: Tokens
  readonly measure: Measure
  readonly t: Translate
}

const [rowPx, axisPx, gapPx, textPx] = [20, 22, 8, 11]

/** The chart in a frame, with axis and units; says how many rows have no room. */
export function drawChart(chart: Chart, frame: Frame, tools: DrawTools): Item[] {
  return chart.kind === 'bars' ? drawBars(chart, frame, tools) : drawLine(chart, frame, tools)
}

interface Scale {
  readonly least: number
  readonly most: number
  readonly ticks: readonly number[]
}

function scaleOf(values: readonly number[], unit: Unit, lengthPx: number, tickGapPx: number): Scale {
  const least = values.reduce((low, value) => Math.min(low, value), 0)
  const top = values.reduce((high, value) => Math.max(high, value), 0)
  const most = top === least ? least + 1 : top
  const ticks = unit === 'bytes' && least === 0 ? byteTicks(most, lengthPx, tickGapPx) : niceTicks(least, most, lengthPx, tickGapPx, 0)
  return { least, most, ticks }
}

const text = (words: string, xPx: number, yPx: number, align: 'left' | 'right' | 'center', color: Ink['t1']): Item => ({
  kind: 'text',
  xPx,
  yPx,
  spans: [{ text: words }],
  sizePx: textPx,
  align,
  color,
})

const box = (xPx: number, yPx: number, widthPx: number, heightPx: number, color: Ink['t1']): Item => ({
  kind: 'box',
  xPx,
  yPx,
  widthPx,
  heightPx,
  color,
  alpha: 1,
})

const axisTitle = ({ value, label }: Chart): string => (label === '' ? value : `${value} · ${label}`)

/** One bar a row, its label to the left, its value behind it. */
function drawBars(chart: Chart, frame: Frame, { tokens, measure, t }: DrawTools): Item[] {
  const ink = inkOf(tokens)
  const room = Math.max(1, Math.floor((frame.heightPx - 2 * axisPx) / rowPx))
  const shown = chart.points.slice(0, room)
  const namePx = Math.min(frame.widthPx * 0.35, Math.max(40, ...shown.map(({ label }) => measure(label, textPx, false))))
  const valuePx = Math.max(...shown.map(({ value }) => measure(valueText(value, chart.unit), textPx, false)), 0) + gapPx
  const left = frame.xPx + namePx + gapPx
  const widthPx = Math.max(20, frame.xPx + frame.widthPx - left - valuePx - gapPx)
  const scale = scaleOf(
    shown.map(({ value }) => value),
    chart.unit,
    widthPx,
    90,
  )
  const xOf = (value: number) => left + ((value - scale.least) / (scale.most - scale.least)) * widthPx
  const top = frame.yPx + axisPx
  const bottom = top + shown.length * rowPx
  const more = chart.points.length - shown.length
  const title = more > 0 ? ` · ${t('chart.more', { shown: formatCount(shown.length), formatted: formatCount(chart.points.length) })}` : ''
  return [
    text(`${axisTitle(chart)}${title}`, frame.xPx, frame.yPx + axisPx / 2, 'left', ink.t2),
    ...scale.ticks.flatMap((tick) => [
      box(Math.round(xOf(tick)), top, 1, bottom - top, ink.grid),
      text(valueText(tick, chart.unit), xOf(tick), bottom + axisPx / 2, tick === scale.least ? 'left' : 'center', ink.t3),
    ]),
    ...shown.flatMap(({ label, value }, at) => {
      const [y, from, to] = [top + at * rowPx, xOf(Math.min(0, value)), xOf(Math.max(0, value))]
      const name = fitMiddle(label, namePx, (words) => measure(words, textPx, false)) ?? ''
      return [
        text(name, left - gapPx, y + rowPx / 2, 'right', ink.t1),
        box(from, y + 3, Math.max(1, to - from), rowPx - 6, ink.curve),
        text(valueText(value, chart.unit), to + gapPx / 2, y + rowPx / 2, 'left', ink.t2),
      ]
    }),
  ]
}

/** A step a row, in the order of the rows. */
function drawLine(chart: Chart, frame: Frame, { tokens, measure }: DrawTools): Item[] {
  const ink = inkOf(tokens)
  const { points, unit } = chart
  const plotTop = frame.yPx + axisPx
  const heightPx = Math.max(20, frame.heightPx - 2 * axisPx)
  const scale = scaleOf(
    points.map(({ value }) => value),
    unit,
    heightPx,
    36,
  )
  const tickPx = Math.max(...scale.ticks.map((tick) => measure(valueText(tick, unit), textPx, false)), 0)
  const left = frame.xPx + tickPx + gapPx
  const widthPx = Math.max(20, frame.xPx + frame.widthPx - left)
  const yOf = (value: number) => plotTop + heightPx - ((value - scale.least) / (scale.most - scale.least)) * heightPx
  const xOf = (at: number) => left + (at / points.length) * widthPx
  const [first, last] = [points[0], points.at(-1)]
  const labelY = plotTop + heightPx + axisPx / 2
  const half = widthPx / 2 - gapPx
  const label = (words: string) => fitMiddle(words, half, (each) => measure(each, textPx, false)) ?? ''
  return [
    text(axisTitle(chart), frame.xPx, frame.yPx + axisPx / 2, 'left', ink.t2),
    ...scale.ticks.flatMap((tick) => [
      box(left, Math.round(yOf(tick)), widthPx, 1, ink.grid),
      text(valueText(tick, unit), left - gapPx / 2, yOf(tick), 'right', ink.t3),
    ]),
    {
      kind: 'path',
      points: points.flatMap(({ value }, at) => [xOf(at), yOf(value), xOf(at + 1), yOf(value)]),
      color: ink.curve,
      alpha: 1,
      widthPx: 1.5,
    },
    ...(first ? [text(label(first.label), left, labelY, 'left', ink.t3)] : []),
    ...(last && points.length > 1 ? [text(label(last.label), left + widthPx, labelY, 'right', ink.t3)] : []),
  ]
}
