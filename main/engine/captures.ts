// The captures that are open in this engine, by the id that their questions carry.
import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { TraceTable } from '../../preload/contract/queries.ts'
import type { CacheFolder } from './cache-folder.ts'
import { CategoryRuleFiles, type CategoryRuleSet } from './category-rules.ts'
import { type FoundIndex, IndexBuilder, type LoadOptions } from './index-builder.ts'
import type { IndexStore } from './index-store.ts'
import { Joins } from './joins.ts'
import { type LiveCsvRequest, writeLiveCsv } from './live-csv.ts'
import type { NativeLibrary } from './native-library.ts'
import { OpenCapture } from './open-capture.ts'
import { summarise } from './queries/summary.ts'
import { openReadingOnly } from './sql/connection.ts'
import { writeSqlCsv } from './sql/csv.ts'
import { TemplateFiles } from './templates/template-files.ts'
import { writeTraceCsv } from './trace-csv.ts'
import { connectSource } from './trace-source.ts'

export class Captures {
  readonly library: NativeLibrary
  readonly #cache: CacheFolder
  readonly #ruleFiles: CategoryRuleFiles
  readonly #templates: TemplateFiles
  readonly #open = new Map<string, OpenCapture>()
  readonly indexes: IndexBuilder
  readonly joins = new Joins((captureId) => this.#open.has(captureId))

  /** ruleFiles: those of categories; templates: those of hot spots; only ours unless given. */
  constructor(library: NativeLibrary, cache: CacheFolder, ruleFiles = new CategoryRuleFiles(), templates = new TemplateFiles()) {
    this.library = library
    this.#cache = cache
    this.#ruleFiles = ruleFiles
    this.#templates = templates
    this.indexes = new IndexBuilder(library, cache, () => [...this.#open.values()].map((capture) => capture.indexPath))
  }

  /**
   * Opens a capture or an index file and answers what it holds. An index in the cache that proves damaged is built anew.
   * Errors: `file/*`, `snapshot/*`, `trace/*`, `index/*`, `categories/broken_rules`, `query/cancelled`.
   */
  async open(path: string, options: LoadOptions): Promise<Result<CaptureSummary>> {
    const index = await this.indexes.find(path, options)
    if (!index.ok) return index
    const opened = await this.#take(index.value, path)
    const isDamaged = !opened.ok && opened.error.code === 'index/not_an_index' && index.value.path !== path
    if (!isDamaged) return opened
    const rebuilt = await this.indexes.find(path, { ...options, rebuild: true })
    return rebuilt.ok ? this.#take(rebuilt.value, path) : rebuilt
  }

  /** An opened capture. Errors: `query/unknown_capture`. */
  get(captureId: string): Result<OpenCapture> {
    const capture = this.#open.get(captureId)
    return capture ? ok(capture) : fail('query/unknown_capture', `No capture ${captureId} is open.`)
  }

  /** Asks one question of a file, which is open only meanwhile. Errors: as `open`, those of the question. */
  async askOnce<T>(path: string, options: LoadOptions, question: (capture: OpenCapture) => Promise<Result<T>>): Promise<Result<T>> {
    const opened = await this.open(path, options)
    if (!opened.ok) return opened
    const { captureId } = opened.value
    try {
      const capture = this.get(captureId)
      return capture.ok ? await capture.value.ask(options.signal, () => question(capture.value)) : capture
    } finally {
      await this.close(captureId)
    }
  }

  /** Frees what an opened capture holds; its index stays in the cache. Closing an unknown one is no failure. */
  async close(captureId: string): Promise<void> {
    const capture = this.#open.get(captureId)
    this.#open.delete(captureId)
    this.joins.forget(captureId)
    await capture?.close()
  }

  /** Closes all captures. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((captureId) => this.close(captureId)))
  }

  /** Writes the allocations alive after an event, or another table, as CSV. Errors: `query/unknown_capture`, `export/write_failed`. */
  async writeLiveCsv(captureId: string, request: LiveCsvRequest): Promise<Result<void>> {
    const capture = this.get(captureId)
    return capture.ok ? writeLiveCsv(this.library, capture.value, request) : capture
  }

  /** Writes a table of a trace as CSV. Errors: `query/unknown_capture`, `query/bad_argument`, `export/write_failed`. */
  async writeTraceCsv(captureId: string, table: TraceTable, path: string): Promise<Result<void>> {
    const capture = this.get(captureId)
    return capture.ok ? writeTraceCsv(this.library, capture.value, table, path) : capture
  }

  /** Writes all rows of a statement as CSV. Errors: `query/unknown_capture`, `query/*` of the statement, `export/write_failed`. */
  async writeSqlCsv(captureId: string, sql: string, path: string): Promise<Result<void>> {
    const capture = this.get(captureId)
    return capture.ok ? writeSqlCsv(capture.value, sql, path) : capture
  }

  /** Takes an index out of the cache whose damage a question met, so that the next opening builds it anew. A user's own file is left alone. */
  async discardDamaged(capture: OpenCapture): Promise<void> {
    if (capture.indexPath === this.#cache.indexPath(capture.summary.fingerprint))
      await rm(capture.indexPath, { force: true }).catch(() => undefined)
  }

  /** Makes an open capture of an index; closes its connection when it cannot be read. */
  async #take(index: FoundIndex, path: string): Promise<Result<CaptureSummary>> {
    const { store } = index
    const captureId = randomUUID()
    const indexBytes = await stat(index.path).then(
      (found) => found.size,
      () => 0,
    )
    const summary = await summarise(store, { captureId, fromCache: index.fromCache, indexBytes })
    const rules = summary.ok ? await this.#rulesFor(store) : summary
    if (summary.ok && rules.ok) {
      const source = await connectSource(store, index)
      const connect = () => openReadingOnly(this.library, index, rules.value)
      const from = { path, indexPath: index.path, source, connect, rules: rules.value, templates: this.#templates }
      this.#open.set(captureId, new OpenCapture(store, summary.value, from))
      return summary
    }
    await store.close()
    return rules.ok ? summary : rules
  }

  async #rulesFor(store: IndexStore): Promise<Result<CategoryRuleSet>> {
    const rules = await this.#ruleFiles.read()
    if (!rules.ok) return rules
    const applied = await rules.value.applyTo(store)
    return applied.ok ? rules : applied
  }
}
