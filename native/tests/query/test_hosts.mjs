// The built library in each of its hosts: Node as an addon and as an SQLite extension, the stock sqlite3 shell as an extension.
// node test_hosts.mjs [ADDON]; the last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sqlite3 from 'sqlite3'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const addon = process.argv[2] ?? join(root, 'native/build/Release/tidemark.node')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
let passed = 0
let failed = 0

function check(condition, what) {
  if (condition) passed++
  else {
    failed++
    console.log(`not as expected: ${what}`)
  }
}

function asAddon() {
  const library = createRequire(import.meta.url)(addon)
  for (const name of ['progress', 'cancel', 'sniff']) check(typeof library[name] === 'function', `the addon has ${name}`)
  check(library.progress(12345) === null, 'progress of a job that does not run is null')
  check(library.sniff(join(root, 'resources/samples/oom.pickle')).kind !== undefined, 'sniff knows a sample')
}

const call = (run) => new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))))

async function asExtension() {
  const db = new sqlite3.Database(':memory:')
  await call((done) => db.loadExtension(addon, done))
  const row = await call((done) => db.get('SELECT tidemark_version() AS version', done))
  check(row.version === version, `tidemark_version() in Node is ${row.version}, not ${version}`)
  await call((done) => db.close(done))
}

function inShell() {
  const script = `.load "${addon}"\nSELECT tidemark_version();\nSELECT count(*) FROM allocation;\n`
  const shell = spawnSync('sqlite3', ['-batch', ':memory:'], { input: script, encoding: 'utf8' })
  if (shell.error?.code === 'ENOENT') return console.log('skipped: the stock sqlite3 shell, which is not installed')
  if (/unknown command.*load/i.test(shell.stderr)) return console.log('skipped: this sqlite3 shell cannot load extensions')
  check(shell.stdout.trim() === version, `tidemark_version() in the shell is ${shell.stdout.trim()}: ${shell.stderr.trim()}`)
  check(shell.stderr.includes('index/not_an_index'), `an empty database is no index, told: ${shell.stderr.trim()}`)
}

asAddon()
await asExtension()
inShell()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
