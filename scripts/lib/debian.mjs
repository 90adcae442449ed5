// System libraries on Debian and Ubuntu: what is missing, and how it gets there.
import { findProgram, isSuperuser, outputOf, run, say } from './process.mjs'

/** Packages by purpose. build: compiling; electron: running a window; display: a window without a screen, with software GL; test: the suites. */
export const packages = {
  build: ['g++', 'make', 'python3', 'zlib1g-dev'],
  electron: ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'],
  display: ['xvfb', 'xauth', 'libgl1-mesa-dri'],
  test: ['sqlite3'],
}

const isInstalled = (name) => outputOf('dpkg-query', ['-s', name])?.includes('\nStatus: install ok installed') === true

/** Ubuntu 24.04 and Debian 13 renamed some libraries to NAMEt64: either name will do. */
const isPresent = (name) => isInstalled(name) || isInstalled(`${name}t64`)

/** The packages of these purposes that are not installed; empty on systems without dpkg, which nobody here can judge. */
export function missingPackages(purposes) {
  if (process.platform !== 'linux' || findProgram('dpkg-query') === null) return []
  return purposes.flatMap((purpose) => packages[purpose]).filter((name) => !isPresent(name))
}

/** The one line that a user can copy. */
export const aptLine = (names) => `sudo apt-get install -y --no-install-recommends ${names.join(' ')}`

const nameHere = (name) => (outputOf('apt-cache', ['show', '--no-all-versions', `${name}t64`]) ? `${name}t64` : name)

/**
 * Sees to the packages of these purposes: as the superuser installs the missing ones after saying so, else prints the line to copy.
 * Answers true when nothing is missing any more.
 */
export async function ensurePackages(purposes) {
  const missing = missingPackages(purposes)
  if (missing.length === 0) return true
  if (!isSuperuser() || findProgram('apt-get') === null) {
    say(`These system packages are missing:\n  ${aptLine(missing)}`)
    return false
  }
  say(`Installing system packages: ${missing.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  const done = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing.map(nameHere)], { env })
  if (done.status === 0) return true
  say(`apt-get failed. By hand:\n  ${aptLine(missing)}`)
  return false
}
