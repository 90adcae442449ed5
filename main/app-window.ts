// The window: made hidden with the theme's background, remembered where it was, brought back when its page dies.
import { join } from 'node:path'
import { app, BrowserWindow, dialog, nativeTheme, screen, type WebContents } from 'electron'
import type { Language } from '../preload/contract/language.ts'
import type { ShellEvent, ShellEventData } from '../preload/contract/shell.ts'
import { appPage } from './app-url.ts'
import { dialogTexts } from './dialog-texts.ts'
import { JsonFile } from './json-file.ts'
import { minimumSize, placeWindow, type WindowState, windowStateSchema } from './window-state.ts'

/** The canvas colors of the two themes: what shows before the first frame. */
const background = { dark: '#16181C', light: '#FAFAFA' } as const
const backgroundNow = (): string => (nativeTheme.shouldUseDarkColors ? background.dark : background.light)

const saveStateAfterMs = 400
/** A page that dies again within this time is not reloaded without asking. */
const reloadOnceWithinMs = 60_000

/** Options of every page of ours. */
export const pagePreferences = (): Electron.WebPreferences => ({
  preload: join(app.getAppPath(), 'out', 'preload', 'index.js'),
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
})

export class AppWindow {
  readonly #stateFile = new JsonFile<WindowState>(join(app.getPath('userData'), 'window.json'), windowStateSchema)
  readonly #queued: (() => void)[] = []
  readonly #language: () => Language
  #window: BrowserWindow | undefined
  #isListening = false
  #diedAtMs = Number.NEGATIVE_INFINITY
  #saveTimer: NodeJS.Timeout | undefined

  /** language: that of dialogs, asked whenever one opens. */
  constructor(language: () => Language) {
    this.#language = language
  }

  /** The window while there is one. */
  get window(): BrowserWindow | undefined {
    return this.#window
  }

  /** The page, once it listens. */
  get listeningContents(): WebContents | undefined {
    return this.#isListening ? this.#window?.webContents : undefined
  }

  /** Makes the window, or brings it to the front. */
  show(): void {
    if (!this.#window) {
      this.#window = this.#create()
      return
    }
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  /** Sends an event to the page; those sent before it listens arrive when it does. */
  send<E extends ShellEvent>(event: E, data: ShellEventData<E>): void {
    const deliver = () => this.#window?.webContents.send('tidemark:event', event, data)
    if (this.#isListening) deliver()
    else this.#queued.push(deliver)
  }

  /** The page listens now. */
  nowListening(): void {
    this.#isListening = true
    for (const deliver of this.#queued.splice(0)) deliver()
  }

  /** Puts the background in the color of the theme that holds now. */
  followTheme(): void {
    this.#window?.setBackgroundColor(backgroundNow())
  }

  #create(): BrowserWindow {
    const { bounds, isMaximized } = this.#stateFile.read()
    const workAreas = screen.getAllDisplays().map((display) => display.workArea)
    const window = new BrowserWindow({
      ...placeWindow(bounds, workAreas),
      minWidth: minimumSize.width,
      minHeight: minimumSize.height,
      show: false,
      backgroundColor: backgroundNow(),
      title: app.getName(),
      webPreferences: pagePreferences(),
    })
    if (isMaximized) window.maximize()
    window.once('ready-to-show', () => window.show())
    window.on('close', () => this.#save(window))
    window.on('closed', () => this.#forget())
    for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', () => this.#saveSoon(window))
    this.#watchPage(window)
    void window.loadURL(appPage)
    return window
  }

  #forget(): void {
    clearTimeout(this.#saveTimer)
    this.#window = undefined
    this.#isListening = false
  }

  #saveSoon(window: BrowserWindow): void {
    clearTimeout(this.#saveTimer)
    this.#saveTimer = setTimeout(() => this.#save(window), saveStateAfterMs)
  }

  #save(window: BrowserWindow): void {
    if (!window.isDestroyed()) this.#stateFile.write({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() })
  }

  #watchPage(window: BrowserWindow): void {
    const contents = window.webContents
    // Not when it starts: a navigation that is refused starts too, and the page that stays listens on.
    contents.on('did-navigate', () => {
      this.#isListening = false
    })
    contents.on('render-process-gone', (_event, { reason }) => {
      this.#isListening = false
      if (reason !== 'clean-exit') void this.#recover(window, reason)
    })
    let isAsking = false
    window.on('unresponsive', () => {
      if (isAsking) return
      isAsking = true
      void this.#askAboutHang(window).finally(() => {
        isAsking = false
      })
    })
  }

  /** Reloads once by itself; asks when the page died a moment ago already. */
  async #recover(window: BrowserWindow, reason: string): Promise<void> {
    const diedBefore = this.#diedAtMs
    this.#diedAtMs = performance.now()
    if (this.#diedAtMs - diedBefore < reloadOnceWithinMs) {
      const language = this.#language()
      const question = {
        type: 'error' as const,
        message: dialogTexts.crashed[language],
        detail: `${dialogTexts.crashedNext[language]}\n\n${dialogTexts.reason[language].replace('{{reason}}', () => reason)}`,
        buttons: [dialogTexts.reload[language], dialogTexts.quit[language]],
      }
      const { response } = await dialog.showMessageBox(window, question)
      if (response === 1) return app.quit()
    }
    if (!window.isDestroyed()) window.reload()
  }

  async #askAboutHang(window: BrowserWindow): Promise<void> {
    const language = this.#language()
    const question = {
      type: 'warning' as const,
      message: dialogTexts.hung[language],
      detail: dialogTexts.hungNext[language],
      buttons: [dialogTexts.wait[language], dialogTexts.reload[language]],
      defaultId: 0,
      cancelId: 0,
    }
    const { response } = await dialog.showMessageBox(window, question)
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer()
  }
}
