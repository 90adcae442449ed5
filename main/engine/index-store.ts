// The only user of the SQLite driver: open, exec, all, get, blob, interrupt, close. Failures are values; what the native library reports as
// `tidemark:{json}` comes back with its code.
import sqlite3 from 'sqlite3'
import { type ErrorCode, type Failure, failureSchema, ok, type Result } from '../../preload/contract/errors.ts'

/** A bigint is left out on purpose: the driver would bind it as NULL without a word. Numbers must be below 2^53. */
export type SqlParameter = string | number | null | Uint8Array
export type SqlValue = string | number | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/**
 * read: read-only. foreign: the same for an index that others made, whose statements end after a while. write: a fresh index, not safe against
 * crashes (it is renamed when complete). lock: plain file lock.
 */
export type StoreMode = 'read' | 'foreign' | 'write' | 'lock'

/** An index made to hang must not hold its window up; an honest one answers far sooner, from a slow disk too. */
const foreignDeadlineMs = 15_000

/** The largest picture, 16,384 × 16,384 cells, and its header; a longer text comes from a hostile index and would not fit a JavaScript string. */
const longestValueBytes = 300 * 1024 ** 2

/** What a user's statement may make of a value, and compare texts with: neither can be interrupted while it is made. */
const longestUserValueBytes = 64 * 1024 ** 2
const longestUserPattern = 256

const openFlags: Record<StoreMode, number> = {
  read: sqlite3.OPEN_READONLY,
  foreign: sqlite3.OPEN_READONLY,
  write: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
  lock: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
}

// Memory-mapped, a file that is cut while it is open would end the process with SIGBUS; reads fail with a code and are as fast.
const readPragmas = 'PRAGMA mmap_size=0;'

const pragmas: Record<StoreMode, string> = {
  read: readPragmas,
  foreign: readPragmas,
  write: 'PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;',
  // Nothing here may touch the file: it could be locked already.
  lock: 'PRAGMA busy_timeout=0;',
}

const codeBySqlite: Readonly<Record<string, { readonly read: ErrorCode; readonly write: ErrorCode }>> = {
  SQLITE_NOMEM: { read: 'engine/out_of_memory', write: 'engine/out_of_memory' },
  SQLITE_FULL: { read: 'index/disk_full', write: 'index/disk_full' },
  SQLITE_INTERRUPT: { read: 'query/cancelled', write: 'query/cancelled' },
  SQLITE_CANTOPEN: { read: 'file/unreadable', write: 'index/write_failed' },
  SQLITE_IOERR: { read: 'file/unreadable', write: 'index/write_failed' },
  SQLITE_READONLY: { read: 'query/failed', write: 'index/write_failed' },
  SQLITE_CORRUPT: { read: 'index/not_an_index', write: 'index/write_failed' },
  SQLITE_NOTADB: { read: 'index/not_an_index', write: 'index/write_failed' },
}

const nativePrefix = 'tidemark:'

const isReading = (mode: StoreMode): boolean => mode === 'read' || mode === 'foreign'

function failureOf(error: Error, mode: StoreMode): Failure {
  const at = error.message.indexOf(`${nativePrefix}{`)
  if (at >= 0) {
    const decoded = decodeNative(error.message.slice(at + nativePrefix.length))
    if (decoded) return decoded
  }
  const sqlite = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = codeBySqlite[sqlite]
  const code = known ? known[isReading(mode) ? 'read' : 'write'] : isReading(mode) ? 'query/failed' : 'engine/internal'
  return { code, message: error.message }
}

function decodeNative(json: string): Failure | undefined {
  try {
    const { code, message, offset } = failureSchema.parse(JSON.parse(json))
    return offset === undefined || offset < 0 ? { code, message } : { code, message, offset }
  } catch {
    return undefined
  }
}

type Callback<T> = (error: Error | null, value?: T) => void

export class IndexStore {
  readonly mode: StoreMode
  readonly #db: sqlite3.Database
  #isOpen = true

  private constructor(db: sqlite3.Database, mode: StoreMode) {
    this.#db = db
    this.mode = mode
  }

  /**
   * Opens a database file; with `extension` the native library is loaded into the connection, and attaching others is refused.
   * Errors: `file/unreadable`, `index/not_an_index` (read), `index/write_failed`, `index/disk_full` (write, lock).
   */
  static async open(path: string, mode: StoreMode, extension?: string): Promise<Result<IndexStore>> {
    const opened = await new Promise<Result<sqlite3.Database>>((resolve) => {
      const db: sqlite3.Database = new sqlite3.Database(path, openFlags[mode], (error) =>
        resolve(error ? { ok: false, error: failureOf(error, mode) } : ok(db)),
      )
    })
    if (!opened.ok) return opened
    const store = new IndexStore(opened.value, mode)
    const ready = await store.#prepare(extension)
    if (ready.ok) return ok(store)
    await store.close()
    return ready
  }

