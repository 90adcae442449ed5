// The window's line to the engine: one call at a time per key (latest wins), cancel by id, answers checked against the contract.
import type { LoadProgress } from '../../preload/contract/capture.ts'
import { type Failure, fail, type Result } from '../../preload/contract/errors.ts'
import { fromEngineSchema, type ToEngine } from '../../preload/contract/port.ts'
import { type EngineInput, type EngineMethod, type EngineOutput, engineMethods } from '../../preload/contract/queries.ts'

interface Waiting {
  readonly method: EngineMethod
  readonly settle: (result: Result<unknown>) => void
  readonly onProgress: ((progress: LoadProgress) => void) | undefined
  readonly sinceMs: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: LoadProgress) => void
}

/** A question that is out for this long is one that the user waits for. */
const slowMs = 1000

const cancelled: Failure = { code: 'query/cancelled', message: 'The question was superseded.' }

export class EngineClient {
  #port: MessagePort | undefined
  #nextId = 1
  readonly #waiting = new Map<number, Waiting>()
  readonly #unsent: ToEngine[] = []
  readonly #latest = new Map<string, AbortController>()
  #gone: string | undefined // why no engine follows by itself
  readonly #slowListeners = new Set<() => void>()
  #isSlow = false
  #watch: ReturnType<typeof setTimeout> | undefined

  /** Takes the port of a fresh engine. Calls that waited for an older engine are answered `engine/crashed`. */
  connect(port: MessagePort): void {
    this.disconnect('The analysis process was restarted.')
    this.#gone = undefined
    this.#port = port
    port.onmessage = (event) => this.#receive(event.data)
    for (const message of this.#unsent.splice(0)) this.#post(message)
  }

  /** Answers every call in flight with `engine/crashed`; later calls wait for the next port. */
  disconnect(reason: string): void {
    if (!this.#port) return
    this.#port.close()
    this.#port = undefined
    this.#failWaiting(reason)
  }

  /** No engine follows by itself: every call, also those not sent yet and those to come, is answered `engine/crashed` at once. */
  giveUp(reason: string): void {
    this.disconnect(reason)
    this.#gone = reason
    this.#unsent.length = 0
    this.#failWaiting(reason)
  }

  /** Another engine was asked for: calls wait for its port again. */
  expectAnother(): void {
    this.#gone = undefined
  }

  /** True after `giveUp`, until another engine is expected or there. */
  get isGone(): boolean {
    return this.#gone !== undefined
  }

  /** Asks one question. Never throws; an aborted signal cancels in the engine and answers `query/cancelled`. */
  call<M extends EngineMethod>(method: M, input: EngineInput<M>, options: CallOptions = {}): Promise<Result<EngineOutput<M>>> {
    const { signal, onProgress } = options
    if (signal?.aborted) return Promise.resolve({ ok: false, error: cancelled })
    if (this.#gone !== undefined) return Promise.resolve(fail('engine/crashed', this.#gone))
    const id = this.#nextId++
    return new Promise((resolve) => {
      const abort = () => {
        this.#post({ type: 'cancel', id })
        this.#settle(id, { ok: false, error: cancelled })
      }
      const settle = (result: Result<unknown>) => {
        signal?.removeEventListener('abort', abort)
        resolve(result as Result<EngineOutput<M>>)
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.set(id, { method, settle, onProgress, sinceMs: performance.now() })
      this.#watchSlowness()
      this.#post({ type: 'call', id, method, input })
    })
  }

  /** As `call`, but a newer call with the same key cancels the older one. */
  latest<M extends EngineMethod>(key: string, method: M, input: EngineInput<M>): Promise<Result<EngineOutput<M>>> {
    this.#latest.get(key)?.abort()
    const controller = new AbortController()
    this.#latest.set(key, controller)
    return this.call(method, input, { signal: controller.signal })
  }

  /** True while a question is unanswered (tests wait for idleness). */
  get busy(): boolean {
    return this.#waiting.size > 0
  }

  /** True while a question is out for more than a second; loads, which tell their progress, do not count. */
  readonly isSlow = (): boolean => this.#isSlow

  /** Calls back when `isSlow` changes; answers how to stop that. */
  readonly onSlowness = (listener: () => void): (() => void) => {
    this.#slowListeners.add(listener)
    return () => this.#slowListeners.delete(listener)
  }

  /** Looks again when the oldest question would be slow, and while one is. */
  #watchSlowness(): void {
    if (this.#watch !== undefined) return
    const asked = [...this.#waiting.values()].filter(({ onProgress }) => !onProgress)
    const agesMs = asked.map(({ sinceMs }) => performance.now() - sinceMs)
    const oldestMs = Math.max(0, ...agesMs)
    const isSlow = oldestMs >= slowMs
    if (isSlow !== this.#isSlow) {
      this.#isSlow = isSlow
      for (const listener of this.#slowListeners) listener()
    }
    if (asked.length === 0) return
    this.#watch = setTimeout(
      () => {
        this.#watch = undefined
        this.#watchSlowness()
      },
      isSlow ? slowMs / 5 : slowMs - oldestMs,
    )
  }

  #failWaiting(reason: string): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const each of waiting) each.settle(fail('engine/crashed', reason))
  }

  #post(message: ToEngine): void {
    if (this.#port) this.#port.postMessage(message)
    else this.#unsent.push(message)
  }

  #settle(id: number, result: Result<unknown>): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id)
    waiting.settle(result)
  }

  #receive(data: unknown): void {
    const parsed = fromEngineSchema.safeParse(data)
    if (!parsed.success) return
    const message = parsed.data
    if (message.type === 'progress') this.#waiting.get(message.progress.requestId)?.onProgress?.(message.progress)
    else if (message.type === 'failure') this.#settle(message.id, { ok: false, error: message.error })
    else if (message.type === 'answer') this.#answer(message.id, message.value)
  }

  #answer(id: number, value: unknown): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    const checked = engineMethods[waiting.method].output.safeParse(value)
    this.#settle(
      id,
      checked.success ? { ok: true, value: checked.data } : fail('engine/internal', `${waiting.method}: ${checked.error.message}`),
    )
  }
}

export const engine = new EngineClient()
