// Files opened lately, newest first. The window knows them by an id only.
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { Recent } from '../preload/contract/shell.ts'
import { FilePresence } from './file-presence.ts'
import { JsonFile } from './json-file.ts'

const maxRecent = 20

const listSchema = z.object({
  files: z
    .array(z.object({ path: z.string(), sizeBytes: z.number(), openedAtMs: z.number(), isFolder: z.boolean().default(false) }))
    .default([]),
})
type RecentList = z.infer<typeof listSchema>

const idOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16)

export class RecentFiles {
  readonly #file: JsonFile<RecentList>
  readonly #presence: FilePresence
  #list: RecentList

  /** folder: the app's data folder. */
  constructor(folder: string, presence: FilePresence = new FilePresence()) {
    this.#presence = presence
    this.#file = new JsonFile<RecentList>(join(folder, 'recent.json'), listSchema)
    this.#list = this.#file.read()
  }

  /** Puts a file or folder at the head of the list. */
  add(path: string, sizeBytes: number, isFolder = false): void {
    const others = this.#list.files.filter((file) => file.path !== path)
    this.#replace([{ path, sizeBytes, openedAtMs: Date.now(), isFolder }, ...others].slice(0, maxRecent))
  }

  clear(): void {
    this.#replace([])
  }

  /** The list; a file whose drive does not answer soon counts as missing. */
  async list(): Promise<Recent[]> {
    const { files } = this.#list
    const there = await this.#presence.existing(files.map((file) => file.path))
    return files.map(({ path, sizeBytes, openedAtMs, isFolder }) => ({
      id: idOf(path),
      name: basename(path),
      folder: dirname(path),
      sizeBytes,
      openedAtMs,
      isFolder,
      missing: !there.has(path),
    }))
  }

  pathOf(id: string): string | undefined {
    return this.#list.files.find((file) => idOf(file.path) === id)?.path
  }

  #replace(files: RecentList['files']): void {
    this.#list = { files }
    this.#file.write(this.#list)
  }
}
