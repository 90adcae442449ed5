#!/usr/bin/env node
// The command line. Every command is loaded when asked for, so that `--help` costs no more than starting Node.
import { fstatSync, writeSync } from 'node:fs'
import { usageText } from './cli/usage.ts'

type Command = (words: string[]) => Promise<number>

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  info: () => import('./cli/info.ts').then((module) => module.info),
  index: () => import('./cli/index-command.ts').then((module) => module.index),
  query: () => import('./cli/query.ts').then((module) => module.query),
  diagnose: () => import('./cli/diagnose.ts').then((module) => module.diagnoseFiles),
  whatif: () => import('./cli/whatif.ts').then((module) => module.whatIf),
  export: () => import('./cli/export.ts').then((module) => module.exportView),
  report: () => import('./cli/report.ts').then((module) => module.report),
}

async function run([first, ...rest]: string[]): Promise<number> {
  const load = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined
  if (first === 'help' || [first, ...(load ? rest : [])].some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usageText)
    return 0
  }
  if (first === '--version' || first === '-v') {
    const { toolVersion } = await import('./engine/index-version.ts')
    process.stdout.write(`${toolVersion}\n`)
    return 0
  }
  if (load) return (await load())(rest)
  const { openWindows } = await import('./cli/open.ts')
  return openWindows(first === undefined ? [] : [first, ...rest])
}

/**
 * Node gives a chunk to a file once and takes what the disk has taken of it for all: the rest of a long answer would be missing without a word.
 */
function writeAll(chunk: Uint8Array, _: string, done: (error?: Error | null) => void): void {
  try {
    for (let at = 0; at < chunk.length; ) at += writeSync(process.stdout.fd, chunk, at)
    done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}
if (fstatSync(process.stdout.fd).isFile()) process.stdout._write = writeAll

/** A reader that has seen enough (`| head`) is no failure; a full disk behind `>` is. */
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  const { reportFailure } = await import('./cli/failure.ts')
  reportFailure({ code: 'export/write_failed', message: error.message }, 'standard output')
  process.exit(3)
})

run(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status
  },
  async (error: unknown) => {
    const { reportException } = await import('./cli/failure.ts')
    process.exitCode = reportException(error)
  },
)