  async #prepare(extension: string | undefined): Promise<Result<void>> {
    const set = await this.exec(pragmas[this.mode])
    if (isReading(this.mode)) this.#db.configure('limit', sqlite3.LIMIT_LENGTH, longestValueBytes)
    if (!set.ok || extension === undefined) return set
    const loaded = await this.#settle<void>((done) => this.#db.loadExtension(extension, done))
    if (loaded.ok) this.#db.configure('limit', sqlite3.LIMIT_ATTACHED, 0)
    return loaded
  }

  /** From now on statements can only read, and values are kept small: for those of a user. There is no way back. */
  async restrict(): Promise<Result<unknown>> {
    this.#db.configure('limit', sqlite3.LIMIT_LENGTH, longestUserValueBytes)
    this.#db.configure('limit', sqlite3.LIMIT_LIKE_PATTERN_LENGTH, longestUserPattern)
    return this.get('SELECT reading_only()')
  }

  /** Runs statements without answers. */
  exec(sql: string): Promise<Result<void>> {
    return this.#settle((done) => this.#db.exec(sql, done))
  }

  /** All rows of one statement. Integers above 2^53 lose digits: cast such columns to text. */
  async all(sql: string, parameters: readonly SqlParameter[] = []): Promise<Result<SqlRow[]>> {
    const rows = await this.#settle<SqlRow[]>((done) => this.#db.all<SqlRow>(sql, parameters, done))
    return rows.ok ? ok(rows.value ?? []) : rows
  }

  /** The first row of one statement, undefined without one. */
  get(sql: string, parameters: readonly SqlParameter[] = []): Promise<Result<SqlRow | undefined>> {
    return this.#settle<SqlRow | undefined>((done) => this.#db.get<SqlRow>(sql, parameters, done))
  }

  /** The single BLOB that `SELECT f(…) AS value` answers with. Errors: as the function reports, `query/failed` when it is no BLOB. */
  async blob(sql: string, parameters: readonly SqlParameter[] = []): Promise<Result<Uint8Array>> {
    const row = await this.get(sql, parameters)
    if (!row.ok) return row
    const value = row.value ? Object.values(row.value)[0] : undefined
    if (value instanceof Uint8Array) return ok(value)
    return { ok: false, error: { code: 'query/failed', message: `No data came back from: ${sql}` } }
  }

  /** Stops the statement that runs now (it fails with `query/cancelled`); without one nothing happens. */
  interrupt(): void {
    if (this.#isOpen) this.#db.interrupt()
  }

  /** Waits for what was asked before, then closes. */
  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await new Promise<void>((resolve) => this.#db.close(() => resolve()))
  }

  /**
   * The rows of one statement one by one, so that the first come at once and memory does not grow with the answer. A failure is the last item.
   */
  async *rows(sql: string): AsyncGenerator<Result<SqlRow>> {
    let statement: sqlite3.Statement | undefined
    const prepared = await this.#settle<void>((done) => {
      statement = this.#db.prepare(sql, done)
    })
    if (!prepared.ok) return yield prepared
    try {
      for (;;) {
        const row = await this.#settle<SqlRow | undefined>((done) => statement?.get<SqlRow>(done))
        if (row.ok && row.value === undefined) return
        yield row as Result<SqlRow>
        if (!row.ok) return
      }
    } finally {
      await new Promise((resolve) => statement?.finalize(resolve))
    }
  }

  async #settle<T>(start: (done: Callback<T>) => unknown): Promise<Result<T>> {
    if (!this.#isOpen) return { ok: false, error: { code: 'query/cancelled', message: 'The capture was closed.' } }
    let isLate = false
    const onDeadline = () => {
      isLate = true
      this.interrupt()
    }
    const timer = this.mode === 'foreign' ? setTimeout(onDeadline, foreignDeadlineMs) : undefined
    const settled = await new Promise<Result<T>>((resolve) => {
      start((error, value) => resolve(error ? { ok: false, error: failureOf(error, this.mode) } : ok(value as T)))
    })
    clearTimeout(timer)
    if (settled.ok || !isLate) return settled
    return { ok: false, error: { code: 'query/failed', message: `The index did not answer within ${foreignDeadlineMs / 1000} s.` } }
  }
}
