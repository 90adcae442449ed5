// Runs many files through the ingest in child processes and tells what became of each, crash and hang included.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nativeLibrary } from '../support/index-file.ts'
import { root } from '../support/paths.ts'

export interface Outcome {
  readonly name: string
  /** loaded: with findings; refused: with a code; crashed and hung: never acceptable. */
  readonly kind: 'loaded' | 'refused' | 'crashed' | 'hung'
  /** The error's code; null where a failure has none. */
  readonly code?: string | null
  readonly message?: string
  readonly findings?: readonly string[]
  readonly events?: number
  /** Of a trace. */
  readonly slices?: number
  /** Largest resident size of the process so far. */
  readonly maxRssKib?: number
}

/** A bound on hangs, not on speed: the slowest of these files takes seconds on a quiet machine. */
const patienceMs = 90_000

interface Report {
  readonly begins?: string
  readonly path?: string
  readonly ok?: boolean
  readonly code?: string | null
  readonly message?: string
  readonly findings?: readonly string[]
  readonly events?: number
  readonly slices?: number
  readonly maxRssKib?: number
}

export type Ingest = 'ingest_snapshot' | 'ingest_trace' | 'ingest_profile'

/** Writes the files into `folder` and ingests them in order. After a crash or hang it goes on with the next in a new process. */
export async function ingestFiles(
  folder: string,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  ingest: Ingest = 'ingest_snapshot',
): Promise<Outcome[]> {
  mkdirSync(folder, { recursive: true })
  const paths = files.map(({ bytes }, index) => {
    const path = join(folder, `${index}.capture`)
    writeFileSync(path, bytes)
    return path
  })
  const outcomes: Outcome[] = []
  while (outcomes.length < files.length) {
    const rest = paths.slice(outcomes.length)
    for (const report of await runChild(rest, ingest)) outcomes.push({ ...report, name: files[outcomes.length]?.name ?? '' })
  }
  return outcomes
}

/** One child over `paths`: answers an outcome for each file that it began. */
function runChild(paths: readonly string[], ingest: Ingest): Promise<Omit<Outcome, 'name'>[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'tests', 'bad-input', 'ingest-child.mjs'), nativeLibrary, ingest], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const outcomes: Omit<Outcome, 'name'>[] = []
    let begun = 0
    let hung = false
    const giveUp = () => {
      hung = true
      child.kill('SIGKILL')
    }
    let timer = setTimeout(giveUp, patienceMs)
    createInterface({ input: child.stdout }).on('line', (line) => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, patienceMs)
      const report = JSON.parse(line) as Report
      if (report.begins !== undefined) begun += 1
      else outcomes.push(outcomeOf(report))
    })
    child.on('error', reject)
    child.stdin.on('error', () => undefined) // a child that crashed takes no more names: its exit says it
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (begun > outcomes.length) outcomes.push({ kind: hung ? 'hung' : 'crashed', message: `exit ${code}, signal ${signal}` })
      if (outcomes.length === 0) reject(new Error(`the ingest process did not start: exit ${code}, signal ${signal}`))
      else resolve(outcomes)
    })
    child.stdin.end(`${paths.join('\n')}\n`)
  })
}

function outcomeOf(report: Report): Omit<Outcome, 'name'> {
  const { ok, code, message, findings, events, slices, maxRssKib } = report
  return JSON.parse(
    JSON.stringify({ kind: ok === true ? 'loaded' : 'refused', code, message, findings, events, slices, maxRssKib }),
  ) as Outcome
}
