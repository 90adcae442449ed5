// The SQL console of an open capture: a connection of its own that can only read, one statement at a time, the answer kept in pages.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { EngineOutput, SqlCell, SqlRelation } from '../../../preload/contract/queries.ts'
import type { IndexStore } from '../index-store.ts'
import type { CheckedInput } from '../queries/query.ts'
import { maxTextLength } from '../queries/row.ts'
import { answerOf, Stopper } from './answer.ts'
import type { CellValue } from './exact-rows.ts'
import { relationsOf } from './relations.ts'
import { readingStatement, withReason } from './statement.ts'

type Cells = SqlCell[]

/** Memory that an answer takes at most, and a message. */
const answerBytes = 8 * 2 ** 20
const pageBytes = 2 ** 19

interface Held {
  readonly answerId: number
  readonly rows: readonly Cells[]
}

export class SqlConsole {
  readonly #connect: () => Promise<Result<IndexStore>>
  #store: IndexStore | undefined
  #running: AbortController | undefined
  #last: Promise<unknown> = Promise.resolve()
  #held: Held = { answerId: 0, rows: [] }
  #isClosed = false

  /** connect: opens a connection that can only read. */
  constructor(connect: () => Promise<Result<IndexStore>>) {
    this.#connect = connect
  }

  /** Runs a statement. Errors: `query/read_only`, `query/timed_out`, `query/cancelled`, `query/failed`, `query/bad_argument`, those of the store. */
  async run(signal: AbortSignal, input: CheckedInput<'sql.run'>): Promise<Result<EngineOutput<'sql.run'>>> {
    const sound = readingStatement(input.sql)
    if (!sound.ok) return sound
    this.#running?.abort()
    const own = new AbortController()
    this.#running = own
    signal.addEventListener('abort', () => own.abort(), { once: true })
    if (signal.aborted) own.abort()
    return this.#inTurn(async (store) => {
      const stopper = new Stopper(store, own.signal, input.timeLimitMs)
      try {
        return await this.#read(store, input, stopper)
      } finally {
        stopper.end()
      }
    })
  }

  /** Further rows of the answer given last. Errors: `query/bad_argument`. */
  rows({ answerId, offset }: CheckedInput<'sql.rows'>): Result<EngineOutput<'sql.rows'>> {
    if (answerId !== this.#held.answerId) return fail('query/bad_argument', 'The answer is no longer held.')
    return ok({ rows: pageFrom(this.#held.rows, offset) })
  }

  /** The relations of the capture. Errors: those of the store. */
  schema(kind: CaptureKind): Promise<Result<{ relations: SqlRelation[] }>> {
    return this.#inTurn((store) => relationsOf(store, kind))
  }

  /** Stops what runs and closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#running?.abort()
    await this.#last
    await this.#store?.close()
    this.#held = { answerId: 0, rows: [] }
  }

  #inTurn<T>(work: (store: IndexStore) => Promise<Result<T>>): Promise<Result<T>> {
    const turn = this.#last.then(async () => {
      const store = await this.#connected()
      return store.ok ? work(store.value) : store
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #connected(): Promise<Result<IndexStore>> {
    if (this.#isClosed) return fail('query/cancelled', 'The capture was closed.')
    if (this.#store) return ok(this.#store)
    const opened = await this.#connect()
    if (opened.ok) this.#store = opened.value
    return opened
  }

  async #read(store: IndexStore, { sql, limit }: CheckedInput<'sql.run'>, stopper: Stopper): Promise<Result<EngineOutput<'sql.run'>>> {
    const stopped = stopper.reason()
    if (stopped) return stopped
    const failed = (error: Parameters<typeof withReason>[0]) => stopper.reason() ?? { ok: false as const, error: withReason(error, sql) }
    const answer = await answerOf(store, sql, maxTextLength)
    if (!answer.ok) return failed(answer.error)
    const { columns, rows } = answer.value
    const held: Cells[] = []
    let [bytes, more]: [number, 'rows' | 'bytes' | null] = [0, null]
    for await (const row of rows) {
      if (!row.ok) return failed(row.error)
      const reason = stopper.reason()
      if (reason) return reason
      if (held.length === limit || bytes > answerBytes) {
        more = held.length === limit ? 'rows' : 'bytes'
        break
      }
      const cells = row.value.map(shownCell)
      bytes += sizeOf(cells)
      held.push(cells)
    }
    this.#held = { answerId: this.#held.answerId + 1, rows: held }
    const first = { answerId: this.#held.answerId, columns: [...columns], rows: pageFrom(held, 0) }
    return ok({ ...first, rowCount: held.length, more, elapsedMs: stopper.elapsedMs })
  }
}

function shownCell(value: CellValue): SqlCell {
  if (typeof value === 'bigint') return { kind: 'number', text: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { kind: 'number', text: value > 0 ? 'Infinity' : '-Infinity' }
  if (value instanceof Uint8Array) return { kind: 'blob', bytes: value.length }
  if (typeof value !== 'object' || value === null) return value
  return value.kind === 'blob' ? { kind: 'blob', bytes: value.length } : { kind: 'text', text: value.text, length: value.length }
}

const cellBytes = 16

/** Bytes that a row takes, roughly. */
const sizeOf = (cells: Cells): number =>
  cells.reduce<number>(
    (sum, cell) =>
      sum +
      cellBytes +
      (typeof cell === 'string' ? cell.length : typeof cell === 'object' && cell && 'text' in cell ? cell.text.length : 0),
    cellBytes,
  )

/** Rows from there on, as many as a message takes; at least one where there are any. */
function pageFrom(rows: readonly Cells[], offset: number): Cells[] {
  let end = offset
  for (let bytes = 0; end < rows.length && (end === offset || bytes < pageBytes); end++) bytes += sizeOf(rows[end] ?? [])
  return rows.slice(offset, end)
}
