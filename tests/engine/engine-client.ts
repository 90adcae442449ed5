// A window's side of the engine's port, over a MessageChannel of Node.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { CacheFolder } from '../../main/engine/cache-folder.ts'
import { Captures } from '../../main/engine/captures.ts'
import { loadNativeLibrary, type NativeLibrary } from '../../main/engine/native-library.ts'
import { servePort } from '../../main/engine/server.ts'
import type { CaptureSummary, LoadProgress } from '../../preload/contract/capture.ts'
import type { Result } from '../../preload/contract/errors.ts'
import { type FromEngine, fromEngineSchema, type ToEngine } from '../../preload/contract/port.ts'
import { type EngineInput, type EngineMethod, type EngineOutput, engineMethods } from '../../preload/contract/queries.ts'

/** The value of a result that must be one. */
export function expectValue<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(`${result.error.code}: ${result.error.message}`)
}

/** The code of a result that must be a failure. */
export const codeOf = (result: Result<unknown>): string => (result.ok ? 'no failure' : result.error.code)

export const nativeLibrary = (): NativeLibrary => expectValue(loadNativeLibrary())

/** Captures with a cache of their own. */
export const capturesIn = (folder: string, limitBytes = Number.MAX_SAFE_INTEGER): Captures =>
  new Captures(nativeLibrary(), new CacheFolder(folder, limitBytes))

/** Load options that listen to nothing. */
export const quietly = { signal: new AbortController().signal, onProgress: () => undefined }

export interface Call<M extends EngineMethod> {
  readonly id: number
  readonly answer: Promise<Result<EngineOutput<M>>>
}

export class EngineClient {
  readonly captures: Captures
  readonly received: FromEngine[] = []
  readonly progress: LoadProgress[] = []
  readonly #port: MessagePort
  readonly #waiting = new Map<number, (message: FromEngine) => void>()
  #lastId = 0

  /** files: paths by token. */
  constructor(captures: Captures, files: Readonly<Record<string, string>>) {
    this.captures = captures
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    servePort(
      {
        send: (message) => port2.postMessage(message),
        onMessage: (listener) => port2.on('message', listener),
        onClose: (listener) => port2.on('close', listener),
      },
      { captures, pathOf: (token) => files[token] },
    )
    port1.on('message', (data: unknown) => this.#receive(fromEngineSchema.parse(data)))
  }

  #receive(message: FromEngine): void {
    this.received.push(message)
    if (message.type === 'progress') this.progress.push(message.progress)
    else this.#waiting.get(message.id)?.(message)
  }

  /** Posts anything, as a faulty window would. */
  post(message: unknown): void {
    this.#port.postMessage(message)
  }

  /** Asks without checking the input; checks the answer against the contract. */
  ask<M extends EngineMethod>(method: M, input: unknown): Call<M> {
    const id = ++this.#lastId
    const answer = new Promise<Result<EngineOutput<M>>>((resolve) => {
      this.#waiting.set(id, (message) => {
        if (message.type === 'failure') resolve({ ok: false, error: message.error })
        if (message.type === 'answer') resolve({ ok: true, value: engineMethods[method].output.parse(message.value) as EngineOutput<M> })
      })
    })
    const call: ToEngine = { type: 'call', id, method, input }
    this.post(call)
    return { id, answer }
  }

  /** Asks and expects a value. */
  async value<M extends EngineMethod>(method: M, input: EngineInput<M>): Promise<EngineOutput<M>> {
    return expectValue(await this.ask(method, input).answer)
  }

  cancel(id: number): void {
    this.post({ type: 'cancel', id })
  }

  open(token: string): Promise<CaptureSummary> {
    return this.value('capture.open', { token })
  }

  async close(): Promise<void> {
    this.#port.close()
    await this.captures.closeAll()
  }
}
