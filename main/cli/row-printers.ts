// How rows look on the terminal and in files. Pure.
import { stringify } from 'csv-stringify/sync'
import type { CellValue } from '../engine/sql/exact-rows.ts'
import { printable } from './printable.ts'
import { tableLine, tableRule, widthsOf } from './terminal-table.ts'

export type Row = Readonly<Record<string, CellValue>>

export const formats = ['table', 'json', 'csv'] as const
export type Format = (typeof formats)[number]

export interface Printer {
  readonly head: string
  readonly rows: (page: readonly Row[], printedBefore: number) => string
  readonly tail: (printed: number) => string
}

/** A table is for eyes: a C++ name of 2,000 characters would push every other column off the screen. JSON and CSV hold all of it. */
const maxCellLength = 80

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function tablePrinter(columns: readonly string[], firstPage: readonly Row[]): Printer {
  const cell = (value: CellValue | undefined): string => {
    if (value === null || value === undefined) return ''
    const text = value instanceof Uint8Array ? `<${value.length} bytes>` : printable(String(value).replace(/\n/g, '⏎'))
    return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text
  }
  const cellsOf = (row: Row): string[] => columns.map((column) => cell(row[column]))
  const heads = columns.map(cell)
  const widths = widthsOf([heads, ...firstPage.map(cellsOf)])
  const line = (row: Row) => tableLine(cellsOf(row), widths, (at) => ['number', 'bigint'].includes(typeof row[columns[at] ?? '']))
  return {
    head: columns.length > 0 ? `${tableLine(heads, widths)}\n${tableRule(widths)}\n` : '',
    rows: (page) => page.map((row) => `${line(row)}\n`).join(''),
    tail: () => '',
  }
}

function jsonPrinter(): Printer {
  const text = (value: CellValue): string =>
    typeof value === 'bigint' ? String(value) : JSON.stringify(value instanceof Uint8Array ? hex(value) : value)
  const object = (row: Row): string =>
    `{${Object.entries(row)
      .map(([column, value]) => `${JSON.stringify(column)}:${text(value)}`)
      .join(',')}}`
  return {
    head: '[',
    rows: (page, before) => page.map((row, at) => `${before + at > 0 ? ',' : ''}\n  ${object(row)}`).join(''),
    tail: (printed) => (printed > 0 ? '\n]\n' : ']\n'),
  }
}

function csvPrinter(columns: readonly string[]): Printer {
  const cells = (row: Row) => columns.map((column) => (row[column] instanceof Uint8Array ? hex(row[column]) : row[column]))
  return {
    head: columns.length > 0 ? stringify([[...columns]]) : '',
    rows: (page) => stringify(page.map(cells)),
    tail: () => '',
  }
}

export const printers: Record<Format, (columns: readonly string[], firstPage: readonly Row[]) => Printer> = {
  table: tablePrinter,
  json: jsonPrinter,
  csv: csvPrinter,
}
