// The built library in each of its hosts: Node as an addon and as an SQLite extension, the stock sqlite3 shell as an extension.
// node test_hosts.mjs [ADDON]; the last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { addon, answer, check, close, finish, openDatabase, root } from './sql_checks.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function asAddon() {
  const library = createRequire(import.meta.url)(addon)
  for (const name of ['progress', 'cancel', 'sniff']) check(typeof library[name] === 'function', `the addon has ${name}`)
  check(library.progress(12345) === null, 'progress of a job that does not run is null')
  check(library.sniff(join(root, 'resources/samples/oom.pickle')).kind !== undefined, 'sniff knows a sample')
}

async function asExtension() {
  const db = await openDatabase(':memory:')
  const told = await answer(db, 'SELECT tidemark_version()')
  check(told === version, `tidemark_version() in Node is ${told}, not ${version}`)
  await close(db)
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
finish()
