// What is remembered about captures: one small JSON file each, named after the capture's contents. Those used longest ago go first.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Session, type SessionDocument, sessionDocumentSchema, sessionSchema } from '../preload/contract/session.ts'
import { parseJson } from './engine/own-json.ts'
import { JsonFile } from './json-file.ts'

const mostFiles = 500
const mostChars = 2 ** 20 // of a session
const mostBytes = 16 * 2 ** 20 // of a file: indented, and some letters take three bytes

const fileSchema = z.object({ session: sessionSchema.nullable().default(null) })
type SessionFile = z.infer<typeof fileSchema>

/** Files of ours in the folder: sessions, broken ones that were set aside, and what an interrupted write has left. */
const ownName = /^[0-9a-f]{20}\.json(?:\.broken|\.tmp)?$/

/** The session that a colleague sent; null where the file is none, or too large to be one. It stays as it is. */
export function readSessionDocument(path: string): SessionDocument | null {
  try {
    const file = statSync(path)
    if (!file.isFile() || file.size > mostBytes) return null // a pipe would never end
    return sessionDocumentSchema.parse(parseJson(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

export class SessionFiles {
  readonly #folder: string
  readonly #most: number

  /** userData: the app's data folder. `most`: files that are kept. */
  constructor(userData: string, most = mostFiles) {
    this.#folder = join(userData, 'sessions')
    this.#most = most
  }

  /** The session under a key; null where there is none or it cannot be used. A broken one is set aside. */
  load(key: string): Session | null {
    return this.#file(key).read().session
  }

  /** Replaces the session under a key. False when it is too large or cannot be written. */
  save(key: string, session: Session): boolean {
    if (JSON.stringify(session).length > mostChars) return false
    const isNew = !existsSync(this.#path(key))
    const isSaved = this.#file(key).write({ session })
    if (isSaved && isNew) this.#dropOldest()
    return isSaved
  }

  /** Forgets all. What is not ours in the folder stays. */
  clear(): void {
    for (const name of this.#names()) this.#remove(name)
  }

  #file(key: string): JsonFile<SessionFile> {
    return new JsonFile<SessionFile>(this.#path(key), fileSchema, mostBytes)
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.json`)
  }

  #dropOldest(): void {
    const names = this.#names()
    if (names.length <= this.#most) return
    const byAge = names.map((name) => ({ name, atMs: this.#writtenAtMs(name) })).sort((a, b) => b.atMs - a.atMs)
    for (const { name } of byAge.slice(this.#most)) this.#remove(name)
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder, { withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && ownName.test(entry.name))
        .map(({ name }) => name)
    } catch {
      return [] // nothing was ever saved
    }
  }

  #writtenAtMs(name: string): number {
    return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true })
  }
}
