// A small JSON document of the user's: checked when read, replaced as a whole when written.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { z } from 'zod'
import { parseJson } from './engine/own-json.ts'

export interface BrokenDocument {
  /** Name under which it was kept; null: it could not be moved. */
  readonly keptAs: string | null
}

export class JsonFile<T> {
  readonly #path: string
  readonly #schema: z.ZodType<T>
  readonly #mostBytes: number
  #broken: BrokenDocument | undefined

  /** A larger file than `mostBytes` is broken without being read. */
  constructor(path: string, schema: z.ZodType<T>, mostBytes = Number.POSITIVE_INFINITY) {
    this.#path = path
    this.#schema = schema
    this.#mostBytes = mostBytes
  }

  /** The document; a missing one is `{}` with the schema's defaults, a broken one as well, after it was set aside as `….broken`. */
  read(): T {
    if (!existsSync(this.#path)) return this.#schema.parse({})
    try {
      if (statSync(this.#path).size > this.#mostBytes) throw new RangeError('too large')
      return this.#schema.parse(parseJson(readFileSync(this.#path, 'utf8')))
    } catch {
      this.#broken = { keptAs: this.#setAside() }
      return this.#schema.parse({})
    }
  }

  /** The broken document that `read` met, if it did. */
  get broken(): BrokenDocument | undefined {
    return this.#broken
  }

  #setAside(): string | null {
    const target = `${this.#path}.broken`
    try {
      renameSync(this.#path, target)
      return basename(target)
    } catch {
      // The folder is read-only: there is nothing to lose then, since nothing will be written either.
      return null
    }
  }

  /** Replaces the document. False when it cannot be written; the app works on without. */
  write(document: T): boolean {
    try {
      mkdirSync(dirname(this.#path), { recursive: true })
      writeFileSync(`${this.#path}.tmp`, `${JSON.stringify(document, null, 2)}\n`)
      renameSync(`${this.#path}.tmp`, this.#path)
      return true
    } catch {
      return false
    }
  }
}
