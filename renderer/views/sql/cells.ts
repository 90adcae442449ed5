// How values look, and what they copy as. Pure.
import type { SqlCell, SqlCells } from '../../../preload/contract/queries.ts'
import { markdownTable } from '../../data/markdown.ts'
import { counted, exactTime, formatBytes, formatBytesLong, formatCount, formatTime } from '../../i18n/format.ts'
import type { Translate } from './texts.ts'

export type Unit = 'bytes' | 'time' | 'none'

/** What the name of a column says of its numbers. */
export function unitOf(column: string): Unit {
  if (/(^|_)bytes$/i.test(column)) return 'bytes'
  return /_ns$/i.test(column) ? 'time' : 'none'
}

/** All digits, or the text; what only tells of a value tells it in words. */
export function cellText(cell: SqlCell, t: Translate): string {
  if (cell === null) return t('result.null')
  if (typeof cell !== 'object') return String(cell)
  if (cell.kind === 'blob') return t('result.blob', { bytes: formatBytes(cell.bytes) })
  return cell.kind === 'number' ? cell.text : t('result.cut', { text: cell.text, ...counted(cell.length) })
}

export const isNumber = (cell: SqlCell): boolean => typeof cell === 'number' || (typeof cell === 'object' && cell?.kind === 'number')

/** A number for a chart; undefined: there is none. */
export const numberIn = (cell: SqlCell | undefined): number | undefined => {
  const value = typeof cell === 'number' ? cell : typeof cell === 'object' && cell?.kind === 'number' ? Number(cell.text) : undefined
  return value !== undefined && Number.isFinite(value) ? value : undefined
}

/** For a pointer that rests on a cell: numbers in their unit, texts as a whole. */
export function cellTitle(cell: SqlCell, column: string, t: Translate): string {
  if (typeof cell !== 'number') return cellText(cell, t)
  const unit = unitOf(column)
  if (unit === 'bytes' && Number.isInteger(cell)) return formatBytesLong(cell)
  return unit === 'time' ? `${formatTime(cell)} (${exactTime(cell)})` : formatCount(cell)
}

/** A rectangle of cells, both ends in it. */
export interface CellRange {
  readonly row0: number
  readonly row1: number
  readonly column0: number
  readonly column1: number
}

export const cellsIn = ({ row0, row1, column0, column1 }: CellRange): number => (row1 - row0 + 1) * (column1 - column0 + 1)

interface Grid {
  readonly columns: readonly string[]
  readonly rows: readonly SqlCells[]
}

/** Text for the clipboard: one cell alone, more with their head, between tabs. */
export function plainText({ columns, rows }: Grid, range: CellRange, t: Translate): string {
  const lines = linesOf({ columns, rows }, range, (cell) => (cell === null ? '' : cellText(cell, t)).replace(/[\t\r\n]+/g, ' '))
  if (cellsIn(range) > 1) return lines.map((cells) => cells.join('\t')).join('\n')
  const cell = rows[range.row0]?.[range.column0] ?? null
  return cell === null ? '' : cellText(cell, t)
}

/** A table for issues and wikis. */
export function markdownText({ columns, rows }: Grid, range: CellRange, t: Translate): string {
  const [head = [], ...body] = linesOf({ columns, rows }, range, (cell) => cellText(cell, t))
  const first = rows[range.row0] ?? []
  return markdownTable(head, body, (at) => isNumber(first[range.column0 + at] ?? null))
}

const linesOf = ({ columns, rows }: Grid, range: CellRange, textOf: (cell: SqlCell) => string): string[][] => {
  const cut = <T>(cells: readonly T[]) => cells.slice(range.column0, range.column1 + 1)
  return [[...cut(columns)], ...rows.slice(range.row0, range.row1 + 1).map((cells) => cut(cells).map(textOf))]
}

const [leastPx, mostPx, characterPx, paddingPx] = [64, 420, 7, 24]
const measuredRows = 200

/** Widths of the columns in CSS pixels, by the first rows. */
export const columnWidths = ({ columns, rows }: Grid, t: Translate): number[] =>
  columns.map((column, at) => {
    const longest = rows.slice(0, measuredRows).reduce((most, row) => Math.max(most, cellText(row[at] ?? null, t).length), column.length)
    return Math.round(Math.min(mostPx, Math.max(leastPx, longest * characterPx + paddingPx)))
  })

/** True of columns whose values are numbers: they stand to the right. */
export const numberColumns = ({ columns, rows }: Grid): boolean[] =>
  columns.map((_, at) => rows.slice(0, measuredRows).some((row) => isNumber(row[at] ?? null)))
