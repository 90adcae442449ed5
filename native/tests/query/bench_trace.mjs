// Times of the questions about a trace as the engine asks them: SQL through node-sqlite3 on a complete index, round trip included, over
// random views. Views jump about, which is worse than panning: little of what one needs was read for the one before.
// node bench_trace.mjs ADDON INDEX…   (ADDON: the built tidemark.node; INDEX: a .tidemark file of a trace)
import { all, argumentsOf, measure, numbers, openIndex } from './bench_times.mjs'

const COLUMNS = 2000
const MOST_LANES = 200
const ROUNDS = 60

const { addon, indexes } = argumentsOf('bench_trace.mjs')

async function measureRasters(db, span, lanes, random) {
  const raster = (t0, t1, colorBy, filter) =>
    all(db, 'SELECT trace_raster(?,?,?,?,?,?) AS batch', JSON.stringify(lanes), t0, t1, COLUMNS, colorBy, filter)
  const view = (zoom) => {
    const length = span.length / zoom
    const t0 = span.first + random() * (span.length - length)
    return [t0, t0 + length]
  }
  await measure('raster, first', 1, () => raster(...view(1), 'name', ''))
  for (const zoom of [1, 3, 10, 100, 1e3, 1e4, 1e5, 1e6])
    await measure(`raster zoom ${zoom}`, ROUNDS, () => raster(...view(zoom), 'name', ''))
  await measure('raster, any zoom', 4 * ROUNDS, () => raster(...view(10 ** (random() * 6)), 'name', ''))
  await measure('raster category, any zoom', ROUNDS, () => raster(...view(10 ** (random() * 6)), 'category', ''))
  const [{ id }] = await all(db, 'SELECT string_id AS id FROM trace_name ORDER BY slice_count DESC LIMIT 1')
  const filter = JSON.stringify({ names: [id] })
  await measure('raster filter, first', 1, () => raster(...view(1), 'name', filter))
  await measure('raster filter, any zoom', ROUNDS, () => raster(...view(10 ** (random() * 6)), 'name', filter))
  let [t0, t1] = view(1e4)
  await measure('raster panning, zoom 10000', ROUNDS, () => {
    const step = (t1 - t0) / 30
    ;[t0, t1] = [t0 + step, t1 + step]
    return raster(t0, t1, 'name', '')
  })
}

async function measureOthers(db, span, lanes, random) {
  const time = () => span.first + random() * span.length
  const lane = () => lanes[Math.floor(random() * lanes.length)]
  await measure('trace_pick', ROUNDS, () => all(db, 'SELECT trace_pick(?,?,1000)', lane(), time()))
  const names = await all(db, 'SELECT string_id AS id FROM trace_name ORDER BY slice_count LIMIT 20')
  await measure('trace_next, all names', ROUNDS, () => all(db, `SELECT trace_next('','',?,-1,1)`, time()))
  await measure('trace_next, rare names', ROUNDS, () =>
    all(
      db,
      `SELECT trace_next(?,'',?,-1,?)`,
      JSON.stringify([names[Math.floor(random() * names.length)].id]),
      time(),
      Number(random() < 0.5),
    ),
  )
  for (const by of ['name', 'category', 'track']) {
    await measure(`trace_selection of all by ${by}`, 5, () =>
      all(db, `SELECT trace_selection('',?,?,?,100)`, span.first, span.first + span.length, by),
    )
  }
  await measure('trace_selection of a part', ROUNDS, () => {
    const length = span.length / 10 ** (1 + random() * 5)
    const t0 = span.first + random() * (span.length - length)
    return all(db, `SELECT trace_selection('',?,?,'name',100)`, t0, t0 + length)
  })
  await measure('trace_names', 10, () => all(db, `SELECT trace_names('a',200)`))
  const [{ count }] = await all(db, 'SELECT sum(slice_count) AS count FROM lane')
  await measure('slice_links', ROUNDS, () => all(db, 'SELECT slice_links(?)', Math.floor(random() * count)))
  for (const { id } of await all(db, 'SELECT series_id AS id FROM counter_series ORDER BY sample_count DESC LIMIT 1')) {
    await measure('counter_curve of all', 10, () =>
      all(db, 'SELECT counter_curve(?,?,?,?)', id, span.first, span.first + span.length, COLUMNS),
    )
  }
  for (const { id } of await all(db, 'SELECT track_id AS id FROM track ORDER BY instant_count DESC LIMIT 1')) {
    await measure('instant_marks of all', 10, () =>
      all(db, 'SELECT instant_marks(?,?,?,?)', id, span.first, span.first + span.length, COLUMNS),
    )
  }
}

for (const path of indexes) {
  const db = await openIndex(path, addon)
  await all(db, 'PRAGMA mmap_size=0')
  const [{ first, last, lanes: laneCount, slices }] = await all(
    db,
    `SELECT (SELECT min(first_ns) FROM track) AS first, (SELECT max(last_ns) FROM track) AS last,
            count(*) AS lanes, sum(slice_count) AS slices FROM lane`,
  )
  // The fullest lanes are the most work.
  const busiest = await all(db, 'SELECT lane_id AS id FROM lane ORDER BY slice_count DESC LIMIT ?', MOST_LANES)
  const lanes = busiest.map((lane) => lane.id).sort((a, b) => a - b)
  const [{ items }] = await all(db, 'SELECT sum(row_count) AS items FROM lane_level')
  console.log(
    `${path.split('/').pop()}: ${slices} slices in ${laneCount} lanes, ${items} level items; ${lanes.length} lanes, ${COLUMNS} columns`,
  )
  const span = { first, length: last - first }
  const random = numbers(1)
  await measureRasters(db, span, lanes, random)
  await measureOthers(db, span, lanes, random)
  db.close()
}
