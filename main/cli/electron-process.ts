// Starts the app's Electron from the command line.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'

const resolverSchema = z.object({ resolveElectron: z.custom<() => Promise<unknown>>((value) => typeof value === 'function') })
const foundSchema = z.object({ binary: z.string() }).nullable()

/** The folder with package.json: two above this file once built. */
function appFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** A development tree resolves by its own script, which also knows the fallback; an installed package by its dependency. */
async function findElectron(root: string): Promise<string | null> {
  const script = join(root, 'scripts', 'electron.mjs')
  if (existsSync(script)) {
    const { resolveElectron } = resolverSchema.parse(await import(pathToFileURL(script).href))
    return foundSchema.parse(await resolveElectron())?.binary ?? null
  }
  try {
    return z.string().parse(createRequire(join(root, 'package.json'))('electron'))
  } catch {
    return null
  }
}

const hasDisplay = (): boolean => process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY)

const onPath = (program: string): boolean => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** A virtual screen for what needs no eyes; -a takes a free display number. Empty where there is a display. */
function virtualScreen(): readonly string[] | null {
  if (hasDisplay()) return []
  return onPath('xvfb-run') && onPath('xauth') ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24 -nolisten tcp'] : null
}

export interface EndedElectron {
  readonly status: number
  /** The end of what a quiet run printed. */
  readonly lastLines: string
}

const keptCharacters = 2000

/**
 * Runs Electron on the app until it ends. isQuiet: it shows no window, so a virtual screen serves too, and its messages are kept.
 * Errors: `engine/internal` when there is no Electron, `window/no_display`.
 */
export async function runElectron(words: readonly string[], { isQuiet }: { readonly isQuiet: boolean }): Promise<Result<EndedElectron>> {
  const root = appFolder()
  const binary = await findElectron(root)
  if (binary === null) return fail('engine/internal', 'There is no Electron to run')
  const screen = isQuiet ? virtualScreen() : hasDisplay() ? [] : null
  if (screen === null) return fail('window/no_display', 'There is no display to draw on')
  // As root on Linux Chromium refuses to start with its sandbox.
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const env = { ...process.env }
  delete env.ELECTRON_RUN_AS_NODE
  const [program = binary, ...args] = [...screen, binary, ...sandbox, root, ...words]
  const child = spawn(program, args, {
    env,
    stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
  })
  let lastLines = ''
  // From a terminal both hear Ctrl+C; whoever ends this process alone means the app too.
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  child.stderr?.on('data', (data: Buffer) => {
    lastLines = (lastLines + data.toString()).slice(-keptCharacters)
  })
  const ended = await new Promise<Result<EndedElectron>>((resolve) => {
    child.on('error', (error) => resolve(fail('engine/internal', `Electron does not start: ${error.message}`)))
    child.on('close', (status) => resolve(ok({ status: status ?? 1, lastLines })))
  })
  process.off('SIGINT', passOn).off('SIGTERM', passOn)
  return ended
}
