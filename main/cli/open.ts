// `tidemark FILE…`: opens windows.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { runElectron } from './electron-process.ts'
import { reportFailure } from './failure.ts'
import { UsageError } from './usage.ts'

/** Opens the files in the app and waits until it is closed (or has handed them to the one that runs). Answers the exit status. */
export async function openWindows(words: readonly string[]): Promise<number> {
  const option = words.find((word) => word.startsWith('-'))
  if (option !== undefined) throw new UsageError(`there is no option ${option}`)
  const missing = words.find((word) => !existsSync(word))
  if (missing !== undefined) return reportFailure({ code: 'file/not_found', message: 'There is no such file or command' }, missing)
  const ended = await runElectron(
    words.map((word) => resolve(word)),
    { isQuiet: false },
  )
  if (!ended.ok) return reportFailure(ended.error, words.join(' ') || 'the app')
  return ended.value.status === 0 ? 0 : 3
}
