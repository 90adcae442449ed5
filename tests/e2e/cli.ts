// Asks the command line in plain Node what the window should show: SQL on the same capture, through the same folder of indexes.
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './files.ts'

type Row = Readonly<Record<string, string | number | null>>

const cli = join(root, 'out', 'main', 'cli.js')
const optionsOf = (cacheFolder: string) => ({ env: { ...process.env, TIDEMARK_CACHE: cacheFolder }, maxBuffer: 64 << 20 })

/** Runs the command line to its end; answers what it printed. Throws when it fails. */
export function runCli(cacheFolder: string, words: readonly string[]): string {
  const output = execFileSync(process.execPath, [cli, ...words], { ...optionsOf(cacheFolder), stdio: ['ignore', 'pipe', 'pipe'] })
  return output.toString('utf8')
}

/** The same beside others. */
export async function startCli(cacheFolder: string, words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [cli, ...words], optionsOf(cacheFolder))).stdout
}

/** Rows of a question. */
export const query = (cacheFolder: string, file: string, sql: string): Row[] =>
  JSON.parse(runCli(cacheFolder, ['query', file, sql, '--format', 'json'])) as Row[]

/** The number in the only row's column. */
export function numberOf(cacheFolder: string, file: string, sql: string): number {
  const [row] = query(cacheFolder, file, sql)
  const value = row === undefined ? undefined : Object.values(row)[0]
  if (typeof value !== 'number') throw new Error(`no number for ${sql}`)
  return value
}

/** SQL of what is held after an event: allocated and not yet asked to be freed. */
export const aliveAfter = (event: number, device = 0): string =>
  `device = ${device} AND (alloc_event IS NULL OR alloc_event <= ${event}) AND (free_requested_event IS NULL OR free_requested_event > ${event})`
