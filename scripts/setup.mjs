// Makes a fresh clone ready: system packages, the locked npm packages, the native library. Does nothing that is already done.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensurePackages } from './lib/debian.mjs'
import { isStale, newestUnder } from './lib/freshness.mjs'
import { finishWith, isMain, root, run, say, withoutHosts } from './lib/process.mjs'

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** True when node_modules lacks a locked package or holds another version of it. Contents decide: times say nothing after a checkout. */
function modulesAreStale() {
  const installedList = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedList)) return true
  const installed = readJson(installedList).packages
  const locked = readJson(join(root, 'package-lock.json')).packages
  return Object.entries(locked).some(([path, wanted]) => {
    if (path === '') return false
    const found = installed[path]
    return found === undefined ? wanted.optional !== true : found.version !== wanted.version
  })
}

/** Where Node brought its own headers; empty where it did not, and node-gyp fetches them. */
function ownHeaders() {
  const prefix = dirname(dirname(process.execPath))
  return existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? [prefix] : []
}

async function installModules() {
  if (!modulesAreStale()) return 0
  say('Installing the locked npm packages (sqlite3 is compiled: about a minute)')
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const [headers] = ownHeaders()
  const env = { ...process.env, JOBS: '2', ...(headers === undefined ? {} : { npm_config_nodedir: headers }) }
  const options = { env, capture: true, quiet: true }
  const done = npm?.endsWith('.js') ? await run(process.execPath, [npm, ...args], options) : await run('npm', args, options)
  if (done.status !== 0) say(withoutHosts(done.output))
  return done.status
}

const nativeLibrary = join(root, 'native', 'build', 'Release', 'tidemark.node')
const isNativeSource = (path) => /\.(cc|cpp|h|c|gyp|gypi)$/.test(path)

/** Builds native/ when a source is newer than the library. */
export async function buildNative() {
  const sources = [join(root, 'native', 'src'), join(root, 'native', 'binding.gyp')]
  if (!isStale(nativeLibrary, sources, isNativeSource)) return 0
  say('Building the native library')
  const gyp = join(root, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js')
  const nodedir = ownHeaders().map((prefix) => `--nodedir=${prefix}`)
  const options = ['-C', 'native', '--loglevel=warn', '--jobs=2', ...nodedir]
  const configured = join(root, 'native', 'build', 'Makefile')
  // The generated makefile lists the sources: a file that came or went is only seen by configuring again.
  if (!existsSync(configured) || newestUnder(sources[1]) > newestUnder(configured) || sourcesChangedSince(configured)) {
    const made = await run(process.execPath, [gyp, 'configure', ...options])
    if (made.status !== 0) return made.status
  }
  return (await run(process.execPath, [gyp, 'build', ...options])).status
}

const sourcesChangedSince = (file) => isStale(file, [join(root, 'native', 'src')], (path) => /\.(cc|cpp|c)$/.test(path))

/**
 * All set-up for `purposes` of lib/debian.mjs (build is always among them). Answers an exit status: 0 = ready.
 */
export async function setUp(purposes = ['electron']) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    say(`Node ${process.versions.node} is too old: 20.19 or newer is needed`)
    return 1
  }
  if (!(await ensurePackages(['build', ...purposes]))) return 1
  const status = await installModules()
  return status === 0 ? buildNative() : status
}

if (isMain(import.meta.url)) finishWith(setUp())
