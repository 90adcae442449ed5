// Finds the Electron that start, test and build use. `node scripts/electron.mjs` prints it as JSON.
// Order: $ELECTRON_OVERRIDE_DIST_PATH, the installed one, its official download, a cached older test runtime.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fallbackElectron, fallbackVersion, toolCache } from './lib/fallback-electron.mjs'
import { finishWith, isMain, root, run, say } from './lib/process.mjs'

const packageFolder = join(root, 'node_modules', 'electron')

/** Name of the program inside a distribution folder. */
const binaryName = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'

function distributionAt(dist) {
  const binary = join(dist, binaryName)
  if (!existsSync(binary)) return null
  const versionFile = join(dist, 'version')
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : ''
  return { dist, binary, version, isFallback: version === fallbackVersion }
}

/** path.txt is the last thing that Electron's installer writes: without it the folder may be half-made. */
const installedElectron = () => (existsSync(join(packageFolder, 'path.txt')) ? distributionAt(join(packageFolder, 'dist')) : null)

const failureNote = () => join(toolCache(), 'official-download-failed')
const retryAfterMs = 60 * 60 * 1000
const stallMs = 15 * 1000

function failedLately() {
  const note = failureNote()
  return existsSync(note) && Date.now() - statSync(note).mtimeMs < retryAfterMs
}

function bytesUnder(folder) {
  let total = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += statSync(join(entry.parentPath ?? entry.path, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return total
}

/** Runs Electron's own installer. It may take minutes on a slow line, but one that brings no byte for 15 s is given up. */
async function downloadOfficial() {
  const installer = join(packageFolder, 'install.js')
  if (!existsSync(installer) || failedLately()) return
  mkdirSync(toolCache(), { recursive: true })
  const work = mkdtempSync(join(toolCache(), 'download-')) // the installer downloads into the temporary folder: there it can be watched
  const abort = new AbortController()
  const timer = setInterval(stallWatch([work, packageFolder], abort), 1000)
  say('Fetching Electron')
  try {
    const env = { ...process.env, TMPDIR: work, TEMP: work, TMP: work }
    const done = await run(process.execPath, [installer], { env, capture: true, quiet: true, signal: abort.signal })
    if (done.status === 0) return
    say(abort.signal.aborted ? 'The download of Electron brings no data' : 'Electron cannot be downloaded here')
    writeFileSync(failureNote(), done.output)
  } finally {
    clearInterval(timer)
    rmSync(work, { recursive: true, force: true })
  }
}

/** Called every second: aborts when the folders have not grown for a while. */
function stallWatch(folders, abort) {
  let seen = -1
  let since = Date.now()
  return () => {
    const now = folders.reduce((sum, folder) => sum + bytesUnder(folder), 0)
    if (now === seen && Date.now() - since > stallMs) abort.abort()
    if (now === seen) return
    seen = now
    since = Date.now()
  }
}

/**
 * The Electron to use: its folder, program, version and whether it is the fallback. Null when none can be had, after saying what to do.
 */
export async function resolveElectron() {
  const forced = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (forced) {
    const found = distributionAt(forced)
    if (found === null) say(`ELECTRON_OVERRIDE_DIST_PATH has no ${binaryName}: ${forced}`)
    return found
  }
  const installed = installedElectron()
  if (installed !== null) return installed
  await downloadOfficial()
  const fetched = installedElectron()
  if (fetched !== null) return fetched
  const fallback = await fallbackElectron()
  if (fallback === null) {
    say('No Electron: connect once and run this again, or point ELECTRON_OVERRIDE_DIST_PATH at an unpacked Electron distribution')
    return null
  }
  return distributionAt(fallback)
}

/** The environment in which `require('electron')`, electron-vite and Playwright find this Electron. */
export function electronEnvironment(electron, base = process.env) {
  const env = { ...base, ELECTRON_OVERRIDE_DIST_PATH: electron.dist, ELECTRON_EXEC_PATH: electron.binary }
  // electron-vite picks its targets by this; unset, it goes by the npm package, which is newer than the fallback.
  if (electron.isFallback) env.ELECTRON_MAJOR_VER = electron.version.split('.')[0]
  return env
}

async function main() {
  const electron = await resolveElectron()
  if (electron === null) return 1
  process.stdout.write(`${JSON.stringify(electron, null, 2)}\n`)
  return 0
}

if (isMain(import.meta.url)) finishWith(main())
