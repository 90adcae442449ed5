// Every way by which a file comes in ends here: it is looked at, gets a token for the window and a place among the recent files.
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { app, type BrowserWindow, dialog } from 'electron'
import type { ErrorCode } from '../preload/contract/errors.ts'
import type { Language } from '../preload/contract/language.ts'
import type { ShellEventData, sampleNames } from '../preload/contract/shell.ts'
import { dialogTexts } from './dialog-texts.ts'
import type { RecentFiles } from './recent-files.ts'

export interface OpenRequestContext {
  readonly recent: RecentFiles
  readonly language: () => Language
  readonly grant: (token: string, path: string) => void
  readonly onRequested: (request: ShellEventData<'open.requested'>) => void
  readonly onRefused: (refusal: ShellEventData<'open.refused'>) => void
}

/** Profiles have many names: those of pprof end with .pb.gz, .prof or .heap. */
const captureExtensions = [
  ...['pickle', 'pkl', 'json', 'gz', 'tidemark'],
  ...['folded', 'collapsed', 'pb', 'prof', 'pprof', 'heap', 'heapprofile'],
]

const filtersIn = (language: Language): Electron.FileFilter[] => [
  { name: dialogTexts.captures[language], extensions: captureExtensions },
  { name: dialogTexts.allFiles[language], extensions: ['*'] },
]

export class OpenRequests {
  readonly #context: OpenRequestContext
  /** The same path keeps its token, so the window finds its tab again. */
  readonly #tokens = new Map<string, string>()

  constructor(context: OpenRequestContext) {
    this.#context = context
  }

  /** Opens files in the order given. */
  async openAll(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.open(path)
  }

  /** Opens one file, or says in the window why not. isSample: ours, so not among the recent ones. */
  async open(path: string, options: { readonly isSample?: boolean } = {}): Promise<void> {
    const name = basename(path)
    const refuse = (code: ErrorCode, message: string) => this.#context.onRefused({ name, code, message })
    const found = await stat(path).catch(() => undefined)
    if (!found) return refuse('file/not_found', 'There is no such file.')
    if (!found.isFile()) return refuse('file/unreadable', 'This is not a file.')
    const token = this.#tokens.get(path) ?? randomUUID()
    this.#tokens.set(path, token)
    this.#context.grant(token, path)
    if (!options.isSample) {
      this.#context.recent.add(path, found.size)
      app.addRecentDocument(path)
    }
    this.#context.onRequested({ token, name, folder: basename(dirname(path)), sizeBytes: found.size })
  }

  /** Opens what was dropped on the window; a file without a path exists in another program's memory only. */
  async openDropped(dropped: readonly { readonly path: string; readonly name: string }[]): Promise<void> {
    for (const { path, name } of dropped) {
      if (path) await this.open(path)
      else
        this.#context.onRefused({
          name,
          code: 'file/unreadable',
          message: 'What was dropped is not a file on a disk. Save it first, then open it.',
        })
    }
  }

  /** Opens a recent file. An unknown id does nothing: the list was cleared meanwhile. */
  async openRecent(id: string): Promise<void> {
    const path = this.#context.recent.pathOf(id)
    if (path !== undefined) await this.open(path)
  }

  /** Opens a capture that ships with the app. */
  openSample(name: (typeof sampleNames)[number]): Promise<void> {
    const folder = app.isPackaged ? join(process.resourcesPath, 'samples') : join(app.getAppPath(), 'resources', 'samples')
    return this.open(join(folder, name === 'trace_lora' ? `${name}.json.gz` : `${name}.pickle`), { isSample: true })
  }

  /** Asks which files to open. */
  async askAndOpen(window: BrowserWindow | undefined): Promise<void> {
    const filters = filtersIn(this.#context.language())
    const options: Electron.OpenDialogOptions = { properties: ['openFile', 'multiSelections'], filters }
    const answer = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
    await this.openAll(answer.filePaths)
  }
}
