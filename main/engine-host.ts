// Starts the engine process, watches it, starts it again when it dies, and hands its ports to the window.
import { app, MessageChannelMain, type UtilityProcess, utilityProcess, type WebContents } from 'electron'
import { type EngineToMain, engineToMainSchema, type MainToEngine } from '../preload/contract/engine-line.ts'
import { fail, ok, type Result } from '../preload/contract/errors.ts'
import type { TraceTable } from '../preload/contract/queries.ts'
import { restartDelay } from './restart-delay.ts'

const serviceName = 'tidemark-engine'
/** An engine that lived this long is well: an earlier crash no longer counts. */
const healthyAfterMs = 60_000
/** Shorter than the first restart delay: the window hears of the end before it gets the next port. */
const reasonDelayMs = 50

export interface EngineStop {
  readonly reason: string
  /** A new one follows by itself; else (it keeps failing, or cannot work at all) only after `restart`. */
  readonly restarts: boolean
}

export interface EngineEvents {
  /** The engine is up: time to connect the window. */
  readonly onUp: () => void
  /** It stopped. */
  readonly onStopped: (stop: EngineStop) => void
}

export interface LiveCsvOrder {
  readonly captureId: string
  readonly device: number
  readonly event: number | null // null = all of the history
  readonly filter: string
  readonly path: string
}

export interface TraceCsvOrder {
  readonly captureId: string
  readonly table: TraceTable
  readonly path: string
}

export interface SqlCsvOrder {
  readonly captureId: string
  readonly sql: string
  readonly path: string
}

export class EngineHost {
  readonly #entry: string
  readonly #events: EngineEvents
  readonly #grants = new Map<string, string>()
  readonly #waiting = new Map<number, (result: Result<void>) => void>()
  #process: UtilityProcess | undefined
  /** The process said that it serves; before that a window gets no port, or it would get a second one. */
  #isUp = false
  #goneReason: string | undefined
  #unable: string | undefined
  #lastStop: EngineStop | undefined
  #crashes = 0
  #startedAtMs = 0
  #lastId = 0
  #restartTimer: NodeJS.Timeout | undefined

  /** entry: script of the engine process. */
  constructor(entry: string, events: EngineEvents) {
    this.#entry = entry
    this.#events = events
    app.on('child-process-gone', (_event, details) => {
      if (details.type === 'Utility' && (details.name === serviceName || details.serviceName === serviceName))
        this.#goneReason = details.reason
    })
  }

  /** How the engine ended, while there is none and none follows by itself. */
  get finalStop(): EngineStop | undefined {
    return this.#lastStop?.restarts === false ? this.#lastStop : undefined
  }

  /** Starts the engine unless it runs. */
  start(): void {
    clearTimeout(this.#restartTimer)
    if (this.#process) return
    this.#goneReason = undefined
    this.#unable = undefined
    this.#lastStop = undefined
    this.#isUp = false
    this.#startedAtMs = Date.now()
    const child = utilityProcess.fork(this.#entry, [], { serviceName })
    this.#process = child
    child.on('message', (data: unknown) => this.#receive(data))
    child.on('exit', (code) => this.#exited(child, code))
    for (const [token, path] of this.#grants) this.#post({ type: 'grant', token, path })
  }

  /** Starts the engine now, also after it failed too often to be restarted by itself. */
  restart(): void {
    this.#crashes = 0
    this.start()
  }

  /** Ends the engine for good. */
  stop(): void {
    clearTimeout(this.#restartTimer)
    const child = this.#process
    this.#process = undefined
    child?.kill()
  }

  /** Lets the window open `path` by `token`, in this engine and those that follow it. */
  grant(token: string, path: string): void {
    this.#grants.set(token, path)
    this.#post({ type: 'grant', token, path })
  }

  /** Gives a window a fresh port to the engine; nothing happens until there is one that serves (see onUp). */
  connect(contents: WebContents): void {
    if (!this.#process || !this.#isUp) return
    const { port1, port2 } = new MessageChannelMain()
    const serve: MainToEngine = { type: 'serve' }
    this.#process.postMessage(serve, [port1])
    contents.postMessage('tidemark:engine-port', null, [port2])
  }

  /** Has the engine write a CSV file. Errors: `export/write_failed`, `query/unknown_capture`, `engine/crashed`. */
  writeLiveCsv(order: LiveCsvOrder): Promise<Result<void>> {
    return this.#write((id) => ({ type: 'liveCsv', id, ...order }))
  }

  /** Has the engine write a table of a trace as CSV. Errors: as `writeLiveCsv`, `query/bad_argument`. */
  writeTraceCsv(order: TraceCsvOrder): Promise<Result<void>> {
    return this.#write((id) => ({ type: 'traceCsv', id, ...order }))
  }

  /** Has the engine write all rows of a statement as CSV. Errors: as `writeLiveCsv`, `query/*` of the statement. */
  writeSqlCsv(order: SqlCsvOrder): Promise<Result<void>> {
    return this.#write((id) => ({ type: 'sqlCsv', id, ...order }))
  }

  #write(orderOf: (id: number) => MainToEngine): Promise<Result<void>> {
    if (!this.#process) return Promise.resolve(fail('engine/crashed', 'The analysis process does not run.'))
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#post(orderOf(id))
    })
  }

  #post(message: MainToEngine): void {
    this.#process?.postMessage(message)
  }

  #receive(data: unknown): void {
    const parsed = engineToMainSchema.safeParse(data)
    if (!parsed.success) return
    const message: EngineToMain = parsed.data
    if (message.type === 'ready') {
      this.#isUp = true
      this.#events.onUp()
    } else if (message.type === 'found') this.#grants.set(message.token, message.path)
    else if (message.type === 'unable') this.#unable = message.error.message
    else this.#settle(message.id, message.error ? { ok: false, error: message.error } : ok(undefined))
  }

  #settle(id: number, result: Result<void>): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }

  #exited(child: UtilityProcess, code: number): void {
    if (this.#process !== child) return
    this.#process = undefined
    this.#isUp = false
    for (const id of [...this.#waiting.keys()]) this.#settle(id, fail('engine/crashed', 'The analysis process stopped.'))
    this.#crashes = Date.now() - this.#startedAtMs > healthyAfterMs ? 1 : this.#crashes + 1
    const delayMs = this.#unable === undefined ? restartDelay(this.#crashes) : null
    if (delayMs !== null) this.#restartTimer = setTimeout(() => this.start(), delayMs)
    // The reason comes as an event of its own, which may be a moment later.
    setTimeout(() => this.#tellStop(code, delayMs !== null), reasonDelayMs)
  }

  #tellStop(code: number, restarts: boolean): void {
    const stop = { reason: this.#unable ?? this.#goneReason ?? `exit status ${code}`, restarts }
    if (!this.#process) this.#lastStop = stop
    this.#events.onStopped(stop)
  }
}
