// Is a file an index of ours that can be used as it is?
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { IndexStore } from './index-store.ts'
import { schemaVersion } from './index-version.ts'
import type { NativeLibrary } from './native-library.ts'

const magic = 'SQLite format 3\0'
const headerBytes = 32

async function readHeader(path: string): Promise<Buffer | undefined> {
  // A pipe would wait for its writer, a device would never end.
  const isFile = await stat(path)
    .then((found) => found.isFile())
    .catch(() => false)
  const file = isFile ? await open(path, 'r').catch(() => undefined) : undefined
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    return bytesRead === headerBytes ? buffer : undefined
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}

/** True when the file begins as an SQLite database does. False also when it cannot be read. */
export async function isDatabase(path: string): Promise<boolean> {
  const header = await readHeader(path)
  return header?.toString('latin1', 0, magic.length) === magic
}

/** The header says how many pages there are: a file cut or padded is found without reading it all. */
async function hasAllPages(path: string): Promise<boolean> {
  const header = await readHeader(path)
  if (!header) return false
  const declared = header.readUInt16BE(16)
  const pageBytes = declared === 1 ? 65536 : declared
  const { size } = await stat(path)
  return size === pageBytes * header.readUInt32BE(28)
}

/** An index that can be read by this version, with the connection that showed it; the connection is the caller's to close. */
export interface CheckedIndex {
  readonly store: IndexStore
  /** Version of the program that made the index. */
  readonly toolVersion: string
}

/**
 * Opens an index and looks whether it can be used.
 * Errors: `index/not_an_index` when it is damaged, incomplete, of another layout or no index at all; `file/unreadable`.
 */
export async function openChecked(path: string, mode: 'read' | 'foreign', library: NativeLibrary): Promise<Result<CheckedIndex>> {
  const name = basename(path)
  if (!(await hasAllPages(path))) return fail('index/not_an_index', `${name} is cut short or was written to by another program.`)
  const opened = await IndexStore.open(path, mode, library.path)
  if (!opened.ok) return opened
  const store = opened.value
  const made = (await isPlain(store))
    ? await versionsOf(store, name)
    : fail('index/not_an_index', `${name} holds triggers, views or virtual tables that are not Tidemark’s.`)
  if (made.ok) return ok({ store, toolVersion: made.value })
  await store.close()
  return made
}

/** Triggers, views and virtual tables in the place of tables could run for ever when they are asked. */
async function isPlain(store: IndexStore): Promise<boolean> {
  const foreign = await store.get(
    "SELECT count(*) AS n FROM sqlite_schema WHERE type NOT IN ('table', 'index') AND name <> 'stack' OR type = 'table' AND rootpage = 0",
  )
  return foreign.ok && foreign.value?.n === 0
}

async function versionsOf(store: IndexStore, name: string): Promise<Result<string>> {
  const row = await store.get('SELECT schema_version, substr(tool_version, 1, 40) AS tool_version FROM capture')
  if (!row.ok || !row.value) return fail('index/not_an_index', `${name} is an SQLite database, but not a complete Tidemark index.`)
  const { schema_version: schema, tool_version: tool } = row.value
  if (schema === schemaVersion) return ok(String(tool))
  return fail(
    'index/not_an_index',
    `${name} has layout ${String(schema).slice(0, 40)} (version ${String(tool)}); this version reads layout ${schemaVersion}.`,
  )
}
