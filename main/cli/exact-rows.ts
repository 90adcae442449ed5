// Rows as SQLite has them: the driver would round integers beyond 2^53.
import { randomUUID } from 'node:crypto'
import type { SqlRow, SqlValue } from '../engine/index-store.ts'

/** bigint: an integer that a JavaScript number cannot hold. */
export type CellValue = SqlValue | bigint
export type Row = Readonly<Record<string, CellValue>>

/** Reads the temporary view `answer`: integers beyond 2^53 leave SQLite as text behind a mark that no text of an index can begin with. */
export class ExactRows {
  /** The statement that reads it. */
  readonly sql: string
  readonly #mark = `${randomUUID()}:`

  /** columns: names of the view's columns. */
  constructor(columns: readonly string[]) {
    const limit = Number.MAX_SAFE_INTEGER
    const cells = columns.map((column) => {
      const name = `"${column.replaceAll('"', '""')}"`
      return `iif(typeof(${name}) = 'integer' AND ${name} NOT BETWEEN -${limit} AND ${limit}, '${this.#mark}' || ${name}, ${name}) AS ${name}`
    })
    // LIMIT inside and WHERE outside keep SQLite from putting the view's expressions in the place of its names: each is asked once a row.
    this.sql = `SELECT ${cells.join(', ')} FROM (SELECT * FROM temp.answer LIMIT -1) WHERE true`
  }

  /** A row of that statement. */
  restore(row: SqlRow): Row {
    return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, this.#unmarked(value)]))
  }

  #unmarked(value: SqlValue): CellValue {
    return typeof value === 'string' && value.startsWith(this.#mark) ? BigInt(value.slice(this.#mark.length)) : value
  }
}
