// One load of a capture at a time over all processes: an exclusively locked SQLite file, which the system frees when its holder dies.
import { rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { IndexStore } from './index-store.ts'
import { cacheFailure, systemCode } from './system-error.ts'

const pollMs = 50

export interface LoadLock {
  release(): Promise<void>
}

const inodeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => found.ino,
    () => undefined,
  )

async function tryLock(path: string): Promise<Result<IndexStore | undefined>> {
  const opened = await IndexStore.open(path, 'lock')
  if (!opened.ok) return fail('index/cache_unusable', `${path}: ${opened.error.message}`)
  const before = await inodeOf(path)
  const locked = await opened.value.exec('BEGIN EXCLUSIVE')
  // The former holder deletes the file when done: a lock on a file that lost its name excludes nobody.
  if (locked.ok && before !== undefined && before === (await inodeOf(path))) return ok(opened.value)
  await opened.value.close()
  if (!locked.ok && !/SQLITE_(BUSY|LOCKED)/.test(locked.error.message))
    return fail('index/cache_unusable', `${path}: ${locked.error.message}`)
  return ok(undefined)
}

/**
 * Waits for the lock. The file is deleted on release.
 * Errors: `query/cancelled` when the signal aborts, `index/cache_unusable` when the file cannot be made.
 */
export async function lockLoad(path: string, signal: AbortSignal): Promise<Result<LoadLock>> {
  while (!signal.aborted) {
    const tried = await tryLock(path)
    if (!tried.ok) return tried
    const store = tried.value
    if (store) return ok({ release: () => releaseLock(path, store) })
    try {
      await sleep(pollMs, undefined, { signal })
    } catch (error) {
      if (systemCode(error) !== 'ABORT_ERR') return { ok: false, error: cacheFailure(error) }
    }
  }
  return fail('query/cancelled', 'The load was cancelled.')
}

async function releaseLock(path: string, store: IndexStore): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
  await store.close()
}
