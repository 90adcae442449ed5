// The files of a diagnosis: what each is, and which belong together. A folder's snapshots, metrics and logs are of one run.
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { type Failure, fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { NativeLibrary } from '../native-library.ts'
import { readFailure } from '../system-error.ts'

export type InputKind = 'snapshot' | 'metrics' | 'log' | 'other'

/** The files of one folder, in order of their names. */
export interface InputGroup {
  readonly folder: string
  readonly snapshots: readonly string[]
  readonly metrics: readonly string[]
  readonly logs: readonly string[]
}

/** A file or folder that cannot be read, or not all of it. */
export interface CaseFailure {
  readonly file: string
  readonly error: Failure
}

/** How far a folder is searched. */
interface SearchLimits {
  /** Folders below one that was given. */
  readonly depth: number
  /** Files of use, in all. */
  readonly files: number
}
const usualLimits: SearchLimits = { depth: 16, files: 100_000 }
/** Files are looked at without waiting; after so many, what else the engine is asked comes to its turn. */
const filesInTurn = 64
const snapshotName = /\.(?:pickle|pkl|pt|json|gz|tidemark)$/i
const logName = /\.(?:log|txt|out|err|json|md)$/i

/**
 * Groups the paths, folders with all that is in them, and what links in them point to. unreadable: takes the folders that cannot be read, and
 * those left out beyond `limits`. Errors: `file/*` of the first path that is not there; `query/cancelled`.
 */
export async function groupInputs(
  library: NativeLibrary,
  paths: readonly string[],
  signal?: AbortSignal,
  unreadable: CaseFailure[] = [],
  limits = usualLimits,
): Promise<Result<InputGroup[]>> {
  const search = new Search(library, signal, limits)
  for (const path of paths) {
    const entry = await stat(path).catch((error: NodeJS.ErrnoException) => error)
    if (entry instanceof Error) return { ok: false, error: readFailure(entry) }
    if (entry.isDirectory()) await search.addFolder(path, 0)
    else if (!entry.isFile())
      return fail('file/unreadable', `${path} is neither a file nor a folder`) // a device may have no end
    else {
      const kind = kindOf(library, path, true)
      if (kind === 'other')
        return fail(
          'file/unknown_format',
          `${path} is no memory snapshot, no log with a failure and no metrics.jsonl, which is what diagnose reads`,
        )
      search.found.set(path, kind)
      if (kind === 'snapshot') await addMetricsBeside(path, search.found)
    }
  }
  await search.addLinked()
  unreadable.push(...search.unreadable())
  return signal?.aborted ? fail('query/cancelled', 'The search was cancelled.') : ok(groupsOf(search.found))
}

interface SearchOptions {
  /** Takes what cannot be read, and what is left out. */
  readonly unreadable: CaseFailure[]
  readonly signal: AbortSignal
  readonly limits?: SearchLimits
}

/** The groups of what can be read; what cannot is said, and leaves the others as they are. Errors: as `groupInputs`, where no path can be read. */
export async function readableGroups(
  library: NativeLibrary,
  paths: readonly string[],
  { unreadable, signal, limits }: SearchOptions,
): Promise<Result<InputGroup[]>> {
  const folders: CaseFailure[] = []
  const all = await groupInputs(library, paths, signal, folders, limits)
  if (all.ok) unreadable.push(...folders)
  if (all.ok || paths.length === 1 || signal.aborted) return all
  const readable: string[] = []
  for (const path of paths) {
    const own = await groupInputs(library, [path], signal, [], limits)
    if (own.ok) readable.push(path)
    else unreadable.push({ file: path, error: own.error })
  }
  return readable.length === 0 ? all : groupInputs(library, readable, signal, unreadable, limits)
}

/** The found files by their folders, in the order in which those were met. */
export function groupsOf(found: ReadonlyMap<string, InputKind>): InputGroup[] {
  const groups = new Map<string, Record<Exclude<InputKind, 'other'>, string[]>>()
  for (const [path, kind] of found) {
    const folder = dirname(path)
    const group = groups.get(folder) ?? { snapshot: [], metrics: [], log: [] }
    groups.set(folder, group)
    if (kind !== 'other') group[kind].push(path)
  }
  return [...groups].map(([folder, { snapshot, metrics, log }]) => ({ folder, snapshots: snapshot, metrics, logs: log }))
}

/** Files under folders. Links are followed; a folder is entered once, whatever leads to it. */
class Search {
  readonly found = new Map<string, InputKind>()
  readonly #library: NativeLibrary
  readonly #signal: AbortSignal | undefined
  readonly #limits: SearchLimits
  readonly #unreadable: CaseFailure[] = []
  /** Folders below the deepest that are searched. */
  readonly #tooDeep: string[] = []
  /** Where the search ended, since enough was found. */
  #full: string | undefined
  readonly #entered = new Set<string>()
  /** Links to files: one that leads to a file found elsewhere is no second run. */
  readonly #links: string[] = []
  #looked = 0

  constructor(library: NativeLibrary, signal: AbortSignal | undefined, limits: SearchLimits) {
    this.#library = library
    this.#signal = signal
    this.#limits = limits
  }

  /** Folders that could not be read, and where others were left out: in one entry a reason, however many they are. */
  unreadable(): CaseFailure[] {
    const [deep, ...others] = this.#tooDeep
    const { depth, files } = this.#limits
    const more = others.length === 0 ? '' : `, like ${others.length} more`
    return [
      ...this.#unreadable,
      ...(deep === undefined ? [] : [{ file: deep, error: tooMuch(`It lies more than ${depth} folders deep and is left out${more}.`) }]),
      ...(this.#full === undefined ? [] : [{ file: this.#full, error: tooMuch(`The search ended here, after ${files} files of use.`) }]),
    ]
  }

  async addFolder(folder: string, depth: number): Promise<void> {
    const real = await realpath(folder).catch(() => folder)
    if (this.#entered.has(real)) return
    this.#entered.add(real)
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => error)
    if (entries instanceof Error) {
      this.#unreadable.push({ file: folder, error: readFailure(entries) })
      return
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (this.#isAtEnd(folder)) return
      const target = entry.isSymbolicLink() ? await stat(path).catch(() => null) : entry
      if (target?.isDirectory() && depth >= this.#limits.depth) this.#tooDeep.push(path)
      else if (target?.isDirectory()) await this.addFolder(path, depth + 1)
      else if (target?.isFile() && target !== entry) this.#links.push(path)
      else if (target?.isFile()) await this.#addFile(path)
    }
  }

  async addLinked(): Promise<void> {
    if (this.#links.length === 0) return
    const real = new Set<string>()
    for (const path of this.found.keys()) real.add(await realpath(path).catch(() => path))
    for (const path of this.#links) {
      const target = await realpath(path).catch(() => null)
      if (target === null || real.has(target)) continue
      if (this.#isAtEnd(path)) return
      real.add(target)
      await this.#addFile(path)
    }
  }

  /** After the signal, and where enough was found: `at` is the first that is not looked at any more. */
  #isAtEnd(at: string): boolean {
    if (this.#signal?.aborted) return true
    if (this.found.size < this.#limits.files) return false
    this.#full ??= at
    return true
  }

  async #addFile(path: string): Promise<void> {
    this.#looked += 1
    if (this.#looked % filesInTurn === 0) await turnOfOthers()
    const kind = kindOf(this.#library, path, false)
    if (kind !== 'other') this.found.set(path, kind)
  }
}

const tooMuch = (message: string): Failure => ({ code: 'file/too_much', message })

/** The metrics of a run lie beside its snapshots. */
async function addMetricsBeside(path: string, found: Map<string, InputKind>): Promise<void> {
  const beside = join(dirname(path), 'metrics.jsonl')
  const entry = await stat(beside).catch(() => null)
  if (entry?.isFile()) found.set(beside, 'metrics')
}

/** By name and first bytes. isNamed: the user named this very file, so that what is no snapshot is read as a log. */
function kindOf(library: NativeLibrary, path: string, isNamed: boolean): InputKind {
  if (/\.jsonl$/i.test(path)) return 'metrics'
  if (!isNamed && !snapshotName.test(path) && !logName.test(path)) return 'other'
  if (isNamed || snapshotName.test(path)) {
    const seen = library.sniff(path)
    if (seen.ok && seen.value.kind === 'torch_snapshot') return 'snapshot'
    // A damaged one is a snapshot that cannot be read: that is said when it is opened.
    if (/\.(?:tidemark|pickle|pkl)$/i.test(path)) return 'snapshot'
    if (seen.ok && seen.value.kind !== 'unknown') return 'other'
  }
  return isNamed || logName.test(path) ? 'log' : 'other'
}
