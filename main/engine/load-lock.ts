// One load of a capture at a time over all processes: an exclusively locked SQLite file, which the system frees when its holder dies.
import { rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, fail, ok, type Result } from '../../preload/contract/errors.ts'
import { IndexStore } from './index-store.ts'
import type { LoadListener } from './shared-loads.ts'
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

/** Takes the lock when nobody holds it. Errors: as `lockLoad`. */
export async function tryLockLoad(path: string): Promise<Result<LoadLock | undefined>> {
  const opened = await IndexStore.open(path, 'lock')
  if (!opened.ok) return unusable(path, opened.error)
  const before = await inodeOf(path)
  const locked = await opened.value.exec('BEGIN EXCLUSIVE')
  // The former holder deletes the file when done: a lock on a file that lost its name excludes nobody.
  if (locked.ok && before !== undefined && before === (await inodeOf(path))) return ok({ release: () => releaseLock(path, opened.value) })
  await opened.value.close()
  if (locked.ok || /SQLITE_(BUSY|LOCKED)/.test(locked.error.message)) return ok(undefined)
  await rm(path, { force: true }).catch(() => undefined) // made a moment ago on a disk that has no room for more
  return unusable(path, locked.error)
}

/** SQLite does not say why a file cannot be made. */
async function unusable(path: string, { code, message }: Failure): Promise<Result<never>> {
  const isFull = await statfs(dirname(path)).then(
    ({ bavail, files, ffree }) => bavail === 0 || (files > 0 && ffree === 0),
    () => false,
  )
  return fail(isFull || code === 'index/disk_full' ? 'index/disk_full' : 'index/cache_unusable', `${path}: ${message}`)
}

/**
 * Waits for the lock; says so once, if it must. The file is deleted on release.
 * Errors: `query/cancelled` when the signal aborts, `index/cache_unusable` or `index/disk_full` when the file cannot be made.
 */
export async function lockLoad(path: string, { signal, onWait }: Pick<LoadListener, 'signal' | 'onWait'>): Promise<Result<LoadLock>> {
  for (let tries = 0; !signal.aborted; tries++) {
    const tried = await tryLockLoad(path)
    if (!tried.ok) return tried
    if (tried.value) return ok(tried.value)
    if (tries === 1) onWait?.()
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
