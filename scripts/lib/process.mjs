// Child processes and plain messages for the scripts. Node built-ins only: these run on a fresh clone, before any install.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The project's root folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** True when the script at `metaUrl` was started itself, not imported. */
export const isMain = (metaUrl) => process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === metaUrl

/** True for the superuser (Electron then needs --no-sandbox, and apt-get needs no sudo). */
export const isSuperuser = () => process.getuid?.() === 0

/** One line to standard error, where all progress goes. */
export const say = (text) => process.stderr.write(`${text}\n`)

/** What npm said, without the address of the registry: that is a matter of the machine, often an internal one, and logs get copied around. */
export const withoutHosts = (text) => text.replace(/\bhttps?:\/\/[^/\s'")]+/g, '<registry>')

/** The full path of a program, or null when PATH does not have it. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name)
    if (folder !== '' && existsSync(file)) return file
  }
  return null
}

/**
 * Runs a program to its end and answers its exit status (128 + n after signal n, as a shell says it). SIGINT and SIGTERM are passed on.
 * `capture` also answers what it printed; the text is still shown unless `quiet`. `signal` (an AbortSignal) ends it early.
 * `label` stands before each line shown, where another program prints at the same time.
 */
export function run(program, args, { capture = false, quiet = false, label = '', env = process.env, cwd = root, signal } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, signal, stdio: capture || label !== '' ? ['inherit', 'pipe', 'pipe'] : 'inherit' })
    const pieces = []
    const watch = (stream, shown) => {
      if (stream === null) return
      if (capture) stream.on('data', (piece) => pieces.push(piece))
      if (quiet) return
      if (label === '') stream.on('data', (piece) => shown.write(piece))
      else createInterface({ input: stream }).on('line', (line) => shown.write(`${label}${line}\n`))
    }
    watch(child.stdout, process.stdout)
    watch(child.stderr, process.stderr)
    const passOn = (name) => child.kill(name)
    process.on('SIGINT', passOn)
    process.on('SIGTERM', passOn)
    const finish = (status) => {
      process.off('SIGINT', passOn)
      process.off('SIGTERM', passOn)
      resolve({ status, output: Buffer.concat(pieces).toString('utf8') })
    }
    child.on('error', (error) => {
      if (error.name !== 'AbortError') say(`cannot run ${program}: ${error.message}`)
      finish(127)
    })
    child.on('close', (code, killedBy) => finish(code ?? 128 + (signalNumbers[killedBy] ?? 0)))
  })
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 }

/** What a short program prints on standard output, or null when it fails. */
export function outputOf(program, args) {
  const done = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return done.status === 0 ? done.stdout : null
}

/** Runs a script's main function and turns its answer into the exit status; an unexpected failure is 3. */
export function finishWith(promise) {
  promise.then(
    (status) => {
      process.exitCode = status
    },
    (error) => {
      say(`error: ${error instanceof Error ? error.stack : String(error)}`)
      process.exitCode = 3
    },
  )
}
