// The app with a window: puts the parts together.
import { basename, join } from 'node:path'
import { app, Menu, nativeTheme } from 'electron'
import { fail } from '../preload/contract/errors.ts'
import { type Language, resolveLanguage } from '../preload/contract/language.ts'
import type { ShellOutput } from '../preload/contract/shell.ts'
import { appInfo } from './app-info.ts'
import { AppWindow } from './app-window.ts'
import { readClipboard } from './clipboard-text.ts'
import { EngineHost } from './engine-host.ts'
import { menuTemplate } from './menu-template.ts'
import { OpenRequests } from './open-requests.ts'
import { RecentFiles } from './recent-files.ts'
import { saveImage, saveLiveCsv, saveProfile, saveReport, saveSessionAs, saveSqlCsv, saveTable, saveTraceCsv } from './save-files.ts'
import { openSessionDocument } from './session-documents.ts'
import { readSessionDocument, SessionFiles } from './session-files.ts'
import { SettingsStore } from './settings.ts'
import { type RouteHandlers, type RouteInput, serveShell } from './shell-routes.ts'

/** The empty answer of a route that only does something. */
async function answered(work: Promise<void> | void): Promise<Record<string, never>> {
  await work
  return {}
}

export class Application {
  readonly #settings = new SettingsStore(app.getPath('userData'))
  readonly #sessions = new SessionFiles(app.getPath('userData'))
  readonly #recent = new RecentFiles(app.getPath('userData'))
  readonly #window = new AppWindow(() => this.#language)
  readonly #engine = new EngineHost(join(app.getAppPath(), 'out', 'main', 'engine.js'), {
    onUp: () => this.#connect(),
    // A page that does not listen yet hears of a lasting stop when it does.
    onStopped: (stop) => this.#window.listeningContents && this.#window.send('engine.stopped', stop),
  })
  readonly requests = new OpenRequests({
    recent: this.#recent,
    language: () => this.#language,
    grant: (token, path) => this.#engine.grant(token, path),
    onRequested: (request) => this.#window.send('open.requested', request),
    onRefused: (refusal) => this.#window.send('open.refused', refusal),
    onSession: (path) => this.#window.send('session.opened', { name: basename(path), document: readSessionDocument(path) }),
  })

  /** Shows the window and starts the engine. Call once, when the app is ready. */
  start(): void {
    nativeTheme.themeSource = this.#settings.current.theme
    serveShell(this.#routes(), {
      onReady: () => {
        this.#window.nowListening()
        this.#connect()
      },
      onDropped: (files) => void this.requests.openDropped(files),
    })
    if (this.#settings.reset) this.#window.send('settings.reset', this.#settings.reset)
    this.#window.show()
    this.#engine.start()
    this.#buildMenu()
    this.#follow()
  }

  /** Brings the window to the front, makes a new one where it was closed (macOS). */
  show(): void {
    this.#window.show()
  }

  /** Ends the engine. */
  stop(): void {
    this.#engine.stop()
  }

  get #language(): Language {
    return resolveLanguage(this.#settings.current.language, app.getLocale())
  }

  /** Gives the page the engine's port when both are there, or says that no engine will come by itself. */
  #connect(): void {
    const contents = this.#window.listeningContents
    const { finalStop } = this.#engine
    if (contents && finalStop) this.#window.send('engine.stopped', finalStop)
    else if (contents) this.#engine.connect(contents)
  }

  #follow(): void {
    nativeTheme.on('updated', () => this.#window.followTheme())
    this.#settings.onChange((settings) => {
      if (nativeTheme.themeSource !== settings.theme) nativeTheme.themeSource = settings.theme
      this.#buildMenu()
    })
  }

  #buildMenu(): void {
    const context = { language: this.#language, isMac: process.platform === 'darwin', run: (id: string) => this.#runCommand(id) }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(context)))
  }

  /** Quitting and full screen work even when the page hangs; all else is the window's. */
  #runCommand(id: string): void {
    if (id === 'app.quit') app.quit()
    else if (id === 'app.fullScreen') this.#toggleFullScreen()
    else this.#window.send('menu.command', { id })
  }

  #toggleFullScreen(): void {
    const { window } = this.#window
    window?.setFullScreen(!window.isFullScreen())
  }

  #setTitle({ title, progress }: RouteInput<'app.setTitle'>): void {
    this.#window.window?.setTitle(title)
    this.#window.window?.setProgressBar(progress)
  }

  #routes(): RouteHandlers {
    return {
      'files.openDialog': ({ kind }) => answered(this.requests.askAndOpen(this.#window.window, kind)),
      'files.openSample': ({ name }) => answered(this.requests.openSample(name)),
      'files.recent': () => this.#listRecent(),
      'files.openRecent': ({ id }) => answered(this.requests.openRecent(id)),
      'files.clearRecent': () => answered(this.#clearRecent()),
      'clipboard.readText': readClipboard,
      'export.saveImage': (input) => saveImage(this.#window.window, input),
      'export.saveReport': (input) => saveReport(this.#window.window, input),
      'export.saveTable': (input) => saveTable(this.#window.window, input),
      'export.saveProfile': (input) => saveProfile(this.#window.window, input),
      'export.saveTraceCsv': (input) => saveTraceCsv(this.#window.window, this.#engine, input),
      'export.saveLiveCsv': (input) => saveLiveCsv(this.#window.window, this.#engine, input),
      'export.saveSqlCsv': (input) => saveSqlCsv(this.#window.window, this.#engine, input),
      'settings.get': () => this.#settings.current,
      'settings.set': (changed) => this.#settings.change(changed),
      'session.load': ({ key }) => ({ session: this.#sessions.load(key) }),
      'session.save': ({ key, session }) => ({ saved: this.#sessions.save(key, session) }),
      'session.saveAs': (input) => saveSessionAs(this.#window.window, input),
      'session.openFile': () => openSessionDocument(this.#window.window),
      'session.clear': () => answered(this.#sessions.clear()),
      'app.info': appInfo,
      'app.setTitle': (input) => answered(this.#setTitle(input)),
      'app.quit': () => answered(app.quit()),
      'app.toggleFullScreen': () => answered(this.#toggleFullScreen()),
      'engine.restart': () => answered(this.#engine.restart()),
      'export.jobDone': () => fail('query/bad_argument', 'No export job runs in this window.'),
    }
  }

  async #listRecent(): Promise<ShellOutput<'files.recent'>> {
    return { recent: await this.#recent.list() }
  }

  #clearRecent(): void {
    this.#recent.clear()
    app.clearRecentDocuments()
  }
}
