// Ingests the files named on standard input, one after the other, and reports each as a line of JSON. A process of its own, so that a
// crash or a hang is seen from outside as what it is. usage: node ingest-child.mjs LIBRARY ingest_snapshot|ingest_trace|ingest_profile < list
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import sqlite3 from 'sqlite3'
import { readTraceBack } from './read-trace.mjs'

const [, , library, ingestFunction] = process.argv
const report = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

/** The high-water mark of this process alone: getrusage's one starts, after fork and exec, at the size of the parent. */
function largestResidentKib() {
  const status = '/proc/self/status'
  const found = existsSync(status) ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8')) : null
  return found === null ? process.resourceUsage().maxRSS : Number(found[1])
}

const connect = () =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(':memory:', (error) => {
      if (error) reject(error)
      else db.loadExtension(library, (failure) => (failure ? reject(failure) : resolve(db)))
    })
  })

const all = (db, sql, parameters = []) =>
  new Promise((resolve, reject) => {
    db.all(sql, parameters, (error, rows) => (error ? reject(error) : resolve(rows)))
  })

/** Reads everything back, so that a bad value in a relation shows as well. */
async function readBack(db) {
  const findings = (await all(db, 'SELECT code FROM finding')).map((row) => row.code)
  const [{ events }] = await all(db, 'SELECT count(*) AS events FROM event')
  await all(db, 'SELECT count(address), sum(size_bytes % 1000), max(free_completed_event) FROM allocation')
  await all(db, 'SELECT max(allocated_bytes), min(requested_bytes) FROM memory_curve')
  const types = (await all(db, 'SELECT value_type FROM profile_value_type')).map((row) => row.value_type)
  for (const type of types) await all(db, "SELECT flame_tree(0, 'profile', 'bytes', ?, ?, '', '', 'size', 0, 1000)", [type, type])
  const devices = (await all(db, 'SELECT device FROM device LIMIT 3')).map((row) => row.device)
  for (const device of devices) {
    await all(db, 'SELECT timeline_curves(?, ?, ?, ?, ?)', [device, 'event', -1, events + 1, 50])
    await all(db, 'SELECT timeline_raster(?, ?, ?, ?, ?, ?, ?, ?, ?)', [device, 'event', -1, events + 1, 50, 40, 0, 1e9, 'stack'])
  }
  return { findings, events }
}

async function ingest(path) {
  const db = await connect()
  const options = { job: 1, source_name: 'test', source_bytes: statSync(path).size, fingerprint: 'test', tool_version: 'test' }
  try {
    await all(db, `SELECT ${ingestFunction}(?, ?)`, [path, JSON.stringify(options)])
    const trace = ingestFunction === 'ingest_trace' ? await readTraceBack((sql, parameters) => all(db, sql, parameters)) : {}
    return { ok: true, ...trace, ...(await readBack(db)) }
  } catch (error) {
    const text = /tidemark:(\{.*\})/s.exec(error.message)?.[1]
    return { ok: false, ...(text === undefined ? { code: null, message: error.message } : JSON.parse(text)) }
  } finally {
    await new Promise((resolve) => db.close(resolve))
  }
}

for await (const path of createInterface({ input: process.stdin })) {
  report({ begins: path })
  const outcome = await ingest(path)
  report({ path, ...outcome, maxRssKib: largestResidentKib() })
}
