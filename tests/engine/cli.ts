// Runs the built command line as a process.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/paths.ts'

export const cliPath = join(root, 'out', 'main', 'cli.js')

export interface CliRun {
  readonly status: number
  readonly out: string
  readonly err: string
}

export interface CliOptions {
  readonly cache: string
  readonly env?: Readonly<Record<string, string>>
  /** Shell commands before, such as a limit. */
  readonly before?: string
  /** Runs as this user (needs root). */
  readonly uid?: number
}

/** Starts the command line; `pid` is known at once, `done` when it ends. */
export function startCli(words: readonly string[], { cache, env = {}, before = '', uid }: CliOptions) {
  if (!existsSync(cliPath)) throw new Error('out/main/cli.js is missing: run npm run build')
  const quoted = [process.execPath, cliPath, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('/bin/bash', ['-c', `${before}\nexec ${quoted}`], {
    env: { ...process.env, TIDEMARK_CACHE: cache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const text = { out: '', err: '' }
  child.stdout.on('data', (data: Buffer) => {
    text.out += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    text.err += data.toString()
  })
  const done = new Promise<CliRun>((resolve) => child.on('close', (status) => resolve({ status: status ?? -1, ...text })))
  return { child, done }
}

export const runCli = (words: readonly string[], options: CliOptions): Promise<CliRun> => startCli(words, options).done
