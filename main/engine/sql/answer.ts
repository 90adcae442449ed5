// The answer of one statement: its columns, then its rows one by one.
import { fail, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore, SqlRow } from '../index-store.ts'
import { type CellValue, ExactRows } from './exact-rows.ts'
import { isSelect } from './statement.ts'

export interface Answer {
  readonly columns: readonly string[]
  /** Cells in the order of the columns. A failure is the last item. */
  readonly rows: AsyncIterable<Result<readonly CellValue[]>>
}

/**
 * Prepares a statement that reads, and reads its rows as they are asked for; longestText as for `ExactRows`. One answer a connection at a
 * time. Errors: those of the statement.
 */
export async function answerOf(store: IndexStore, sql: string, longestText?: number): Promise<Result<Answer>> {
  if (!isSelect(sql)) return plainAnswer(store, sql)
  // A view tells the names of the columns, also when there are no rows, and makes those that come twice distinct; nothing runs for it.
  // The line break ends a comment at the end of the statement. Only one statement is prepared, whatever follows.
  const made = await firstFailure(store, ['DROP VIEW IF EXISTS temp.answer', `CREATE TEMP VIEW answer AS ${sql}\n`])
  if (made) return made
  const named = await store.all("SELECT name FROM pragma_table_info('answer', 'temp')")
  if (!named.ok) return named
  const columns = named.value.map((row) => String(row.name))
  const read = new ExactRows(columns, longestText)
  return { ok: true, value: { columns, rows: cells(store.rows(read.sql), (row) => read.restore(row)) } }
}

async function firstFailure(store: IndexStore, statements: readonly string[]) {
  for (const sql of statements) {
    const done = await store.all(sql)
    if (!done.ok) return done
  }
  return undefined
}

/** PRAGMA and EXPLAIN are no body of a view: the first row tells the columns. */
async function plainAnswer(store: IndexStore, sql: string): Promise<Result<Answer>> {
  const rows = store.rows(sql)
  const first = await rows.next()
  if (!first.done && !first.value.ok) return first.value
  const columns = !first.done && first.value.ok ? Object.keys(first.value.value) : []
  async function* all(): AsyncGenerator<Result<SqlRow>> {
    if (!first.done) yield first.value
    yield* rows
  }
  return { ok: true, value: { columns, rows: cells(all(), (row) => columns.map((column) => row[column] ?? null)) } }
}

async function* cells(
  rows: AsyncIterable<Result<SqlRow>>,
  cellsOf: (row: SqlRow) => readonly CellValue[],
): AsyncGenerator<Result<readonly CellValue[]>> {
  for await (const row of rows) yield row.ok ? { ok: true, value: cellsOf(row.value) } : row
}

const pollMs = 50

/** Stops what a connection runs when `signal` is aborted or the time is up. */
export class Stopper {
  readonly #store: IndexStore
  readonly #signal: AbortSignal
  readonly #limitMs: number
  readonly #timer: NodeJS.Timeout
  readonly #startedAt = performance.now()
  #isLate = false

  constructor(store: IndexStore, signal: AbortSignal, limitMs: number) {
    this.#store = store
    this.#signal = signal
    this.#limitMs = limitMs
    // An interrupt that comes just before a statement starts is lost: it is given again.
    this.#timer = setInterval(() => this.#look(), pollMs)
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  #look(): void {
    if (this.elapsedMs >= this.#limitMs) this.#isLate = true
    if (this.#isLate || this.#signal.aborted) this.#store.interrupt()
  }

  /** Why it must go no further; null while it may. Errors: `query/cancelled`, `query/timed_out`. */
  reason(): ReturnType<typeof fail> | null {
    this.#look()
    if (this.#signal.aborted) return fail('query/cancelled', 'The statement was stopped.')
    return this.#isLate ? fail('query/timed_out', `The statement did not end within ${this.#limitMs / 1000} s.`) : null
  }

  /** Stops nothing any more. */
  end(): void {
    clearInterval(this.#timer)
  }
}
