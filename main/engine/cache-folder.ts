// The folder of indexes: names, sizes, least-recently-used eviction, leftovers of processes that died.
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import envPaths from 'env-paths'
import { ok, type Result } from '../../preload/contract/errors.ts'
import { tryLockLoad } from './load-lock.ts'
import { cacheFailure } from './system-error.ts'
import { isRunning } from './temporary-files.ts'

const defaultLimitBytes = 20 * 1024 ** 3
const indexSuffix = '.tidemark'
const lockSuffix = '.lock'
const temporaryPattern = /^([0-9a-f]+)\.(\d+)\.\d+\.tmp$/
const abandonedAfterMs = 60_000

interface CachedIndex {
  readonly path: string
  readonly sizeBytes: number
  readonly usedAtMs: number
}

const defaultFolder = (): string => join(envPaths('tidemark', { suffix: '' }).cache, 'indexes')

/** Makes a folder and those around it. Not by mkdir's own recursion: that never ends where the system calls a folder missing that it refuses to make. */
async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path)
  } catch (error) {
    const isParentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isParentMissing || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await makeOne(path)
  }
}

async function makeOne(path: string): Promise<void> {
  await mkdir(path).catch(async (error: unknown) => {
    const isThere = (await stat(path).catch(() => undefined))?.isDirectory() ?? false
    if (!isThere) throw error
  })
}

export class CacheFolder {
  readonly path: string
  readonly limitBytes: number
  #serial = 0

  /** limitBytes: eviction starts above it. */
  constructor(path: string, limitBytes: number) {
    this.path = path
    this.limitBytes = limitBytes
  }

  /** The user's cache folder, or what TIDEMARK_CACHE (a folder) and TIDEMARK_CACHE_LIMIT (bytes) say. */
  static fromEnvironment(env: NodeJS.ProcessEnv): CacheFolder {
    const limit = Number(env.TIDEMARK_CACHE_LIMIT)
    return new CacheFolder(env.TIDEMARK_CACHE || defaultFolder(), env.TIDEMARK_CACHE_LIMIT && limit >= 0 ? limit : defaultLimitBytes)
  }

  indexPath(fingerprint: string): string {
    return join(this.path, fingerprint + indexSuffix)
  }

  lockPath(fingerprint: string): string {
    return join(this.path, fingerprint + lockSuffix)
  }

  /** A name for an index in the making; its process number tells later whether it was abandoned. */
  temporaryPath(fingerprint: string): string {
    return join(this.path, `${fingerprint}.${process.pid}.${this.#serial++}.tmp`)
  }

  /** Makes the folder and removes leftovers of dead processes. Errors: `index/cache_unusable`, `index/disk_full`. */
  async prepare(): Promise<Result<void>> {
    try {
      await makeFolder(this.path)
      for (const name of await readdir(this.path)) await this.#removeIfAbandoned(name)
      return ok(undefined)
    } catch (error) {
      return { ok: false, error: cacheFailure(error) }
    }
  }

  /** A process number can belong to another machine that shares the folder, so a file that still grows is left alone. */
  async #removeIfAbandoned(name: string): Promise<void> {
    if (name.endsWith(lockSuffix)) return this.#clearAfterKilled(name.slice(0, -lockSuffix.length))
    const pid = temporaryPattern.exec(name)?.[2]
    if (pid === undefined || isRunning(Number(pid))) return
    const path = join(this.path, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true }).catch(() => undefined)
  }

  /** A load that was killed leaves a lock that nobody holds, and its temporary. */
  async #clearAfterKilled(fingerprint: string): Promise<void> {
    const lock = await tryLockLoad(this.lockPath(fingerprint))
    if (!lock.ok || !lock.value) return
    await this.removeTemporaries(fingerprint)
    await lock.value.release()
  }

  /** Removes every temporary of one fingerprint. Only for the holder of its lock: nobody else can be writing one. */
  async removeTemporaries(fingerprint: string): Promise<void> {
    const names = await readdir(this.path).catch(() => [])
    const mine = names.filter((name) => temporaryPattern.exec(name)?.[1] === fingerprint)
    await Promise.all(mine.map((name) => rm(join(this.path, name), { force: true }).catch(() => undefined)))
  }

  /** Gives a finished temporary its final name. Errors: `index/cache_unusable`, `index/disk_full`. */
  async commit(temporary: string, final: string): Promise<Result<void>> {
    try {
      await rename(temporary, final)
      return ok(undefined)
    } catch (error) {
      return { ok: false, error: cacheFailure(error) }
    }
  }

  /** Notes that an index was used now. A read-only cache is still good for reading, so a refusal is no failure. */
  async touch(indexPath: string): Promise<void> {
    const now = new Date()
    await utimes(indexPath, now, now).catch(() => undefined)
  }

  /** Removes the least recently used indexes until the rest fits the limit; those in `keep` stay. */
  async evict(keep: ReadonlySet<string>): Promise<void> {
    const indexes = await this.#list()
    let total = indexes.reduce((sum, index) => sum + index.sizeBytes, 0)
    for (const index of indexes.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (total <= this.limitBytes) return
      if (keep.has(index.path)) continue
      const removed = await rm(index.path, { force: true }).then(
        () => true,
        () => false,
      )
      if (removed) total -= index.sizeBytes
    }
  }

  async #list(): Promise<CachedIndex[]> {
    const names = await readdir(this.path).catch(() => [])
    const found: CachedIndex[] = []
    for (const name of names.filter((each) => each.endsWith(indexSuffix))) {
      const path = join(this.path, name)
      const entry = await stat(path).catch(() => undefined)
      if (entry) found.push({ path, sizeBytes: entry.size, usedAtMs: entry.mtimeMs })
    }
    return found
  }
}
