// Every way by which a file comes in ends here: it is looked at, gets a token for the window and a place among the recent files.
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { app, type BrowserWindow, dialog } from 'electron'
import type { ErrorCode } from '../preload/contract/errors.ts'
import type { Language } from '../preload/contract/language.ts'
import { sessionFileEnd } from '../preload/contract/session.ts'
import type { ShellEventData, sampleNames } from '../preload/contract/shell.ts'
import { dialogTexts } from './dialog-texts.ts'
import type { RecentFiles } from './recent-files.ts'

export interface OpenRequestContext {
  readonly recent: RecentFiles
  readonly language: () => Language
  readonly grant: (token: string, path: string) => void
  readonly onRequested: (request: ShellEventData<'open.requested'>) => void
  readonly onRefused: (refusal: ShellEventData<'open.refused'>) => void
  /** A session that was saved as a file: it is shown on its capture. */
  readonly onSession: (path: string) => void
}

/** Profiles have many names: those of pprof end with .pb.gz, .prof or .heap. */
const captureExtensions = [
  ...['pickle', 'pkl', 'json', 'gz', 'tidemark'],
  ...['folded', 'collapsed', 'pb', 'prof', 'pprof', 'heap', 'heapprofile'],
]
/** What tells of failures without a snapshot: logs, and metrics of steps. */
const logExtensions = ['log', 'txt', 'out', 'err', 'jsonl']

const filtersIn = (language: Language): Electron.FileFilter[] => [
  { name: dialogTexts.known[language], extensions: [...captureExtensions, ...logExtensions] },
  { name: dialogTexts.allFiles[language], extensions: ['*'] },
]

type OpenFile = ShellEventData<'open.requested'>['files'][number]

interface Found {
  readonly path: string
  readonly sizeBytes: number
  readonly isFolder: boolean
}

interface OpenOptions {
  /** It is ours, so not among the recent ones. */
  readonly isSample?: boolean
  readonly mayAttach?: boolean
}

type Refused = ShellEventData<'open.refused'>

const refused = (name: string, code: ErrorCode, message: string): Refused => ({ name, code, message })

const isSession = ({ path, isFolder }: Found): boolean => !isFolder && path.endsWith(sessionFileEnd)

/** What is at a path, or why it cannot be opened. */
async function find(path: string): Promise<Found | Refused> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return refused(basename(path), 'file/not_found', 'There is no such file.')
  if (found.isDirectory()) return { path, sizeBytes: 0, isFolder: true }
  if (found.isFile()) return { path, sizeBytes: found.size, isFolder: false }
  return refused(basename(path), 'file/unreadable', 'This is neither a file nor a folder.')
}

export class OpenRequests {
  readonly #context: OpenRequestContext
  /** The same path keeps its token, so the window finds its tab again. */
  readonly #tokens = new Map<string, string>()

  constructor(context: OpenRequestContext) {
    this.#context = context
  }

  /** Opens files and folders together, in the order given; then the window is told what cannot be opened. */
  openAll(paths: readonly string[], options: OpenOptions = {}): Promise<void> {
    return this.#openFound(paths.map(find), options)
  }

  /** Opens what was dropped on the window; a file without a path exists in another program's memory only. */
  openDropped(dropped: readonly { readonly path: string; readonly name: string }[]): Promise<void> {
    const pathless = 'What was dropped is not a file on a disk. Save it first, then open it.'
    const found = dropped.map(({ path, name }) => (path ? find(path) : refused(name, 'file/unreadable', pathless)))
    return this.#openFound(found, { mayAttach: true })
  }

  async #openFound(looked: readonly (Found | Refused | Promise<Found | Refused>)[], options: OpenOptions): Promise<void> {
    const all = await Promise.all(looked)
    const found = all.filter((each) => 'path' in each)
    const files = found.filter((each) => !isSession(each)).map((each) => this.#offer(each, options))
    if (files.length > 0) this.#context.onRequested({ files, mayAttach: options.mayAttach ?? false })
    for (const each of all) if ('code' in each) this.#context.onRefused(each)
    for (const { path } of found.filter(isSession)) this.#context.onSession(path)
  }

  /** Lets the window open it, and remembers it. */
  #offer({ path, sizeBytes, isFolder }: Found, { isSample = false }: OpenOptions): OpenFile {
    const token = this.#tokens.get(path) ?? randomUUID()
    this.#tokens.set(path, token)
    this.#context.grant(token, path)
    if (!isSample) {
      this.#context.recent.add(path, sizeBytes, isFolder)
      app.addRecentDocument(path)
    }
    return { token, name: basename(path), folder: basename(dirname(path)), sizeBytes, isFolder }
  }

  /** Opens a recent file. An unknown id does nothing: the list was cleared meanwhile. */
  async openRecent(id: string): Promise<void> {
    const path = this.#context.recent.pathOf(id)
    if (path !== undefined) await this.openAll([path])
  }

  /** Opens a capture that ships with the app. */
  openSample(name: (typeof sampleNames)[number]): Promise<void> {
    const folder = app.isPackaged ? join(process.resourcesPath, 'samples') : join(app.getAppPath(), 'resources', 'samples')
    return this.openAll([join(folder, name === 'trace_lora' ? `${name}.json.gz` : `${name}.pickle`)], { isSample: true })
  }

  /** Asks which files to open, or which folders: dialogs of most systems offer only one of them. */
  async askAndOpen(window: BrowserWindow | undefined, kind: 'files' | 'folders'): Promise<void> {
    const options: Electron.OpenDialogOptions =
      kind === 'folders'
        ? { properties: ['openDirectory', 'multiSelections'] }
        : { properties: ['openFile', 'multiSelections'], filters: filtersIn(this.#context.language()) }
    const answer = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
    await this.openAll(answer.filePaths, { mayAttach: true })
  }
}
