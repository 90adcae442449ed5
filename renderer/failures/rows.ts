// The rows of a table of failures: which are shown, in which order, what stands in them; and the same rows for other programs.
import type { FailurePattern, FailureRow, Failures } from '../../preload/contract/diagnosis.ts'
import { csvText } from '../data/csv.ts'
import { markdownTable } from '../data/markdown.ts'
import { asSentence, labelName } from '../diagnosis/words.ts'
import { exactBytes, formatBytes, formatPercent, unknownValue } from '../i18n/format.ts'
import { type Column, columns, type FailuresLook } from './look.ts'
import { failuresText as t } from './texts.ts'

/** Why the request failed, in words; that it did not, where nothing failed. */
export const reasonText = ({ isFailure, reason }: Pick<FailureRow, 'isFailure' | 'reason'>): string =>
  t(isFailure ? `reason.${reason}` : 'reason.none')

/** True where a verdict says how sure it is: that nothing failed needs no degree. */
const hasDegree = ({ label }: FailureRow): boolean => label !== 'healthy' && label !== 'not_enough_evidence'

/** What stands in a cell. */
export function cellText(row: FailureRow, column: Column): string {
  switch (column) {
    case 'name':
      return row.name
    case 'verdict':
      return row.isUncertain && hasDegree(row) ? `${labelName(row.label)} · ${t('uncertain')}` : labelName(row.label)
    case 'confidence':
      return hasDegree(row) ? formatPercent(row.confidence) : unknownValue
    case 'reason':
      return reasonText(row)
    case 'requested':
      return row.requestedBytes === null ? unknownValue : formatBytes(row.requestedBytes)
    case 'evidence':
      return row.evidence ? asSentence(row.evidence) : unknownValue
  }
}

/** What a cell says when pointed at: all of it, bytes with all digits. */
export const cellHint = (row: FailureRow, column: Column): string =>
  column === 'requested' && row.requestedBytes !== null ? requestedHint(row, row.requestedBytes) : cellText(row, column)

/** A text names the segment that the allocator asked the device for, a snapshot what the program asked for. */
const requestedHint = ({ captureToken }: FailureRow, bytes: number): string =>
  captureToken === null ? t('requestedSegment', { bytes: exactBytes(bytes) }) : exactBytes(bytes)

const numbers: Partial<Record<Column, (row: FailureRow) => number>> = {
  confidence: (row) => (hasDegree(row) ? row.confidence : -1),
  requested: (row) => row.requestedBytes ?? -1,
}

/** Numbers within names by their value: run_9 before run_10. */
const collator = new Intl.Collator(undefined, { numeric: true })

function compare(a: FailureRow, b: FailureRow, column: Column): number {
  const numberOf = numbers[column]
  return numberOf ? numberOf(a) - numberOf(b) : collator.compare(cellText(a, column), cellText(b, column))
}

/** The rows that pass the filter and belong to the pattern, sorted; equal ones as they were read. */
export function shownRows(
  { rows, patterns }: Failures,
  { text, pattern, order }: Pick<FailuresLook, 'text' | 'pattern' | 'order'>,
): readonly FailureRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const passes = (row: FailureRow): boolean => {
    if (pattern !== undefined && row.pattern !== pattern) return false
    const place = row.pattern === null ? '' : (patterns[row.pattern]?.place ?? '')
    const all = [...columns.map((column) => cellText(row, column)), place].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const shown = words.length === 0 && pattern === undefined ? [...rows] : rows.filter(passes)
  const { column, descending } = order
  if (column === 'given') return shown
  const sign = descending ? -1 : 1
  return shown.sort((a, b) => sign * compare(a, b, column) || a.index - b.index)
}

interface Counts {
  readonly failures: number
  readonly healthy: number
  readonly unreadable: number
}

/** How many of what was read failed and how many did not; of what is not listed, the patterns tell. */
export function countsOf({ rows, patterns, total, unreadableTotal }: Failures): Counts {
  const listed = rows.filter(({ isFailure }) => isFailure).length
  const inPatterns = patterns.reduce((sum, { count }) => sum + count, 0)
  const failures = rows.length === total ? listed : Math.max(listed, inPatterns)
  return { failures, healthy: total - failures, unreadable: unreadableTotal }
}

/** Rows as CSV, with bytes and shares as numbers; labels are those of the command line's JSON. */
export function rowsAsCsv(rows: readonly FailureRow[], patterns: readonly FailurePattern[]): string {
  const head = ['name', 'failed', 'verdict', 'confidence', 'uncertain', 'reason', 'requested_bytes', 'pattern', 'place', 'evidence']
  const lines = rows.map((row) => [
    row.name,
    row.isFailure ? 1 : 0,
    row.label,
    row.confidence,
    row.isUncertain ? 1 : 0,
    row.isFailure ? row.reason : '',
    row.requestedBytes ?? '',
    row.pattern === null ? '' : row.pattern + 1,
    row.pattern === null ? '' : (patterns[row.pattern]?.place ?? ''),
    row.evidence ? asSentence(row.evidence) : '',
  ])
  return csvText([head, ...lines])
}

const isNumber = (column: Column | undefined): boolean => column === 'confidence' || column === 'requested'

/** Rows as a table of Markdown, in the words of the screen. */
export function rowsAsMarkdown(rows: readonly FailureRow[]): string {
  const head = columns.map((column) => t(`column.${column}`))
  const cells = rows.map((row) => columns.map((column) => cellText(row, column)))
  return markdownTable(head, cells, (at) => isNumber(columns[at]))
}

/** One row as cells apart by tabs, the way a sheet takes them. */
export const rowAsText = (row: FailureRow): string => `${columns.map((column) => cellText(row, column)).join('\t')}\n`
