// Serves questions on a port: each call is checked against the contract, answered once, and cancelled by its id. The port may be Electron's,
// Node's or a test's.
import type { z } from 'zod'
import { type Failure, fail, ok, type Result } from '../../preload/contract/errors.ts'
import { type FromEngine, type ToEngine, toEngineSchema } from '../../preload/contract/port.ts'
import { type EngineMethod, engineMethods } from '../../preload/contract/queries.ts'
import type { Captures } from './captures.ts'
import { FailureSets } from './diagnosis/failure-sets.ts'
import { diagnosisHandlers, isDiagnosisMethod } from './diagnosis/handlers.ts'
import type { OpenCapture } from './open-capture.ts'
import { queryHandlers } from './queries/index.ts'
import { isJoinMethod, joinHandlers } from './queries/join.ts'
import type { CheckedInput, DiagnosisMethod, JoinMethod, QueryMethod, SqlMethod } from './queries/query.ts'
import { DamagedIndex } from './queries/row.ts'
import type { LoadListener } from './shared-loads.ts'
import { isSqlMethod, sqlHandlers } from './sql/handlers.ts'

/** The end of a message channel, whatever made it. */
export interface EnginePort {
  readonly send: (message: FromEngine) => void
  readonly onMessage: (listener: (data: unknown) => void) => void
  readonly onClose: (listener: () => void) => void
}

export interface ServerContext {
  readonly captures: Captures
  /** Path of a file that the user chose, by the token that the main process gave for it. */
  readonly pathOf: (token: string) => string | undefined
  /** A file that the window may open was found in a folder that the user chose; absent: only this port knows its token. */
  readonly onFound?: (token: string, path: string) => void
}

const isMethod = (method: string): method is EngineMethod => Object.hasOwn(engineMethods, method)
const isQuery = (method: EngineMethod): method is QueryMethod => Object.hasOwn(queryHandlers, method)

class PortServer {
  readonly #port: EnginePort
  readonly #context: ServerContext
  readonly #running = new Map<number, AbortController>()
  readonly #opened = new Set<string>()
  readonly #failures: FailureSets
  #isClosed = false

  constructor(port: EnginePort, context: ServerContext) {
    this.#port = port
    this.#context = context
    this.#failures = new FailureSets(context.captures, context.onFound)
    port.onMessage((data) => this.#receive(data))
    port.onClose(() => this.#close())
  }

  #receive(data: unknown): void {
    const parsed = toEngineSchema.safeParse(data)
    if (!parsed.success) return
    const message = parsed.data
    if (message.type === 'cancel') this.#running.get(message.id)?.abort()
    else void this.#call(message)
  }

  async #call({ id, method, input }: Extract<ToEngine, { type: 'call' }>): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    const result = await this.#answer(id, method, input, controller.signal).catch((error: unknown) => fault(method, error))
    this.#running.delete(id)
    const aborted: Failure = { code: 'query/cancelled', message: 'The question was withdrawn.' }
    if (controller.signal.aborted && !result.ok) this.#send({ type: 'failure', id, ok: false, error: aborted })
    else if (result.ok) this.#send({ type: 'answer', id, ok: true, value: result.value })
    else this.#send({ type: 'failure', id, ok: false, error: result.error })
  }

