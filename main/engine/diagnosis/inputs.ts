// The files of a diagnosis: what each is, and which belong together. A folder's snapshots, metrics and logs are of one run.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { NativeLibrary } from '../native-library.ts'
import { readFailure } from '../system-error.ts'

type InputKind = 'snapshot' | 'metrics' | 'log' | 'other'

/** The files of one folder, in order of their names. */
export interface InputGroup {
  readonly folder: string
  readonly snapshots: readonly string[]
  readonly metrics: readonly string[]
  readonly logs: readonly string[]
}

const maxDepth = 16
const maxFiles = 100_000
const snapshotName = /\.(?:pickle|pkl|pt|json|gz|tidemark)$/i
const logName = /\.(?:log|txt|out|err|json|md)$/i

/** Groups the paths, folders with all that is in them. Errors: `file/*` of the first path that is not there. */
export async function groupInputs(library: NativeLibrary, paths: readonly string[]): Promise<Result<InputGroup[]>> {
  const found = new Map<string, InputKind>()
  for (const path of paths) {
    const entry = await stat(path).catch((error: NodeJS.ErrnoException) => error)
    if (entry instanceof Error) return { ok: false, error: readFailure(entry) }
    if (entry.isDirectory()) await addFolder(library, path, found, 0)
    else if (!entry.isFile())
      return fail('file/unreadable', `${path} is neither a file nor a folder`) // a device may have no end
    else {
      const kind = kindOf(library, path, true)
      if (kind === 'other')
        return fail(
          'file/unknown_format',
          `${path} is no memory snapshot, no log with a failure and no metrics.jsonl, which is what diagnose reads`,
        )
      found.set(path, kind)
      if (kind === 'snapshot') await addMetricsBeside(path, found)
    }
  }
  const folders = [...new Set([...found.keys()].map((path) => dirname(path)))]
  const of = (folder: string, kind: InputKind): string[] =>
    [...found].filter(([path, its]) => its === kind && dirname(path) === folder).map(([path]) => path)
  return ok(
    folders.map((folder) => ({
      folder,
      snapshots: of(folder, 'snapshot'),
      metrics: of(folder, 'metrics'),
      logs: of(folder, 'log'),
    })),
  )
}

async function addFolder(library: NativeLibrary, folder: string, found: Map<string, InputKind>, depth: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (found.size >= maxFiles) return
    if (entry.isDirectory() && depth < maxDepth) await addFolder(library, path, found, depth + 1)
    else if (entry.isFile()) {
      const kind = kindOf(library, path, false)
      if (kind !== 'other') found.set(path, kind)
    }
  }
}

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
    if (/\.tidemark$/i.test(path)) return 'snapshot'
    // A damaged pickle is a snapshot that cannot be read: that is said when it is opened.
    if (/\.(?:pickle|pkl)$/i.test(path)) return 'snapshot'
    if (seen.ok && seen.value.kind !== 'unknown') return 'other'
  }
  return isNamed || logName.test(path) ? 'log' : 'other'
}
