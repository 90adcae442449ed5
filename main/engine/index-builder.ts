// The index file of a capture: from the cache when it is there and current, else built now, once over all processes.
import { rm, statfs } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { type CaptureKind, captureKindSchema } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { CacheFolder } from './cache-folder.ts'
import { fingerprintFile, isUnchanged, type SourceFile } from './fingerprint.ts'
import { isDatabase, openChecked } from './index-check.ts'
import { IndexStore } from './index-store.ts'
import { toolVersion } from './index-version.ts'
import { ingest, type RecognisedSource } from './jobs.ts'
import { lockLoad } from './load-lock.ts'
import type { NativeLibrary } from './native-library.ts'
import { type LoadListener, SharedLoads } from './shared-loads.ts'
import { removeAbandonedBeside, temporaryBeside } from './temporary-files.ts'

export interface LoadOptions extends LoadListener {
  /** Builds the index anew although there is one. */
  readonly rebuild?: boolean
}

export interface BuildOptions extends LoadListener {
  /** As in `IngestOptions`. */
  readonly copyArgs?: boolean
}

interface IndexFile {
  readonly path: string
  /** False when it was built just now. */
  readonly fromCache: boolean
}

/** An index with the connection that it was looked at with; the connection is the caller's to close. */
interface OpenIndex extends IndexFile {
  readonly store: IndexStore
}

export interface FoundIndex extends OpenIndex {
  /** The capture that it is of; null when an index was opened by itself. */
  readonly sourcePath: string | null
}

/** An index is rarely larger than this share of its source (of a tree, each stack is written out); asked of large files only, where running out late costs time. */
const expectedIndexShare: Readonly<Record<CaptureKind, number>> = { torch_snapshot: 0.7, chrome_trace: 0.25, stack_profile: 3 }
const checkSpaceAboveBytes = 64 * 1024 ** 2

async function checkSpace(source: RecognisedSource, folder: string): Promise<Result<void>> {
  if (source.sizeBytes < checkSpaceAboveBytes) return ok(undefined)
  const free = await statfs(folder).then(
    (found) => found.bavail * found.bsize,
    () => Number.POSITIVE_INFINITY,
  )
  const needed = source.sizeBytes * expectedIndexShare[source.kind]
  if (free >= needed) return ok(undefined)
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`
  return fail('index/disk_full', `The index needs about ${mebibytes(needed)}; ${folder} has ${mebibytes(free)} free.`)
}

const isCancelled = (result: Result<void>): boolean => !result.ok && result.error.code === 'query/cancelled'

/** What was read of a file that was written to meanwhile is neither its old state nor its new one. */
const changed = ({ path }: SourceFile): Result<never> =>
  fail('file/unreadable', `${basename(path)} changed while it was read; open it again when its writer is done`)

export class IndexBuilder {
  readonly #library: NativeLibrary
  readonly #cache: CacheFolder
  readonly #loads = new SharedLoads<IndexFile>()
  readonly #indexesInUse: () => Iterable<string>

  /** indexesInUse: paths that eviction must leave alone. */
  constructor(library: NativeLibrary, cache: CacheFolder, indexesInUse: () => Iterable<string>) {
    this.#library = library
    this.#cache = cache
    this.#indexesInUse = indexesInUse
  }

  /**
   * The index of `path`, which is a capture or itself an index. Callers of the same file share one load.
   * Errors: `file/*`, `snapshot/*`, `trace/*`, `index/*`, `query/cancelled`.
   */
  async find(path: string, options: LoadOptions): Promise<Result<FoundIndex>> {
    options.onProgress({ stage: 'recognise', done: 0, total: 0, bytesPerSecond: null })
    if (await isDatabase(path)) {
      const usable = await openChecked(path, 'foreign', this.#library)
      return usable.ok ? ok({ path, fromCache: true, store: usable.value.store, sourcePath: null }) : usable
    }
    const source = await this.#recognise(path)
    if (!source.ok) return source
    const { fingerprint } = source.value
    const rebuild = options.rebuild ?? false
    const kept = rebuild ? undefined : await this.#openCurrent(this.#cache.indexPath(fingerprint))
    if (kept) return ok({ ...kept, sourcePath: path })
    const made = await this.#loads.join(rebuild ? `${fingerprint} rebuild` : fingerprint, options, (shared) =>
      this.#make(source.value, { ...shared, rebuild }),
    )
    if (!made.ok) return made
    const opened = await IndexStore.open(made.value.path, 'read', this.#library.path)
    return opened.ok ? ok({ ...made.value, store: opened.value, sourcePath: path }) : opened
  }

  /** Builds the index of a capture at `target` instead of in the cache. Errors: as `find`. */
  async buildAt(path: string, target: string, options: BuildOptions): Promise<Result<void>> {
    options.onProgress({ stage: 'recognise', done: 0, total: 0, bytesPerSecond: null })
    const source = await this.#recognise(path)
    if (!source.ok) return source
    const final = resolve(target)
    await removeAbandonedBeside(final)
    return this.#build(source.value, temporaryBeside(final), final, options)
  }

  async #recognise(path: string): Promise<Result<RecognisedSource>> {
    const source = await fingerprintFile(path)
    if (!source.ok) return source
    const recognised = this.#library.sniff(path)
    if (!recognised.ok) return recognised
    // What the first bytes do not tell, the reader finds out; it refuses with a code of its own.
    const kind = captureKindSchema.catch('torch_snapshot').parse(recognised.value.kind)
    return ok({ ...source.value, kind })
  }

  /** Builds the index into the cache, one process at a time. */
  async #make(source: RecognisedSource, options: LoadOptions): Promise<Result<IndexFile>> {
    const final = this.#cache.indexPath(source.fingerprint)
    const prepared = await this.#cache.prepare()
    if (!prepared.ok) return prepared
    const lock = await lockLoad(this.#cache.lockPath(source.fingerprint), options)
    if (!lock.ok) return lock
    try {
      // Another process may have finished it while this one waited.
      if (!options.rebuild && (await this.#isCurrent(final))) return ok({ path: final, fromCache: true })
      await this.#cache.removeTemporaries(source.fingerprint)
      const built = await this.#build(source, this.#cache.temporaryPath(source.fingerprint), final, options)
      if (!built.ok) return built
      await this.#cache.evict(new Set([final, ...this.#indexesInUse()]))
      return ok({ path: final, fromCache: false })
    } finally {
      await lock.value.release()
    }
  }

  async #build(source: RecognisedSource, temporary: string, final: string, options: BuildOptions): Promise<Result<void>> {
    const space = await checkSpace(source, dirname(final))
    if (!space.ok) return space
    const ingested = await ingest(this.#library, source, temporary, options)
    const done = isCancelled(ingested) || (await isUnchanged(source)) ? ingested : changed(source)
    const committed = done.ok ? await this.#cache.commit(temporary, final) : done
    if (!committed.ok) await rm(temporary, { force: true }).catch(() => undefined)
    return committed
  }

  /** The index in the cache when it is of this version; its time of last use is now. */
  async #openCurrent(path: string): Promise<OpenIndex | undefined> {
    if (!(await isDatabase(path))) return undefined
    const checked = await openChecked(path, 'read', this.#library)
    if (!checked.ok) return undefined
    const { store } = checked.value
    if (checked.value.toolVersion === toolVersion) {
      await this.#cache.touch(path)
      return { path, fromCache: true, store }
    }
    await store.close()
    return undefined
  }

  async #isCurrent(path: string): Promise<boolean> {
    const found = await this.#openCurrent(path)
    await found?.store.close()
    return found !== undefined
  }
}
