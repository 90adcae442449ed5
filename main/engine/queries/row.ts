// Reads the columns of a row with the type that the index contract gives them; a wrong type means a foreign or damaged index and throws.
import type { SqlRow } from '../index-store.ts'

const wrong = (column: string, row: SqlRow): Error => new TypeError(`Column ${column} has an unexpected value: ${String(row[column])}`)

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column]
  if (typeof value === 'number') return value
  throw wrong(column, row)
}

export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : numberOf(row, column)
}

export function textOf(row: SqlRow, column: string): string {
  const value = row[column]
  if (typeof value === 'string') return value
  throw wrong(column, row)
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column)
}
