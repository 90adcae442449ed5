// Makes one picture or report in a hidden window for the command line, which wrote the order to a file and reads the outcome from another.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import { type Failure, fail, ok, type Result } from '../preload/contract/errors.ts'
import { type ExportOrder, type ExportOutcome, exportOrderSchema } from '../preload/contract/export-order.ts'
import type { PictureNote } from '../preload/contract/shell.ts'
import { appInfo } from './app-info.ts'
import { appPage } from './app-url.ts'
import { pagePreferences } from './app-window.ts'
import { writeWhole } from './atomic-write.ts'
import { EngineHost } from './engine-host.ts'
import { finished, finishedReport } from './save-files.ts'
import { SettingsStore } from './settings.ts'
import { type RouteHandlers, type RouteInput, serveShell } from './shell-routes.ts'

/** A picture of the largest captures takes seconds; beyond this something hangs. */
const timeoutMs = 10 * 60_000

type Outcome = Result<readonly PictureNote[]>

class ExportJobRun {
  readonly #order: ExportOrder
  readonly #finish: (outcome: Outcome) => void
  readonly #window = new BrowserWindow({ show: false, webPreferences: { ...pagePreferences(), backgroundThrottling: false } })
  readonly #engine: EngineHost
  #isListening = false

  constructor(order: ExportOrder, finish: (outcome: Outcome) => void) {
    this.#order = order
    this.#finish = finish
    this.#engine = new EngineHost(join(app.getAppPath(), 'out', 'main', 'engine.js'), {
      onUp: () => this.#connect(),
      onStopped: ({ reason }) => finish(fail('engine/crashed', reason)),
    })
  }

  start(): void {
    serveShell(this.#routes(), { onReady: () => this.#begin(), onDropped: () => undefined })
    const { webContents } = this.#window
    webContents.on('render-process-gone', (_event, { reason }) =>
      this.#finish(fail('engine/crashed', `The window that draws stopped: ${reason}`)),
    )
    webContents.on('did-fail-load', (_event, _code, description) =>
      this.#finish(fail('engine/internal', `The page does not load: ${description}`)),
    )
    setTimeout(() => this.#finish(fail('engine/internal', 'The file did not come within ten minutes.')), timeoutMs)
    this.#engine.start()
    void this.#window.loadURL(appPage)
  }

  stop(): void {
    this.#engine.stop()
  }

  #connect(): void {
    if (this.#isListening) this.#engine.connect(this.#window.webContents)
  }

  #begin(): void {
    this.#isListening = true
    const token = randomUUID()
    this.#engine.grant(token, this.#order.source)
    this.#connect()
    const { kind, job } = this.#order.task
    this.#window.webContents.send('tidemark:event', kind === 'report' ? 'report.job' : 'export.job', { ...job, token })
  }

  async #done({ data, error, notes = [] }: RouteInput<'export.jobDone'>): Promise<Record<string, never>> {
    const written = data === undefined ? undefined : await this.#write(data)
    this.#finish(written?.ok ? ok(notes) : (written ?? { ok: false, error: error ?? noPicture }))
    return {}
  }

  async #write(data: Uint8Array | string): Promise<Result<void>> {
    const { kind, job } = this.#order.task
    const whole = kind === 'report' ? await finishedReport(job.format, String(data)) : await finished(job.format, data, job)
    return whole.ok ? writeWhole(this.#order.out, whole.value) : whole
  }

  /** The hidden window looks at settings and version like any other; it has no business with files or dialogs. */
  #routes(): RouteHandlers {
    const settings = new SettingsStore(app.getPath('userData'))
    const refused = () => fail('query/bad_argument', 'An export job has no dialogs.')
    return {
      'files.openDialog': refused,
      'files.openSample': refused,
      'files.recent': () => ({ recent: [] }),
      'files.openRecent': refused,
      'files.clearRecent': refused,
      'clipboard.readText': refused,
      'export.saveImage': refused,
      'export.saveTable': refused,
      'export.saveReport': refused,
      'export.saveProfile': refused,
      'export.saveLiveCsv': refused,
      'export.saveSqlCsv': refused,
      'export.saveTraceCsv': refused,
      'settings.get': () => ({ ...settings.current, theme: this.#order.task.job.theme, language: this.#order.task.job.language }),
      'settings.set': () => settings.current,
      'session.load': () => ({ session: null }),
      'session.save': refused,
      'session.saveAs': refused,
      'session.openFile': refused,
      'session.clear': refused,
      'app.info': appInfo,
      'app.setTitle': () => ({}),
      'app.quit': refused,
      'app.toggleFullScreen': refused,
      'engine.restart': refused,
      'export.jobDone': (input) => this.#done(input),
    }
  }
}

const noPicture: Failure = { code: 'engine/internal', message: 'The window answered without a picture.' }

/** Runs the order in `orderFile`, writes the outcome and ends the app. Call when the app is ready. */
export function runExportJob(orderFile: string): void {
  const order = exportOrderSchema.parse(JSON.parse(readFileSync(orderFile, 'utf8')))
  let isFinished = false
  const run = new ExportJobRun(order, (outcome) => {
    if (isFinished) return
    isFinished = true
    const written: ExportOutcome = outcome.ok ? { notes: [...outcome.value] } : { error: outcome.error }
    void writeFile(order.outcomeFile, JSON.stringify(written)).finally(() => {
      run.stop()
      app.exit(outcome.ok ? 0 : 1)
    })
  })
  run.start()
}
