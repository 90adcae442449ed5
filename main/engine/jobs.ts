// One ingest: runs the native function on its own connection, reports progress while it runs, stops it when asked.
import { basename } from 'node:path'
import type { CaptureKind, LoadProgress } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { SourceFile } from './fingerprint.ts'
import { IndexStore } from './index-store.ts'
import { toolVersion } from './index-version.ts'
import type { NativeLibrary } from './native-library.ts'

const pollMs = 50
/** The rate is that of the last second or so: long enough to be steady, short enough to follow. */
const rateWindowMs = 1000

export type StageProgress = Omit<LoadProgress, 'requestId'>

/** Bytes a second over the last second of reading. The clock is a parameter so that it can be tested. */
export class ReadRate {
  readonly #samples: { readonly atMs: number; readonly done: number }[] = []

  /** Adds a sample; answers the rate, null until there are two. */
  add(done: number, atMs: number): number | null {
    this.#samples.push({ atMs, done })
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) >= rateWindowMs) this.#samples.shift()
    const first = this.#samples[0]
    if (!first || atMs <= first.atMs) return null
    return ((done - first.done) * 1000) / (atMs - first.atMs)
  }
}

function watchProgress(library: NativeLibrary, job: number, onProgress: (progress: StageProgress) => void): () => void {
  const rate = new ReadRate()
  const report = () => {
    const progress = library.progress(job)
    if (progress) onProgress({ ...progress, bytesPerSecond: progress.stage === 'read' ? rate.add(progress.done, performance.now()) : null })
  }
  const timer = setInterval(report, pollMs)
  return () => clearInterval(timer)
}

let lastJob = 0

/** A capture as it was recognised. */
export interface RecognisedSource extends SourceFile {
  readonly kind: CaptureKind
}

export interface IngestOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: StageProgress) => void
  /** Traces: keeps the text of every event in the index, so that it says all without its source. */
  readonly copyArgs?: boolean
}

const functionOf: Readonly<Record<CaptureKind, string>> = {
  torch_snapshot: 'ingest_snapshot',
  chrome_trace: 'ingest_trace',
  stack_profile: 'ingest_profile',
}

/**
 * Fills the empty file `indexPath` with the index of `source`. An aborted signal stops it within 200 ms; what was written is for the caller to
 * remove. Errors: `snapshot/*`, `trace/*`, `profile/*`, `file/*`, `index/disk_full`, `index/write_failed`, `query/cancelled`.
 */
export async function ingest(
  library: NativeLibrary,
  source: RecognisedSource,
  indexPath: string,
  options: IngestOptions,
): Promise<Result<void>> {
  const opened = await IndexStore.open(indexPath, 'write', library.path)
  if (!opened.ok) return opened
  const store = opened.value
  const job = ++lastJob
  const cancel = () => {
    library.cancel(job)
    store.interrupt()
  }
  const stopWatching = watchProgress(library, job, options.onProgress)
  options.signal.addEventListener('abort', cancel, { once: true })
  try {
    if (options.signal.aborted) return fail('query/cancelled', 'The load was cancelled.')
    const settings = {
      job,
      source_name: basename(source.path),
      source_bytes: source.sizeBytes,
      fingerprint: source.fingerprint,
      tool_version: toolVersion,
      ...(source.kind === 'chrome_trace' && options.copyArgs ? { copy_args: 1 } : {}),
    }
    const done = await store.get(`SELECT ${functionOf[source.kind]}(?, ?) AS answer`, [source.path, JSON.stringify(settings)])
    if (options.signal.aborted) return fail('query/cancelled', 'The load was cancelled.')
    return done.ok ? ok(undefined) : done
  } finally {
    options.signal.removeEventListener('abort', cancel)
    stopWatching()
    await store.close()
  }
}
