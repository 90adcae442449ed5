// What the tests that ask the built library by SQL share: `node test_….mjs [ADDON]`, checks that count, indexes of captures.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sqlite3 from 'sqlite3'

const MOST_PRINTED = 40

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const addon = process.argv[2] ?? join(root, 'native/build/Release/tidemark.node')
export const corpus = process.env.TIDEMARK_CORPUS ?? join(homedir(), '.cache/tidemark-corpus')
export const sample = (name) => join(root, `resources/samples/${name}.pickle`)

let passed = 0
let failed = 0

export function check(condition, what) {
  if (condition) passed++
  else {
    failed++
    if (failed <= MOST_PRINTED) console.log(`not as expected: ${what}`)
  }
}

/** Prints the last line, `N passed, N failed`, and ends the process. */
export function finish() {
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

export const call = (run) => new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))))
export const all = (db, sql, ...values) => call((done) => db.all(sql, values, done))
/** The first column of the first row. */
export const answer = async (db, sql, ...values) => Object.values((await call((done) => db.get(sql, values, done))) ?? {})[0]
export const close = (db) => call((done) => db.close(done))

/** Checks that a question is answered by an error with this code. */
export async function refused(db, code, sql, ...values) {
  const text = await answer(db, sql, ...values).then(
    () => 'no error',
    (error) => error.message,
  )
  const json = /tidemark:(\{.*\})/.exec(text)
  check(json && JSON.parse(json[1]).code === code, `${sql} with ${JSON.stringify(values)} answers ${text}, not ${code}`)
}

export async function openDatabase(path) {
  const db = new sqlite3.Database(path)
  await call((done) => db.loadExtension(addon, done))
  return db
}

/** Ingests a capture into a new index in `folder`. */
export async function index(folder, capture) {
  const bytes = statSync(capture).size
  const db = await openDatabase(join(folder, `${bytes}.tidemark`))
  const options = { job: 1, source_name: 'capture', source_bytes: bytes, fingerprint: '0', tool_version: '0' }
  await all(db, 'SELECT ingest_snapshot(?,?)', capture, JSON.stringify(options))
  return db
}

/** Runs with a folder that is gone afterwards. */
export async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-query-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The columns of a batch (native/README.md) by name. */
export function decode(batch) {
  const bytes = batch.buffer.slice(batch.byteOffset, batch.byteOffset + batch.byteLength)
  const view = new DataView(bytes)
  check(Buffer.from(bytes, 0, 4).toString() === 'TMB1', 'magic of a batch')
  const columns = {}
  for (let i = 0; i < view.getUint32(4, true); i++) {
    const entry = 8 + i * 40
    const name = Buffer.from(bytes, entry, 24).toString().replace(/\0.*$/, '')
    const [type, , count, offset] = [0, 4, 8, 12].map((at) => view.getUint32(entry + 24 + at, true))
    check(offset % 8 === 0, `alignment of ${name}`)
    if (type === 1) columns[name] = new Uint8Array(bytes, offset, count)
    else if (type === 3) columns[name] = new Float64Array(bytes, offset, count)
    else columns[name] = JSON.parse(Buffer.from(bytes, offset, count).toString())
  }
  return columns
}
