// The engine as a process of the app: serves the window's port and main's own line.
import { type EngineToMain, type MainToEngine, mainToEngineSchema } from '../../preload/contract/engine-line.ts'
import type { Result } from '../../preload/contract/errors.ts'
import { CacheFolder } from './cache-folder.ts'
import { Captures } from './captures.ts'
import { CategoryRuleFiles } from './category-rules.ts'
import type { LiveCsvRequest } from './live-csv.ts'
import { loadNativeLibrary } from './native-library.ts'
import { type EnginePort, servePort } from './server.ts'
import { TemplateFiles } from './templates/template-files.ts'

/** What this file uses of Electron's ports, so that it needs nothing of Electron. */
interface PortLike {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown; ports?: PortLike[] }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  start?(): void
}

function wrapPort(port: PortLike): EnginePort {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', (event) => listener(event.data))
      port.start?.()
    },
    onClose: (listener) => port.on('close', listener),
  }
}

type CsvOrder = Extract<MainToEngine, { type: 'liveCsv' | 'traceCsv' | 'sqlCsv' }>

class EngineProcess {
  readonly #line: PortLike
  readonly #captures: Captures
  readonly #paths = new Map<string, string>()

  constructor(line: PortLike, captures: Captures) {
    this.#line = line
    this.#captures = captures
    line.on('message', ({ data, ports }) => {
      const parsed = mainToEngineSchema.safeParse(data)
      if (parsed.success) this.#receive(parsed.data, ports?.[0])
    })
  }

  #receive(message: MainToEngine, port: PortLike | undefined): void {
    if (message.type === 'grant') this.#paths.set(message.token, message.path)
    else if (message.type === 'liveCsv' || message.type === 'traceCsv' || message.type === 'sqlCsv') void this.#writeCsv(message)
    else if (port)
      servePort(wrapPort(port), {
        captures: this.#captures,
        pathOf: (token) => this.#paths.get(token),
        onFound: (...found) => this.#found(...found),
      })
  }

  /** Main tells the next engine of it: tabs are opened again by their tokens. */
  #found(token: string, path: string): void {
    this.#paths.set(token, path)
    const found: EngineToMain = { type: 'found', token, path }
    this.#line.postMessage(found)
  }

  async #writeCsv(order: CsvOrder): Promise<void> {
    const { id } = order
    const written = await this.#written(order)
    const done: EngineToMain = written.ok ? { type: 'done', id } : { type: 'done', id, error: written.error }
    this.#line.postMessage(done)
  }

  #written(order: CsvOrder): Promise<Result<void>> {
    const { captureId, path } = order
    if (order.type === 'sqlCsv') return this.#captures.writeSqlCsv(captureId, order.sql, path)
    if (order.type === 'traceCsv') return this.#captures.writeTraceCsv(captureId, order.table, path)
    return this.#captures.writeLiveCsv(captureId, csvRequest(order))
  }
}

type LiveCsvOrder = Extract<MainToEngine, { type: 'liveCsv' }>

const csvRequest = ({ device, event, filter, path }: LiveCsvOrder): LiveCsvRequest =>
  event === null ? { table: 'allocations', device, event: -1, filter, path } : { device, event, filter, path }

/** A process that exits at once may lose the message that says why. */
const exitDelayMs = 100

function start(line: PortLike): void {
  const say = (message: EngineToMain) => line.postMessage(message)
  const library = loadNativeLibrary()
  if (!library.ok) {
    say({ type: 'unable', error: library.error })
    setTimeout(() => process.exit(1), exitDelayMs)
    return
  }
  new EngineProcess(
    line,
    new Captures(
      library.value,
      CacheFolder.fromEnvironment(process.env),
      CategoryRuleFiles.fromEnvironment(process.env),
      TemplateFiles.fromEnvironment(process.env),
    ),
  )
  say({ type: 'ready' })
}

start(process.parentPort as unknown as PortLike)
