// Times of the viewport functions as the engine calls them: SQL through node-sqlite3 on a complete index, round trip included.
// node bench_sql.mjs ADDON INDEX…   (ADDON: the built tidemark.node; INDEX: a .tidemark file)
import { argumentsOf, get, measure, numbers, openIndex } from './bench_times.mjs'

const COLUMNS = 1200
const ROWS = 700

const { addon, indexes } = argumentsOf('bench_sql.mjs')

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

// Every order on both axes: the whole capture, parts of it, and windows of y.
async function measureLifetimes(db, device, random) {
  const { device: id, event_count: events, first_time_ns: firstNs, last_time_ns: lastNs } = device
  const lifetimeRows = 500
  for (const order of ['address', 'address_sqrt', 'allocation', 'size', 'stack']) {
    let space
    await measure(`lifetimes ${order}, first`, 1, async () => {
      space = JSON.parse(Object.values(await get(db, 'SELECT lifetime_space(?,?)', id, order))[0])
    })
    for (const axis of lastNs > firstNs ? ['event', 'time'] : ['event']) {
      const [x0, x1] = axis === 'event' ? [0, events] : [firstNs, lastNs]
      const raster = (zoomX, zoomY, measureName = 'bytes') => {
        const [width, height] = [(x1 - x0) / zoomX, space.y1 / zoomY]
        const [left, bottom] = [x0 + random() * (x1 - x0 - width), random() * (space.y1 - height)]
        const window = [left, left + width, COLUMNS, lifetimeRows, order, bottom, bottom + height]
        return get(db, 'SELECT lifetime_raster(?,?,?,?,?,?,?,?,?,?,?,?)', id, axis, ...window, measureName, 'sqrt', '')
      }
      const name = `lifetimes ${order} ${axis}`
      if (axis === 'time') await measure(`${name}, first`, 1, () => raster(1, 1))
      await measure(`${name} whole`, 20, () => raster(1, 1))
      await measure(`${name} zoom x`, 40, () => raster(1 + 10 ** (random() * 4), 1))
      await measure(`${name} zoom x, y`, 40, () => raster(1 + 10 ** (random() * 3), 1 + 10 ** (random() * 3)))
      await measure(`${name} zoom y`, 40, () => raster(1, 1 + 10 ** (random() * 3)))
      for (const other of ['allocated', 'freed', 'area', 'age']) await measure(`${name} ${other}`, 10, () => raster(1, 1, other))
    }
    const list = 'SELECT lifetime_list(?,?,?,?,?,?,?,?,?,?,?)'
    await measure(`lifetime_list ${order} whole`, 10, () => get(db, list, id, 'event', 0, events, order, 0, space.y1, '', 'area', 100, 0))
    await measure(`lifetime_pick ${order}`, 40, () =>
      get(db, 'SELECT lifetime_pick(?,?,?,?,?,?)', id, 'event', order, random() * events, random() * space.y1, ''),
    )
  }
}

// MiB of a line (0 = as long as its segment), lines in sight.
const BLOCK_LINES = [
  [0, 60],
  [0, 700],
  [32, 700],
  [1, 700],
  [1, 3000],
]

// The memory map: every question at an event that was not asked about before, so that each lays the device out anew.
async function measureBlocks(db, device, random) {
  const { device: id, event_count: events } = device
  const fresh = () => Math.floor(random() * events)
  await measure('layout, first (derives history)', 1, () => get(db, 'SELECT block_at(?,?,?)', id, fresh(), '0x1'))
  await measure('layout of a fresh event', 60, () => get(db, 'SELECT block_at(?,?,?)', id, fresh(), '0x1'))
  const raster = (event, lineBytes, x1, line0, lines, colorBy) =>
    get(db, `SELECT block_raster(?,?,?,?,0,?,?,?,?,?,'') AS batch`, id, event, 'address', lineBytes, x1, COLUMNS, line0, lines, colorBy)
  const { total } = await get(db, 'SELECT max(total_bytes) AS total FROM segment_map(?,?)', id, device.peak_event)
  for (const colorBy of ['state', 'stack', 'age']) {
    for (const [lineMiB, lines] of BLOCK_LINES) {
      const lineBytes = lineMiB * 2 ** 20
      const width = lineBytes || total
      const name = `blocks ${colorBy}, ${lines} lines of ${lineMiB ? `${lineMiB} MiB` : 'a segment'}`
      await measure(name, 40, () => raster(fresh(), lineBytes, width, 0, lines, colorBy))
    }
  }
  const kept = fresh()
  await measure('blocks stack, same event', 40, () => raster(kept, 2 ** 20, 2 ** 20, Math.floor(random() * 2000), 700, 'stack'))
  await measure('blocks boxes, zoom 64 KiB', 40, () => raster(fresh(), 2 ** 16, 2 ** 16, Math.floor(random() * 2000), 60, 'stack'))
  await measure('block_segments', 40, () => get(db, `SELECT block_segments(?,?,'occupancy')`, id, fresh()))
  await measure('space_report', 40, () => get(db, 'SELECT space_report(?,?)', id, fresh()))
  await measure('would_fit', 40, () => get(db, 'SELECT would_fit(?,?,?,NULL,NULL)', id, fresh(), Math.floor(2 ** (9 + random() * 22))))
  await measure('space_curves, first', 1, () => get(db, 'SELECT space_curves(?,?,0,?,?)', id, 'event', events, COLUMNS))
  await measure('space_curves', 40, () => {
    const width = events / (1 + random() * 50)
    const x0 = random() * (events - width)
    return get(db, 'SELECT space_curves(?,?,?,?,?)', id, 'event', x0, x0 + width, COLUMNS)
  })
}

for (const path of indexes) {
  const db = await openIndex(path, addon)
  const device = await get(db, 'SELECT * FROM device ORDER BY event_count DESC LIMIT 1')
  console.log(`${path.split('/').pop()}: ${device.event_count} events, ${device.allocation_count} allocations`)
  const random = numbers(1)
  await measure('first question (loads columns)', 1, () => get(db, 'SELECT timeline_pick(?,-1,0)', device.device))
  await measureRasters(db, device, random)
  await measureOthers(db, device, random)
  await measureBlocks(db, device, random)
  await measureLifetimes(db, device, random)
  db.close()
}
