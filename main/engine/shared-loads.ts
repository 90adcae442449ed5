// Loads of the same thing at the same time within one process are one load, heard by all who asked; it stops when the last of them cancels.
import { fail, type Result } from '../../preload/contract/errors.ts'
import type { StageProgress } from './jobs.ts'

export interface LoadListener {
  readonly signal: AbortSignal
  readonly onProgress: (progress: StageProgress) => void
  /** The load waits for another process that loads the same file. */
  readonly onWait?: () => void
}

interface RunningLoad<T> {
  readonly result: Promise<Result<T>>
  readonly listeners: Set<LoadListener>
  readonly controller: AbortController
}

export class SharedLoads<T> {
  readonly #running = new Map<string, RunningLoad<T>>()

  /**
   * Joins the running load of `key` or starts it. An aborted signal answers `query/cancelled`: at once while others still wait, else when the
   * load has stopped and cleaned up.
   */
  async join(key: string, listener: LoadListener, start: (shared: LoadListener) => Promise<Result<T>>): Promise<Result<T>> {
    const cancelled = fail('query/cancelled', 'The load was cancelled.')
    if (listener.signal.aborted) return cancelled
    const load = this.#running.get(key) ?? this.#start(key, start)
    load.listeners.add(listener)
    let onAbort: () => void = () => undefined
    const left = new Promise<Result<T>>((resolve) => {
      onAbort = () => {
        load.listeners.delete(listener)
        if (load.listeners.size > 0) return resolve(cancelled)
        this.#forget(key, load)
        load.controller.abort()
      }
      listener.signal.addEventListener('abort', onAbort, { once: true })
    })
    try {
      return await Promise.race([load.result, left])
    } finally {
      listener.signal.removeEventListener('abort', onAbort)
      load.listeners.delete(listener)
    }
  }

  #start(key: string, start: (shared: LoadListener) => Promise<Result<T>>): RunningLoad<T> {
    const controller = new AbortController()
    const listeners = new Set<LoadListener>()
    const onProgress = (progress: StageProgress) => {
      for (const each of listeners) each.onProgress(progress)
    }
    const onWait = () => {
      for (const each of listeners) each.onWait?.()
    }
    const result = start({ signal: controller.signal, onProgress, onWait })
    const load = { result, listeners, controller }
    this.#running.set(key, load)
    result.finally(() => this.#forget(key, load)).catch(() => undefined)
    return load
  }

  /** A stopping load takes no new listeners: whoever comes now starts afresh. */
  #forget(key: string, load: RunningLoad<T>): void {
    if (this.#running.get(key) === load) this.#running.delete(key)
  }
}
