// Reads the columns of a row with the type that the index contract gives them; a wrong type means a foreign or damaged index and throws.
import type { SqlRow } from '../index-store.ts'

/** The index does not hold what its contract says: the answer is `index/not_an_index`. */
export class DamagedIndex extends Error {}

const maxShownLength = 80

export const wrong = (column: string, row: SqlRow): DamagedIndex =>
  new DamagedIndex(`The index is damaged: column ${column} has the unexpected value ${String(row[column]).slice(0, maxShownLength)}.`)

/** Bytes of one text that an answer takes at most: longer ones come from hostile files and would hold up the window. */
export const maxTextLength = 4096

/** SQL: the column, cut where it is longer than any honest text. */
export const cutText = (column: string): string => `substr(${column}, 1, ${maxTextLength})`

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
