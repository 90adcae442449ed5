// One opened capture: its connection, its summary, and a queue that runs one question at a time so that a cancel hits the right one.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, type Result } from '../../preload/contract/errors.ts'
import type { IndexStore } from './index-store.ts'
import { StackTitles } from './queries/stack-titles.ts'

export class OpenCapture {
  readonly store: IndexStore
  readonly summary: CaptureSummary
  readonly indexPath: string
  readonly titles: StackTitles
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: IndexStore, summary: CaptureSummary, indexPath: string) {
    this.store = store
    this.summary = summary
    this.indexPath = indexPath
    this.titles = new StackTitles(store)
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

  /** Interrupts what runs and closes the connection. */
  async close(): Promise<void> {
    this.store.interrupt()
    await this.store.close()
  }
}
