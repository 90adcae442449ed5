// Questions to an index one after the other; the first that fails decides the answer.
import { type Failure, ok, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore, SqlParameter, SqlRow } from '../index-store.ts'

export class Reading {
  readonly #store: IndexStore
  #failure: Failure | null = null

  constructor(store: IndexStore) {
    this.#store = store
  }

  /** All rows; none after a failure. */
  async rows(sql: string, parameters: readonly SqlParameter[] = []): Promise<SqlRow[]> {
    if (this.#failure) return []
    const rows = await this.#store.all(sql, parameters)
    if (rows.ok) return rows.value
    this.#failure = rows.error
    return []
  }

  async row(sql: string, parameters: readonly SqlParameter[] = []): Promise<SqlRow | undefined> {
    return (await this.rows(sql, parameters))[0]
  }

  /** The JSON of the column `value` of the first row; null without one. Its shape is that of the library's documentation. */
  async json<T>(sql: string, parameters: readonly SqlParameter[]): Promise<T | null> {
    const row = await this.row(sql, parameters)
    return typeof row?.value === 'string' ? (JSON.parse(row.value) as T) : null
  }

  /** The texts of stacks, each at most 20,000 characters. */
  async stackTexts(ids: readonly number[]): Promise<Map<number, string>> {
    const known = ids.filter((id) => id >= 0)
    if (known.length === 0) return new Map()
    const rows = await this.rows(`SELECT stack_id, substr(text, 1, 20000) AS text FROM stack WHERE stack_id IN (${known.join(', ')})`)
    return new Map(rows.map((row) => [Number(row.stack_id), String(row.text ?? '')]))
  }

  /** What `make` makes of the answers. Errors: the first failure of a question. */
  answer<T>(make: () => T): Result<T> {
    return this.#failure ? { ok: false, error: this.#failure } : ok(make())
  }
}
