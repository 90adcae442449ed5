// Builds the app into out/ when a source is newer, for the Electron that will run it.
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { electronEnvironment, resolveElectron } from './electron.mjs'
import { isStale } from './lib/freshness.mjs'
import { finishWith, isMain, root, run, say } from './lib/process.mjs'
import { setUp } from './setup.mjs'

const inputs = ['main', 'preload', 'renderer', 'electron.vite.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json']
const stamp = join(root, 'out', 'built-for.json')

/** Builds for `electron` (see electron.mjs) unless out/ is up to date for it already. Answers an exit status. */
export async function build(electron) {
  const target = electron.version.split('.')[0]
  const builtFor = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')).electron : null
  const sources = inputs.map((path) => join(root, path))
  if (builtFor === target && !isStale(stamp, sources)) return 0
  say(`Building for Electron ${target}`)
  const startedAt = Date.now()
  const tool = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const done = await run(process.execPath, [tool, 'build', '--logLevel', 'warn'], { env: electronEnvironment(electron) })
  if (done.status !== 0) return done.status
  writeStamp(target, startedAt)
  return 0
}

/** The stamp carries the time of the start: a source edited during the build makes the next build run. */
function writeStamp(target, startedAt) {
  writeFileSync(stamp, `${JSON.stringify({ electron: target })}\n`)
  utimesSync(stamp, startedAt / 1000, startedAt / 1000)
}

async function main() {
  const ready = await setUp([])
  if (ready !== 0) return ready
  const electron = await resolveElectron()
  return electron === null ? 1 : build(electron)
}

if (isMain(import.meta.url)) finishWith(main())
