// The file that a trace's index was made from: the arguments of events stay there and are read when asked for.
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { contentHash } from './fingerprint.ts'
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

/** Where the arguments of a trace's events are read, and the state that it was in when the capture was opened. */
export class TraceSource {
  readonly path: string
  readonly #contents: string | undefined // undefined: not to be compared
  #modifiedMs: number | undefined // of the state that was compared last

  private constructor(path: string, contents: string | undefined, modifiedMs: number | undefined) {
    this.path = path
    this.#contents = contents
    this.#modifiedMs = modifiedMs
  }

  /** Takes the file as it is now for the state that was read. */
  static async at(path: string): Promise<TraceSource> {
    return new TraceSource(path, await contentHash(path), await modifiedMs(path))
  }

  /** A file that nothing needs to be read from. */
  static unread(path: string): TraceSource {
    return new TraceSource(path, undefined, undefined)
  }

  /**
   * Whether the file holds what it held, as far as the sampled blocks tell: text of another file would pass for an event's own. One that is
   * gone passes; whoever reads it finds out. Errors: `trace/source_changed`.
   */
  async check(): Promise<Result<void>> {
    if (this.#contents === undefined) return ok(undefined)
    const now = await modifiedMs(this.path)
    if (now === undefined || now === this.#modifiedMs) return ok(undefined)
    if ((await contentHash(this.path)) !== this.#contents) {
      return fail('trace/source_changed', 'The source of the trace was written to since it was read.')
    }
    this.#modifiedMs = now
    return ok(undefined)
  }
}

const modifiedMs = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => found.mtimeMs,
    () => undefined,
  )

/** Lets `args` be read from this file. Errors: `file/not_found`, `file/unreadable`, `trace/source_changed`. */
export const readFrom = (store: IndexStore, path: string): Promise<Result<unknown>> => store.get('SELECT trace_source(?)', [path])

/** Tells the connection where its trace lies, so that `args` has values. Null for snapshots and where it is not known. */
export async function connectSource(store: IndexStore, index: Pick<FoundIndex, 'path' | 'sourcePath'>): Promise<TraceSource | null> {
  const row = await store.get('SELECT kind, source_name, source_bytes, EXISTS (SELECT 1 FROM event_text) AS has_texts FROM capture')
  if (!row.ok || row.value?.kind !== 'chrome_trace') return null
  const path = index.sourcePath ?? (await beside(index.path, row.value))
  if (path === null) return null
  // A source that is gone or changed is found out, and said, when something of it is asked for.
  await readFrom(store, path)
  return row.value.has_texts === 1 ? TraceSource.unread(path) : TraceSource.at(path)
}
