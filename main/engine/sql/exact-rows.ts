// Rows as SQLite has them: the driver would round integers beyond 2^53, and a value of many megabytes must not come at all where it is only
// looked at.
import { randomUUID } from 'node:crypto'
import type { SqlRow, SqlValue } from '../index-store.ts'

/** A value that is only told of: how large a BLOB is, or the beginning of a long text. */
export interface CutValue {
  readonly kind: 'blob' | 'text'
  readonly text: string // of a text: its beginning
  readonly length: number // bytes of a BLOB, characters of a text
}

/** bigint: an integer that a JavaScript number cannot hold. */
export type CellValue = SqlValue | bigint | CutValue

/** Reads the temporary view `answer`: what needs a mark leaves SQLite as text behind one that no text of an index can begin with. */
export class ExactRows {
  /** The statement that reads it. */
  readonly sql: string
  readonly #mark = `${randomUUID()}:`
  readonly #count: number

  /** columns: names of the view's columns. longestText: characters of a text; BLOBs and what longer texts have more are left out. */
  constructor(columns: readonly string[], longestText?: number) {
    const limit = Number.MAX_SAFE_INTEGER
    const mark = (kind: string) => `'${this.#mark}${kind}'`
    const cells = columns.map((column, at) => {
      const name = `"${column.replaceAll('"', '""')}"`
      const cut =
        longestText === undefined
          ? ''
          : `WHEN typeof(${name}) = 'blob' THEN ${mark('b')} || length(${name})
             WHEN typeof(${name}) = 'text' AND length(${name}) > ${longestText}
             THEN ${mark('t')} || length(${name}) || ':' || substr(${name}, 1, ${longestText})`
      return `CASE WHEN typeof(${name}) = 'integer' AND ${name} NOT BETWEEN -${limit} AND ${limit} THEN ${mark('i')} || ${name}
        ${cut} ELSE ${name} END AS c${at}`
    })
    this.#count = columns.length
    // LIMIT inside and WHERE outside keep SQLite from putting the view's expressions in the place of its names: each is asked once a row.
    this.sql = `SELECT ${cells.join(', ')} FROM (SELECT * FROM temp.answer LIMIT -1) WHERE true`
  }

  /** The cells of a row of that statement, in the order of the columns. */
  restore(row: SqlRow): CellValue[] {
    return Array.from({ length: this.#count }, (_, at) => this.#unmarked(row[`c${at}`] ?? null))
  }

  #unmarked(value: SqlValue): CellValue {
    if (typeof value !== 'string' || !value.startsWith(this.#mark)) return value
    const kind = value[this.#mark.length]
    const rest = value.slice(this.#mark.length + 1)
    if (kind === 'i') return BigInt(rest)
    if (kind === 'b') return { kind: 'blob', text: '', length: Number(rest) }
    const colon = rest.indexOf(':')
    return { kind: 'text', text: rest.slice(colon + 1), length: Number(rest.slice(0, colon)) }
  }
}
