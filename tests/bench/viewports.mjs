// Questions of the window to one index: how long the engine takes at random places and zooms, and after opening.
import { createRequire } from 'node:module'
import { ask, close, numbers, open, openEmpty, timed } from './connection.mjs'
import { library } from './places.mjs'

const columns = 1200
const rows = 500

const picture = async (db, device, from, to, top) => {
  await ask(db, 'SELECT timeline_curves(?, ?, ?, ?, ?)', [device, 'event', from, to, columns])
  await ask(db, 'SELECT timeline_raster(?, ?, ?, ?, ?, ?, ?, ?, ?)', [device, 'event', from, to, columns, rows, 0, top, 'stack'])
}

/** Time from opening the index to its first picture, then p50 and p95 of `count` pictures (curves and raster) anywhere, in milliseconds. */
export async function measureViewports(path, count = 200) {
  const startedAt = performance.now()
  const db = await open(path)
  const [{ device, event_count: events, peak_allocated_bytes: peak }] = await ask(
    db,
    'SELECT device, event_count, peak_allocated_bytes FROM device ORDER BY event_count DESC LIMIT 1',
  )
  await picture(db, device, 0, events, peak)
  const firstMs = performance.now() - startedAt
  const next = numbers()
  const times = await timed(count, () => {
    const length = Math.max(columns / 4, events * 10 ** (-4 * next()))
    const from = next() * Math.max(0, events - length)
    return picture(db, device, from, from + length, peak * (0.2 + 0.9 * next()))
  })
  await close(db)
  return { firstMs, ...times }
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
    const db = await openEmpty()
    const options = { job, source_name: 'bench', source_bytes: 1, fingerprint: 'bench', tool_version: 'bench' }
    let cancelledAt = 0
    setTimeout(() => {
      cancelledAt = performance.now()
      addon.cancel(job)
    }, afterMs)
    const refused = await ask(db, 'SELECT ingest_snapshot(?, ?)', [file, JSON.stringify(options)]).catch((error) => error)
    if (refused instanceof Error && cancelledAt > 0) worst = Math.max(worst, performance.now() - cancelledAt)
    await close(db)
  }
  return worst
}
