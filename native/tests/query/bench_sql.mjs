// Times of the viewport functions as the engine calls them: SQL through node-sqlite3 on a complete index, round trip included.
// node bench_sql.mjs ADDON INDEX…   (ADDON: the built tidemark.node; INDEX: a .tidemark file)
import sqlite3 from 'sqlite3'

const COLUMNS = 1200
const ROWS = 700

const [addon, ...indexes] = process.argv.slice(2)
if (!addon || indexes.length === 0) {
  console.error('usage: node bench_sql.mjs ADDON INDEX…')
  process.exit(1)
}

function open(path) {
  return new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => (error ? reject(error) : resolve(db)))
  })
}

const load = (db) => new Promise((resolve, reject) => db.loadExtension(addon, (error) => (error ? reject(error) : resolve())))

function get(db, sql, ...values) {
  return new Promise((resolve, reject) => db.get(sql, values, (error, row) => (error ? reject(error) : resolve(row))))
}

// A repeatable stream of numbers in [0, 1): the views must be the same in every run.
function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

async function measure(name, rounds, run) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2).padStart(8)
  console.log(`  ${name.padEnd(32)} p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)} ms`)
}

async function measureRasters(db, device, random) {
  const { event_count: events, peak_allocated_bytes: peak, first_time_ns: first, last_time_ns: last } = device
  const raster = (axis, x0, x1, y0, y1, colorBy) =>
    get(db, 'SELECT timeline_raster(?,?,?,?,?,?,?,?,?) AS batch', device.device, axis, x0, x1, COLUMNS, ROWS, y0, y1, colorBy)
  const view = (zoom) => {
    const x0 = random() * (events - events / zoom)
    return [x0, x0 + events / zoom]
  }
  for (const colorBy of ['stack', 'age']) {
    for (const zoom of [1, 3, 30, 1000, 30000]) {
      await measure(`raster ${colorBy} zoom ${zoom}`, 40, () => raster('event', ...view(zoom), 0, peak, colorBy))
    }
  }
  await measure('raster stack y window 1/50', 40, () => {
    const y0 = random() * peak
    return raster('event', ...view(1 + random() * 20), y0, y0 + peak / 50, 'stack')
  })
  if (last > first) {
    await measure('raster size, time axis', 40, () => {
      const width = (last - first) / (1 + random() * 100)
      const x0 = first + random() * (last - first - width)
      return raster('time', x0, x0 + width, 0, peak, 'size')
    })
  }
}

async function measureOthers(db, device, random) {
  const { device: id, event_count: events, peak_allocated_bytes: peak, allocation_count: allocations } = device
  const event = () => Math.floor(random() * events)
  await measure('curves', 40, () => {
    const width = events / (1 + random() * 50)
    const x0 = random() * (events - width)
    return get(db, 'SELECT timeline_curves(?,?,?,?,?)', id, 'event', x0, x0 + width, COLUMNS)
  })
  const { first } = await get(db, 'SELECT min(allocation_id) AS first FROM allocation WHERE device = ?', id)
  await measure('outline', 40, () => {
    const allocation = first + Math.floor(random() * allocations)
    return get(db, 'SELECT timeline_outline(?,?,?,?,?,?)', id, 'event', 0, events, COLUMNS, allocation)
  })
  await measure('pick', 40, () => get(db, 'SELECT timeline_pick(?,?,?)', id, event(), random() * peak))
  await measure('top_stacks', 40, () => get(db, 'SELECT top_stacks(?,?,20)', id, event()))
  await measure('range_stats, first', 1, () => get(db, 'SELECT range_stats(?,0,?)', id, events))
  await measure('range_stats whole', 20, () => get(db, 'SELECT range_stats(?,0,?)', id, events))
  await measure('range_stats part', 40, () => {
    const from = Math.floor((random() * events) / 2)
    return get(db, 'SELECT range_stats(?,?,?)', id, from, from + Math.floor(events / 4))
  })
}

for (const path of indexes) {
  const db = await open(path)
  await load(db)
  const device = await get(db, 'SELECT * FROM device ORDER BY event_count DESC LIMIT 1')
  console.log(`${path.split('/').pop()}: ${device.event_count} events, ${device.allocation_count} allocations`)
  const random = numbers(1)
  await measure('first question (loads columns)', 1, () => get(db, 'SELECT timeline_pick(?,-1,0)', device.device))
  await measureRasters(db, device, random)
  await measureOthers(db, device, random)
  db.close()
}
