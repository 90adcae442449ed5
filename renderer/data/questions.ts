// What a scene asks the engine: each kind of question has one in flight, and what changed meanwhile is asked when it returns, so that a
// long pan keeps getting pictures.
import type { StoreApi } from 'zustand/vanilla'
import type { Failure, Result } from '../../preload/contract/errors.ts'
import type { EngineInput, EngineMethod, EngineOutput } from '../../preload/contract/queries.ts'
import { engine } from './engine-client.ts'

/** One question at a time; of those that come meanwhile, the last. Equal questions are asked once. */
class Pump {
  #key = ''
  #running = false
  #next: (() => Promise<void>) | undefined

  push(key: string, job: () => Promise<void>): void {
    if (key === this.#key) return
    this.#key = key
    this.#next = job
    if (!this.#running) void this.#run()
  }

  /** The next question is asked even when it equals the last one. */
  forget(): void {
    this.#key = ''
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#next) {
      const job = this.#next
      this.#next = undefined
      await job()
    }
    this.#running = false
  }
}

/** What a store of answers has besides them: the last failure, until the same question is answered. */
export interface WithFailure {
  readonly failure: { readonly question: string; readonly error: Failure } | undefined
}

/** The questions that fill one store. */
export class Questions<T extends WithFailure> {
  readonly #store: StoreApi<T>
  readonly #pumps = new Map<string, Pump>()
  #stopped = false

  constructor(store: StoreApi<T>) {
    this.#store = store
  }

  /** Answers that come later are dropped. */
  stop(): void {
    this.#stopped = true
  }

  /** Does the job when the last one of that name is done, unless another comes first. `key` tells what is asked: an equal one is not asked again. */
  push(name: string, key: unknown, job: () => Promise<void>): void {
    this.#pump(name).push(JSON.stringify(key) ?? '', async () => {
      try {
        await job()
      } catch (error) {
        // A mistake in a job must not end the questions of its name.
        this.failed(name, { code: 'query/failed', message: String(error) })
        this.forget(name)
      }
    })
  }

  /** Asks the engine and keeps the answer. */
  async ask<M extends EngineMethod>(
    name: string,
    method: M,
    input: EngineInput<M>,
    keep: (value: EngineOutput<M>) => Partial<T>,
  ): Promise<void> {
    const answer: Result<EngineOutput<M>> = await engine.call(method, input)
    if (answer.ok) this.keep(name, keep(answer.value))
    else this.failed(name, answer.error)
  }

  keep(name: string, patch: Partial<T>): void {
    const { failure } = this.#store.getState()
    this.#set(failure?.question === name ? { ...patch, failure: undefined } : patch)
  }

  /** Shows a failure once: an equal question is asked again only when it was merely cancelled, else it would fail with every frame. */
  failed(name: string, error: Failure, patch: Partial<T> = {}): void {
    if (error.code === 'query/cancelled') this.forget(name)
    else this.#set({ ...patch, failure: { question: name, error } })
  }

  /** The next question of that name is asked even when it equals the last one. */
  forget(name: string): void {
    this.#pump(name).forget()
  }

  #pump(name: string): Pump {
    const pump = this.#pumps.get(name) ?? new Pump()
    this.#pumps.set(name, pump)
    return pump
  }

  #set(patch: Partial<T>): void {
    if (!this.#stopped) this.#store.setState(patch)
  }
}
