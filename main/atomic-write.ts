// Writes a file so that it is there whole or not at all.
import { rename, rm, writeFile } from 'node:fs/promises'
import { fail, ok, type Result } from '../preload/contract/errors.ts'
import { removeAbandonedBeside, temporaryBeside } from './engine/temporary-files.ts'

/** Errors: `export/write_failed`; nothing is left behind then, and an older file of that name stays. */
export async function writeWhole(path: string, data: Uint8Array | string): Promise<Result<void>> {
  const temporary = temporaryBeside(path)
  await removeAbandonedBeside(path)
  try {
    await writeFile(temporary, data)
    await rename(temporary, path)
    return ok(undefined)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    return fail('export/write_failed', error instanceof Error ? error.message : String(error))
  }
}
