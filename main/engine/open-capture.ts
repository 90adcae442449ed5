// One opened capture: its connection, its summary, and a queue that runs one question at a time so that a cancel hits the right one.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { CategoryRuleSet } from './category-rules.ts'
import type { IndexStore } from './index-store.ts'
import { StackTitles } from './queries/stack-titles.ts'
import { TraceLanes } from './queries/trace-lanes.ts'
import { SqlConsole } from './sql/console.ts'
import type { TemplateFiles } from './templates/template-files.ts'
import type { TraceSource } from './trace-source.ts'

interface From {
  readonly path: string
  readonly indexPath: string
  readonly source: TraceSource | null
  readonly connect: () => Promise<Result<IndexStore>>
  readonly rules: CategoryRuleSet
  readonly templates: TemplateFiles
}

export class OpenCapture {
  readonly store: IndexStore
  readonly summary: CaptureSummary
  /** The file that was opened. */
  readonly path: string
  readonly indexPath: string
  /** The file that a trace's index was made from, where it is known: what the index leaves out is read there. */
  readonly source: TraceSource | null
  readonly rules: CategoryRuleSet
  readonly templates: TemplateFiles
  readonly titles: StackTitles
  /** Opens a further connection on which nothing but reading is possible; the caller closes it. */
  readonly connect: () => Promise<Result<IndexStore>>
  readonly console: SqlConsole
  readonly #closing = new AbortController()
  #lanes: TraceLanes | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: IndexStore, summary: CaptureSummary, from: From) {
    this.store = store
    this.summary = summary
    this.path = from.path
    this.indexPath = from.indexPath
    this.source = from.source
    this.rules = from.rules
    this.templates = from.templates
    this.titles = new StackTitles(store, summary.kind)
    this.connect = from.connect
    this.console = new SqlConsole(from.connect)
  }

  /** The lanes of a trace, read when first asked for. Errors: as the store. */
  async lanes(): Promise<Result<TraceLanes>> {
    if (this.#lanes) return ok(this.#lanes)
    const read = await TraceLanes.read(this.store)
    if (read.ok) this.#lanes = read.value
    return read
  }

  /**
   * Runs `question` when those asked before are done. An aborted signal drops it while it waits and interrupts it while it runs; either way the
   * answer is `query/cancelled`.
   */
  ask<T>(signal: AbortSignal, question: () => Promise<Result<T>>): Promise<Result<T>> {
    const turn = this.#last.then(() => this.#run(signal, question))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #run<T>(signal: AbortSignal, question: () => Promise<Result<T>>): Promise<Result<T>> {
    if (signal.aborted) return fail('query/cancelled', 'The question was withdrawn.')
    const interrupt = () => this.store.interrupt()
    signal.addEventListener('abort', interrupt, { once: true })
    try {
      return await question()
    } finally {
      signal.removeEventListener('abort', interrupt)
    }
  }

  /** Aborted when the capture is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  /** Interrupts what runs and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.store.interrupt()
    await Promise.all([this.store.close(), this.console.close()])
  }
}
