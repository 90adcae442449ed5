// Finds and loads the native library: a Node-API addon (this file's interface) that is also a SQLite extension (loaded by path).
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { errorCodeSchema, fail, ok, type Result } from '../../preload/contract/errors.ts'

const progressSchema = z.object({ stage: z.enum(['read', 'replay', 'index', 'summarise']), done: z.number(), total: z.number() }).nullable()
/** What an ingest is doing: bytes of the file for `read`, the stage's own items else; total 0 = not known. */
export type NativeProgress = z.infer<typeof progressSchema>

const recognisedSchema = z.object({ kind: z.string(), detail: z.string() })
const sniffSchema = z.union([recognisedSchema, z.object({ code: errorCodeSchema, message: z.string() })])
export type Recognised = z.infer<typeof recognisedSchema>

interface Addon {
  readonly progress: (job: number) => unknown
  readonly cancel: (job: number) => boolean
  readonly sniff: (path: string) => unknown
}

export class NativeLibrary {
  /** Where the library lies; SQLite loads it from there, so this is never inside an asar archive. */
  readonly path: string
  readonly #addon: Addon

  constructor(path: string, addon: Addon) {
    this.path = path
    this.#addon = addon
  }

  /** Progress of a running ingest; null when there is none of that number. */
  progress(job: number): NativeProgress {
    return progressSchema.parse(this.#addon.progress(job))
  }

  /** Asks a running ingest to stop; it answers `query/cancelled` soon. False when there is none of that number. */
  cancel(job: number): boolean {
    return this.#addon.cancel(job)
  }

  /** Looks at the first bytes of a file. Errors: `file/*`. */
  sniff(path: string): Result<Recognised> {
    const answer = sniffSchema.parse(this.#addon.sniff(path))
    return 'kind' in answer ? ok(answer) : fail(answer.code, answer.message)
  }
}

/** A development tree has the library where node-gyp puts it, a package in its resources folder beside the archive. */
const relativePaths = [join('native', 'build', 'Release', 'tidemark.node'), join('native', 'tidemark.node')]

function findLibrary(): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    for (const relative of relativePaths) {
      const path = join(folder, relative)
      if (existsSync(path)) return path
    }
    if (dirname(folder) === folder) return undefined
  }
}

/** Loads the native library. Errors: `engine/internal` when it is missing or does not load. */
export function loadNativeLibrary(): Result<NativeLibrary> {
  const path = findLibrary()
  if (path === undefined) return fail('engine/internal', 'The native library tidemark.node is missing; build the project again.')
  try {
    return ok(new NativeLibrary(path, createRequire(path)(path) as Addon))
  } catch (error) {
    return fail('engine/internal', `The native library does not load: ${String(error)}`)
  }
}
