// JSON files of people's own: editors may put a byte order mark before them, and what is wrong with one is said with its place.
import { readFile, stat } from 'node:fs/promises'
import type { z } from 'zod'
import { placeOf } from './bilingual.ts'
import { messageOf, systemCode } from './system-error.ts'

/** The value of a JSON text, with or without a byte order mark. Throws what `JSON.parse` throws. */
export const parseJson = (text: string): unknown => JSON.parse(withoutMark(text))

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

export interface OwnJson<T> {
  readonly text: string // without a byte order mark
  readonly value: T
}

/** Why a file cannot be used. `isAbsent`: there is none, or it lies where this user may not look. */
export interface Unusable {
  readonly message: string
  readonly isAbsent: boolean
}

/** Reads and checks a file of at most `mostBytes`. Never throws. */
export async function readOwnJson<T>(path: string, schema: z.ZodType<T>, mostBytes: number): Promise<OwnJson<T> | Unusable> {
  const unusable = (message: string, isAbsent = false): Unusable => ({ message: `${path}: ${message}`, isAbsent })
  try {
    const file = await stat(path)
    if (!file.isFile()) return unusable('This is not a file.') // a device may have no end
    if (file.size > mostBytes) return unusable(`The file is larger than ${mostBytes} bytes.`)
    const text = withoutMark(await readFile(path, 'utf8'))
    const read = schema.safeParse(JSON.parse(text))
    if (read.success) return { text, value: read.data }
    const [issue] = read.error.issues
    return unusable(`${placeOf(issue?.path ?? [])}: ${issue?.message ?? 'does not fit'}`)
  } catch (error) {
    return unusable(messageOf(error), ['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error)))
  }
}
