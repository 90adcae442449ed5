// The engine inside the command line: opens a file with progress on the terminal, stops at Ctrl+C.
import { ok, type Result } from '../../preload/contract/errors.ts'
import { formatBytes } from '../../preload/contract/format.ts'
import { CacheFolder } from '../engine/cache-folder.ts'
import { Captures } from '../engine/captures.ts'
import { CategoryRuleFiles } from '../engine/category-rules.ts'
import type { StageProgress } from '../engine/jobs.ts'
import { loadNativeLibrary, type NativeLibrary } from '../engine/native-library.ts'
import type { LoadListener } from '../engine/shared-loads.ts'

export interface Session {
  readonly library: NativeLibrary
  readonly ruleFiles: CategoryRuleFiles
  readonly captures: Captures
}

/** Errors: `engine/internal` when the native library is missing. */
export function startSession(): Result<Session> {
  const library = loadNativeLibrary()
  if (!library.ok) return library
  const ruleFiles = CategoryRuleFiles.fromEnvironment(process.env)
  const captures = new Captures(library.value, CacheFolder.fromEnvironment(process.env), ruleFiles)
  return ok({ library: library.value, ruleFiles, captures })
}

const clearLine = '\r\x1b[K'

function progressText({ stage, done, total, bytesPerSecond }: StageProgress): string {
  if (stage !== 'read') return total > 0 ? `${stage} ${Math.floor((100 * done) / total)} %` : stage
  const rate = bytesPerSecond === null ? '' : `, ${formatBytes(bytesPerSecond)}/s`
  return `${stage} ${formatBytes(done)}${total > 0 ? ` of ${formatBytes(total)}` : ''}${rate}`
}

/**
 * Runs `load` with progress on standard error (only when that is a terminal), a word there when another process must be waited for, and a signal
 * that Ctrl+C aborts.
 */
export async function withProgress<T>(load: (options: LoadListener) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const isTerminal = process.stderr.isTTY === true
  const onProgress = (progress: StageProgress) => {
    if (isTerminal) process.stderr.write(clearLine + progressText(progress))
  }
  const onWait = () => process.stderr.write('Waiting for another process that loads the same file\n')
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  try {
    return await load({ signal: controller.signal, onProgress, onWait })
  } finally {
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
    if (isTerminal) process.stderr.write(clearLine)
  }
}