  async #answer(id: number, method: string, input: unknown, signal: AbortSignal): Promise<Result<unknown>> {
    if (!isMethod(method)) return fail('query/bad_argument', `There is no method ${method}.`)
    if (method === 'capture.open') return this.#open(id, input, signal)
    if (method === 'capture.close') return this.#closeCapture(input)
    if (isJoinMethod(method)) return this.#join(method, input, signal)
    if (isSqlMethod(method)) return this.#runSql(method, input, signal)
    if (isDiagnosisMethod(method)) return this.#diagnose(id, method, input, signal)
    return isQuery(method) ? this.#ask(method, input, signal) : fail('engine/internal', `${method} has no handler.`)
  }

  async #open(id: number, input: unknown, signal: AbortSignal): Promise<Result<unknown>> {
    const checked = check(engineMethods['capture.open'].input, input)
    if (!checked.ok) return checked
    const path = this.#pathOf(checked.value.token)
    if (path === undefined) return fail('file/not_found', 'This file was not chosen in this window.')
    const opened = await this.#context.captures.open(path, { ...this.#listener(id, signal), rebuild: checked.value.rebuild ?? false })
    if (!opened.ok) return opened
    const { captureId } = opened.value
    if (!signal.aborted && !this.#isClosed) {
      this.#opened.add(captureId)
      return opened
    }
    await this.#context.captures.close(captureId)
    return fail('query/cancelled', 'The load was cancelled.')
  }

  /** Files that the user chose, and those that a folder of failures holds. */
  readonly #pathOf = (token: string): string | undefined => this.#context.pathOf(token) ?? this.#failures.pathOf(token)

  #listener(id: number, signal: AbortSignal): LoadListener {
    return { signal, onProgress: (progress) => this.#send({ type: 'progress', progress: { requestId: id, ...progress } }) }
  }

  async #diagnose<M extends DiagnosisMethod>(id: number, method: M, input: unknown, signal: AbortSignal): Promise<Result<unknown>> {
    const schema = engineMethods[method].input as unknown as z.ZodType<CheckedInput<M>>
    const checked = check(schema, input)
    if (!checked.ok) return checked
    return diagnosisHandlers[method](
      {
        captures: this.#context.captures,
        failures: this.#failures,
        pathOf: this.#pathOf,
        ask: (capture, question) => this.#askCapture(capture, signal, question),
      },
      checked.value,
      this.#listener(id, signal),
    )
  }

  async #closeCapture(input: unknown): Promise<Result<unknown>> {
    const checked = check(engineMethods['capture.close'].input, input)
    if (!checked.ok) return checked
    this.#opened.delete(checked.value.captureId)
    await this.#context.captures.close(checked.value.captureId)
    return ok({})
  }

  async #ask<M extends QueryMethod>(method: M, input: unknown, signal: AbortSignal): Promise<Result<unknown>> {
    // The compiler does not see that the schema of M yields the input of M.
    const schema = engineMethods[method].input as unknown as z.ZodType<CheckedInput<M>>
    const checked = check(schema, input)
    if (!checked.ok) return checked
    const capture = this.#context.captures.get(checked.value.captureId)
    if (!capture.ok) return capture
    return this.#askCapture<unknown>(capture.value, signal, () => queryHandlers[method](capture.value, checked.value))
  }

  async #runSql<M extends SqlMethod>(method: M, input: unknown, signal: AbortSignal): Promise<Result<unknown>> {
    const schema = engineMethods[method].input as unknown as z.ZodType<CheckedInput<M>>
    const checked = check(schema, input)
    if (!checked.ok) return checked
    const capture = this.#context.captures.get(checked.value.captureId)
    return capture.ok ? sqlHandlers[method](capture.value, checked.value, signal) : capture
  }

  async #join<M extends JoinMethod>(method: M, input: unknown, signal: AbortSignal): Promise<Result<unknown>> {
    const schema = engineMethods[method].input as unknown as z.ZodType<CheckedInput<M>>
    const checked = check(schema, input)
    if (!checked.ok) return checked
    const { captures } = this.#context
    return joinHandlers[method](
      {
        joins: captures.joins,
        get: (captureId) => captures.get(captureId),
        openedHere: () => [...this.#opened],
        ask: (capture, question) => this.#askCapture(capture, signal, question),
      },
      checked.value,
    )
  }

  async #askCapture<T>(capture: OpenCapture, signal: AbortSignal, question: () => Promise<Result<T>>): Promise<Result<T>> {
    const answer = await capture.ask<T>(signal, () => question().catch(damage))
    if (!answer.ok && answer.error.code === 'index/not_an_index') await this.#context.captures.discardDamaged(capture)
    return answer
  }

  /** The window is gone: nobody waits for its loads, nobody can use its captures. */
  #close(): void {
    this.#isClosed = true
    for (const controller of this.#running.values()) controller.abort()
    for (const captureId of this.#opened) void this.#context.captures.close(captureId)
    this.#opened.clear()
  }

  #send(message: FromEngine): void {
    if (!this.#isClosed) this.#port.send(message)
  }
}

/** What a question threw when the index does not hold what it should; anything else is a fault of ours and thrown on. */
function damage(error: unknown): Result<never> {
  if (error instanceof DamagedIndex) return fail('index/not_an_index', error.message)
  throw error
}

const fault = (method: string, error: unknown): Result<never> =>
  fail('engine/internal', error instanceof Error ? `${method}: ${error.message}` : String(error))

function check<T>(schema: z.ZodType<T>, input: unknown): Result<T> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return fail('query/bad_argument', issue ? `${issue.path.join('.')}: ${issue.message}` : 'The question is malformed.')
}

/** Starts serving; ends when the port closes. */
export function servePort(port: EnginePort, context: ServerContext): void {
  new PortServer(port, context)
}
