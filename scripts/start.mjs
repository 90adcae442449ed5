// `npm start [-- FILE…]`: sets up, builds and opens the app. Without a screen it does the app's main job on the command line.
import { mkdirSync } from 'node:fs'
import { basename, extname, join, relative, resolve } from 'node:path'
import { build } from './build.mjs'
import { electronEnvironment, resolveElectron } from './electron.mjs'
import { aptLine, ensurePackages, missingPackages } from './lib/debian.mjs'
import { canFakeDisplay, hasDisplay, withVirtualDisplay } from './lib/display.mjs'
import { finishWith, isMain, root, run, say } from './lib/process.mjs'
import { setUp } from './setup.mjs'

const sample = join(root, 'resources', 'samples', 'ft_lora.pickle')

/** npm starts scripts in the project's root; files are meant from where the user stands. */
const fromUserFolder = (word) => (word.startsWith('-') ? word : resolve(process.env.INIT_CWD ?? process.cwd(), word))

const commandLine = join(root, 'out', 'main', 'cli.js')

/** The built command line knows how Electron is started. */
async function openWindow(electron, files) {
  return (await run(process.execPath, [commandLine, ...files], { env: electronEnvironment(electron) })).status
}

/** What a server or CI user sees: the summary, and the picture in a file. */
async function workHeadless(electron, words) {
  const file = words.find((word) => !word.startsWith('-')) ?? sample
  say(`There is no display: showing ${relative(process.cwd(), file)} here instead of opening a window.`)
  const env = electronEnvironment(electron)
  const summary = await run(process.execPath, [commandLine, 'info', file], { env })
  if (summary.status !== 0) return summary.status
  await ensurePackages(['display'])
  if (!canFakeDisplay()) {
    say(`The picture needs a virtual display:\n  ${aptLine(missingPackages(['display']))}`)
    return 1
  }
  const picture = join(root, 'out', `${basename(file, extname(file))}-timeline.png`)
  mkdirSync(join(root, 'out'), { recursive: true })
  const [program, args] = withVirtualDisplay(process.execPath, [commandLine, 'export', file, '--view', 'timeline', '-o', picture])
  const drawn = await run(program, args, { env })
  if (drawn.status === 0) say(`The picture is in ${relative(process.cwd(), picture)}`)
  return drawn.status
}

async function main() {
  const words = process.argv.slice(2).map(fromUserFolder)
  const ready = await setUp(['electron'])
  if (ready !== 0) return ready
  const electron = await resolveElectron()
  if (electron === null) return 1
  const built = await build(electron)
  if (built !== 0) return built
  return hasDisplay() ? openWindow(electron, words) : workHeadless(electron, words)
}

if (isMain(import.meta.url)) finishWith(main())
