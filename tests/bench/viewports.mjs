// Questions of the window to one index: how long the engine takes at random places and zooms, and after opening.
import { createRequire } from 'node:module'
import { library } from './places.mjs'

const sqlite3 = createRequire(import.meta.url)('sqlite3')
const columns = 1200
const rows = 500

const ask = (db, sql, parameters) =>
  new Promise((resolve, reject) => {
    db.all(sql, parameters, (error, found) => (error ? reject(error) : resolve(found)))
  })

const open = (path) =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => {
      if (error) reject(error)
      else db.exec('PRAGMA mmap_size=68719476736', () => db.loadExtension(library, (failure) => (failure ? reject(failure) : resolve(db))))
    })
  })

const picture = async (db, device, from, to, top) => {
  await ask(db, 'SELECT timeline_curves(?, ?, ?, ?, ?)', [device, 'event', from, to, columns])
  await ask(db, 'SELECT timeline_raster(?, ?, ?, ?, ?, ?, ?, ?, ?)', [device, 'event', from, to, columns, rows, 0, top, 'stack'])
}

/** A fixed sequence of numbers in [0, 1): every run asks the same. */
function* numbers() {
  let state = 12345
  for (;;) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    yield state / 0x80000000
  }
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]

/** Time from opening the index to its first picture, then p50 and p95 of `count` pictures (curves and raster) anywhere, in milliseconds. */
export async function measureViewports(path, count = 200) {
  const startedAt = performance.now()
  const db = await open(path)
  const [{ device, event_count: events, peak_allocated_bytes: peak }] = await ask(
    db,
    'SELECT device, event_count, peak_allocated_bytes FROM device ORDER BY event_count DESC LIMIT 1',
    [],
  )
  await picture(db, device, 0, events, peak)
  const firstMs = performance.now() - startedAt
  const random = numbers()
  const next = () => random.next().value
  const times = []
  for (let run = 0; run < count; run += 1) {
    const length = Math.max(columns / 4, events * 10 ** (-4 * next()))
    const from = next() * Math.max(0, events - length)
    const askedAt = performance.now()
    await picture(db, device, from, from + length, peak * (0.2 + 0.9 * next()))
    times.push(performance.now() - askedAt)
  }
  await new Promise((resolve) => db.close(resolve))
  times.sort((a, b) => a - b)
  return { firstMs, p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

/** Milliseconds from the cancel of a running ingest to its answer; the largest of three, cancelled at different stages. */
export async function measureCancel(file) {
  const addon = createRequire(import.meta.url)(library)
  let worst = 0
  for (const [job, afterMs] of [
    [91, 60],
    [92, 300],
    [93, 700],
  ]) {
    const db = await new Promise((resolve, reject) => {
      const opened = new sqlite3.Database(':memory:', (error) => (error ? reject(error) : resolve(opened)))
    })
    await new Promise((resolve, reject) => db.loadExtension(library, (error) => (error ? reject(error) : resolve())))
    const options = { job, source_name: 'bench', source_bytes: 1, fingerprint: 'bench', tool_version: 'bench' }
    let cancelledAt = 0
    setTimeout(() => {
      cancelledAt = performance.now()
      addon.cancel(job)
    }, afterMs)
    const refused = await ask(db, 'SELECT ingest_snapshot(?, ?)', [file, JSON.stringify(options)]).catch((error) => error)
    if (refused instanceof Error && cancelledAt > 0) worst = Math.max(worst, performance.now() - cancelledAt)
    await new Promise((resolve) => db.close(resolve))
  }
  return worst
}
