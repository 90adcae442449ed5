// The file that a trace's index was made from: the arguments of events stay there and are read when asked for.
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Result } from '../../preload/contract/errors.ts'
import type { FoundIndex } from './index-builder.ts'
import type { IndexStore, SqlRow } from './index-store.ts'

/** A file of the source's name and size beside an index that was opened by itself. */
async function beside(indexPath: string, { source_name: name, source_bytes: size }: SqlRow): Promise<string | null> {
  // A name only: an index of a stranger must not point elsewhere.
  if (typeof name !== 'string' || name === '' || name !== basename(name)) return null
  const path = join(dirname(indexPath), name)
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() && found.size === size ? path : null
}

/** Lets `args` be read from this file. Errors: `file/not_found`, `file/unreadable`, `trace/source_changed`. */
export const readFrom = (store: IndexStore, path: string): Promise<Result<unknown>> => store.get('SELECT trace_source(?)', [path])

/** Tells the connection where its trace lies, so that `args` has values. Answers the path; null for snapshots and where it is not known. */
export async function connectSource(store: IndexStore, index: Pick<FoundIndex, 'path' | 'sourcePath'>): Promise<string | null> {
  const row = await store.get('SELECT kind, source_name, source_bytes FROM capture')
  if (!row.ok || row.value?.kind !== 'chrome_trace') return index.sourcePath
  const path = index.sourcePath ?? (await beside(index.path, row.value))
  if (path === null) return null
  // A source that is gone or changed is found out, and said, when something of it is asked for.
  await readFrom(store, path)
  return path
}
