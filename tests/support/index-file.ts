// Indexes for tests: ingests a capture on a connection of its own through the native functions and asks it in SQL.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sqlite3 from 'sqlite3'
import { outFolder, root } from './paths.ts'

export const nativeLibrary = join(root, 'native', 'build', 'Release', 'tidemark.node')

export type Row = Readonly<Record<string, string | number | null | Uint8Array>>

/** A failure of the native functions as it crosses SQLite. */
export class CodedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

function toCoded(error: Error): Error {
  const at = error.message.indexOf('tidemark:{')
  if (at < 0) return error
  const { code, message } = JSON.parse(error.message.slice(at + 'tidemark:'.length)) as { code: string; message: string }
  return new CodedError(code, message)
}

function fileOf(name: string, bytes: Uint8Array): string {
  const folder = join(outFolder, 'captures')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.${process.pid}`)
  writeFileSync(path, bytes)
  return path
}

export class IndexFile {
  readonly #db: sqlite3.Database

  private constructor(db: sqlite3.Database) {
    this.#db = db
  }

  /** A connection with the native library loaded; `path` may be ":memory:". */
  static async connect(path: string): Promise<IndexFile> {
    if (!existsSync(nativeLibrary)) throw new Error('native/build is missing: run node scripts/setup.mjs')
    const db = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened: sqlite3.Database = new sqlite3.Database(path, (error) => (error ? reject(error) : resolve(opened)))
    })
    const index = new IndexFile(db)
    await new Promise<void>((resolve, reject) => db.loadExtension(nativeLibrary, (error) => (error ? reject(error) : resolve())))
    return index
  }

  /** Ingests the capture at `path`. Throws a CodedError where the file cannot be read. */
  static of(path: string, target = ':memory:'): Promise<IndexFile> {
    return IndexFile.#ingest('ingest_snapshot', path, target, {})
  }

  /** Ingests the Chrome trace at `path`; `further` options are those of ingest_trace. */
  static ofTrace(path: string, target = ':memory:', further: Readonly<Record<string, number>> = {}): Promise<IndexFile> {
    return IndexFile.#ingest('ingest_trace', path, target, further)
  }

  /** Ingests the bytes of another tool's profile, by way of a file under tests/.out. */
  static async ofProfileBytes(name: string, bytes: Uint8Array): Promise<IndexFile> {
    return IndexFile.#ingest('ingest_profile', fileOf(name, bytes), ':memory:', {})
  }

  static async #ingest(ingest: string, path: string, target: string, further: Readonly<Record<string, number>>): Promise<IndexFile> {
    const index = await IndexFile.connect(target)
    const source = { source_name: basename(path), source_bytes: statSync(path).size, fingerprint: 'test' }
    const options = { job: 1, ...source, tool_version: 'test', ...further }
    try {
      await index.all(`SELECT ${ingest}(?, ?)`, [path, JSON.stringify(options)])
    } catch (error) {
      await index.close()
      throw error
    }
    return index
  }

  /** Ingests bytes, by way of a file under tests/.out. */
  static async ofBytes(name: string, bytes: Uint8Array): Promise<IndexFile> {
    return IndexFile.of(fileOf(name, bytes))
  }

  /** Ingests the bytes of a Chrome trace, by way of a file under tests/.out. */
  static async ofTraceBytes(name: string, bytes: Uint8Array): Promise<IndexFile> {
    return IndexFile.ofTrace(fileOf(name, bytes))
  }

  /** All rows of a question. */
  all(sql: string, parameters: readonly (string | number | Uint8Array)[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#db.all<Row>(sql, [...parameters], (error, rows) => (error ? reject(toCoded(error)) : resolve(rows)))
    })
  }

  /** The first column of all rows. */
  async column(sql: string, parameters: readonly (string | number | Uint8Array)[] = []): Promise<Row[string][]> {
    return (await this.all(sql, parameters)).map((row) => Object.values(row)[0] ?? null)
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => this.#db.close((error) => (error ? reject(error) : resolve())))
  }
}
