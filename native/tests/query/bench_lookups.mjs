// Processor time of single rows and small sets read by SQL on a complete index, in microseconds a row or milliseconds a statement.
// node bench_lookups.mjs ADDON INDEX…   (ADDON: the built tidemark.node; INDEX: a .tidemark file)
import { all, argumentsOf, get, numbers, openIndex } from './bench_times.mjs'

const { addon, indexes } = argumentsOf('bench_lookups.mjs')

async function open(path) {
  const db = await openIndex(path, addon)
  await get(db, 'PRAGMA mmap_size=68719476736')
  return db
}

/** Runs `run` `rounds` times and prints the processor time of one, divided by the rows that one reads. */
async function measure(name, rounds, rows, run) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / rows)
  }
  const first = times[0]
  times.sort((a, b) => a - b)
  const shown = (us) => (us >= 1000 ? `${(us / 1000).toFixed(1)} ms` : `${us.toFixed(1)} us`).padStart(10)
  console.log(`  ${name.padEnd(44)} first ${shown(first)}  p50 ${shown(times[times.length >> 1])}  max ${shown(times.at(-1))}`)
}

// Rows scattered over the whole relation, read by one statement: what joins and lists of ids do.
async function measurePoints(db, device, random) {
  const { device: id, first_allocation_id: first, allocation_count: allocations, event_count: events } = device
  const rows = 2000
  const list = (limit, from) => Array.from({ length: rows }, () => from + random(limit)).join()
  const inList = (relation, column, wanted, limit, from) =>
    measure(`${relation}.${column} IN (2000)`, 8, rows, () =>
      all(db, `SELECT ${wanted} FROM ${relation} WHERE device = ${id} AND ${column} IN (${list(limit, from)})`),
    )
  await inList('allocation', 'allocation_id', '*', allocations, first)
  await inList('allocation', 'allocation_id', 'size_bytes', allocations, first)
  await inList('event', 'event', '*', events, 0)
  await inList('memory_curve', 'event', '*', events, 0)
  await measure('allocation.allocation_id = ?, one statement', 30, 1, () =>
    all(db, 'SELECT * FROM allocation WHERE allocation_id = ?', first + random(allocations)),
  )
}

async function measureAddresses(db, device, random) {
  const { device: id, first_allocation_id: first, allocation_count: allocations } = device
  const address = async () => (await get(db, 'SELECT address FROM allocation WHERE allocation_id = ?', first + random(allocations))).address
  await measure('allocation.address = ?', 30, 1, async () =>
    all(db, 'SELECT count(*) FROM allocation WHERE device = ? AND address = ?', id, await address()),
  )
  await measure('allocation.stack_id = ?', 10, 1, () =>
    all(db, 'SELECT count(*) FROM allocation WHERE device = ? AND stack_id = ?', id, random(50)),
  )
  await measure('block JOIN allocation USING (address)', 3, 1, () =>
    all(db, 'SELECT count(*) FROM block JOIN allocation USING (device, address)'),
  )
}

async function measureStatements(db, device, random) {
  const { device: id, event_count: events, peak_event: peak } = device
  await measure('live_allocation at the peak by size, 200', 10, 1, () =>
    all(db, 'SELECT allocation_id, size_bytes FROM live_allocation(?,?) ORDER BY size_bytes DESC, allocation_id LIMIT 200', id, peak),
  )
  await measure('live_allocation at the peak by size, 200, *', 10, 1, () =>
    all(db, 'SELECT * FROM live_allocation(?,?) ORDER BY size_bytes DESC, allocation_id LIMIT 200', id, peak),
  )
  await measure('live_allocation anywhere, count and sum', 10, 1, () =>
    all(db, 'SELECT count(*), sum(size_bytes) FROM live_allocation(?,?)', id, random(events)),
  )
  await measure('memory_curve, 1000 rows', 10, 1000, () => {
    const from = random(Math.max(1, events - 1000))
    return all(db, 'SELECT * FROM memory_curve WHERE device = ? AND event >= ? AND event < ?', id, from, from + 1000)
  })
}

async function measureFirst(path) {
  const rounds = [
    ['first question: pick', 'SELECT timeline_pick(?,-1,0)'],
    ['first question: curves', "SELECT timeline_curves(?,'event',0,1e6,1200)"],
    ['first question: raster', "SELECT timeline_raster(?,'event',0,1e6,1200,700,0,1e10,'stack')"],
    ['first question: range_stats of all', 'SELECT range_stats(d.device,0,d.event_count) FROM device d WHERE device = ?'],
  ]
  for (const [name, sql] of rounds) {
    const opened = []
    for (let i = 0; i < 3; i++) opened.push(await open(path))
    const { device } = await get(opened[0], 'SELECT device FROM device ORDER BY event_count DESC LIMIT 1')
    const left = [...opened]
    await measure(name, 3, 1, () => all(left.pop(), sql, device))
    for (const db of opened) db.close()
  }
}

for (const path of indexes) {
  const db = await open(path)
  const device = await get(db, 'SELECT * FROM device ORDER BY event_count DESC LIMIT 1')
  console.log(`${path.split('/').pop()}: ${device.event_count} events, ${device.allocation_count} allocations`)
  await measureFirst(path)
  const next = numbers(1)
  const random = (limit) => Math.floor(next() * limit)
  await measurePoints(db, device, random)
  await measureStatements(db, device, random)
  await measureAddresses(db, device, random)
  db.close()
}
