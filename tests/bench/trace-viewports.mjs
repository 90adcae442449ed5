// Pictures of a trace at random places and zooms, and how far the pyramid of each lane thins it out.
import { ask, close, numbers, open, timed } from './connection.mjs'

const columns = 1200
/** Lanes in sight at once: a window of 1080 lines shows about 50; exports show more. */
const lanesInSight = 50

async function subjectOf(db) {
  const lanes = (await ask(db, 'SELECT lane_id FROM lane ORDER BY lane_id')).map((row) => row.lane_id)
  const [{ first, last }] = await ask(db, "SELECT min(first_ns) AS first, max(last_ns) AS last FROM track WHERE kind <> 'process'")
  const [{ slices }] = await ask(db, 'SELECT sum(slice_count) AS slices FROM track')
  return { lanes, first, last: last + 1, slices }
}

/** Time from opening the index to its first picture, then p50 and p95 of `count` pictures anywhere, in milliseconds; and its slices. */
export async function measureTraceViewports(path, count = 200) {
  const startedAt = performance.now()
  const db = await open(path)
  const { lanes, first, last, slices } = await subjectOf(db)
  const picture = (chosen, from, to, colorBy) =>
    ask(db, 'SELECT trace_raster(?, ?, ?, ?, ?, ?)', [JSON.stringify(chosen), from, to, columns, colorBy, ''])
  await picture(lanes.slice(0, lanesInSight), first, last, 'name')
  const firstMs = performance.now() - startedAt
  const next = numbers()
  const times = await timed(count, () => {
    const length = (last - first) * 10 ** (-6 * next())
    const from = first + next() * (last - first - length)
    const top = Math.floor(next() * Math.max(1, lanes.length - lanesInSight))
    return picture(lanes.slice(top, top + lanesInSight), from, from + length, next() < 0.5 ? 'name' : 'category')
  })
  await close(db)
  return { firstMs, slices, ...times }
}

/**
 * The most items of a lane that share a pixel on average over the capture, at any zoom from all of it down: a picture reads the coarsest
 * kept level whose items are no longer than a pixel.
 */
export async function measureItemsPerPixel(path) {
  const db = await open(path)
  const { first, last } = await subjectOf(db)
  const levels = await ask(
    db,
    `SELECT lane_id, 0 AS level, slice_count AS items FROM lane UNION ALL SELECT lane_id, level, row_count FROM lane_level ORDER BY lane_id, level`,
  )
  await close(db)
  const widest = Math.log2((last - first) / columns)
  let most = 0
  for (const [at, { lane_id: lane, items }] of levels.entries()) {
    const above = levels[at + 1]
    const exponent = above !== undefined && above.lane_id === lane ? Math.min(above.level, widest) : widest
    most = Math.max(most, (items * 2 ** exponent) / (last - first))
  }
  return most
}
