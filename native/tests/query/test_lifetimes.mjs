// The lifetimes as SQL on real captures, against answers computed here from the relations.
// node test_lifetimes.mjs [ADDON]; the last line is `N passed, N failed`.
import { all, answer, check, close, decode, finish, index, inFolder, refused, sample } from './sql_checks.mjs'

const ORDERS = ['address', 'address_sqrt', 'allocation', 'size', 'stack']
const COLUMNS = 24
const ROWS = 40

const spaceOf = async (db, device, order) => JSON.parse(await answer(db, 'SELECT lifetime_space(?,?)', device, order))
const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b))

async function raster(db, device, [x0, x1], order, [y0, y1], measure = 'bytes', filter = '') {
  const window = [device, 'event', x0, x1, COLUMNS, ROWS, order, y0, y1]
  return decode(await answer(db, 'SELECT lifetime_raster(?,?,?,?,?,?,?,?,?,?,?,?)', ...window, measure, 'linear', filter))
}

/** Whatever the order, a column holds the mean of the allocated curve. */
async function checkConservation(db, device, curve) {
  const { device: id, event_count: events } = device
  for (const order of ORDERS) {
    const { y1 } = await spaceOf(db, id, order)
    const { column_total: totals, meta } = await raster(db, id, [0, events], order, [0, y1])
    check(meta.shown === device.allocation_count, `${order} shows ${meta.shown} of ${device.allocation_count} allocations`)
    totals.forEach((total, column) => {
      const [from, to] = [(column * events) / COLUMNS, ((column + 1) * events) / COLUMNS]
      let area = 0
      curve.forEach(({ allocated_bytes: bytes }, event) => {
        area += bytes * Math.max(0, Math.min(to, event + 1) - Math.max(from, event))
      })
      check(near(total, area / (to - from)), `column ${column} by ${order} holds ${total}, not ${area / (to - from)}`)
    })
  }
}

/** Cells of the address order after single events: what is alive, what is only reserved, what is not even that. */
async function checkAddresses(db, device, allocations) {
  const { device: id, event_count: events } = device
  const { y1, rows } = await spaceOf(db, id, 'address')
  const reservations = await all(db, 'SELECT * FROM reservation WHERE device = ?', id)
  const yOf = (address) => {
    const row = rows.findLast((each) => BigInt(each.address) <= BigInt(address))
    return row.y0 + Number(BigInt(address) - BigInt(row.address))
  }
  const covers = (from, to, event) => (from ?? -1) <= event && event < (to ?? Infinity)
  for (const event of [0, 0.3, 0.6, 0.99].map((share) => Math.floor(share * events))) {
    const { cells } = await raster(db, id, [event, event + 1], 'address', [0, y1])
    const alive = allocations.filter((a) => covers(a.alloc_event, a.free_requested_event, event) && !a.free_request_unseen)
    const reserved = reservations.filter((r) => covers(r.map_event, r.unmap_event, event))
    for (let row = 0; row < ROWS; row++) {
      const [low, high] = [y1 - ((row + 1) * y1) / ROWS, y1 - (row * y1) / ROWS]
      const bytesIn = (address, bytes) => Math.max(0, Math.min(yOf(address) + bytes, high) - Math.max(yOf(address), low))
      const held = alive.reduce((sum, a) => sum + bytesIn(a.address, a.size_bytes), 0)
      const share = reserved.reduce((sum, r) => sum + bytesIn(r.address, r.size_bytes), 0) / (high - low)
      const cell = cells[row] & 63
      const level = 2 + Math.floor((61.999 * held) / (high - low))
      if (held > 1) check(Math.abs(cell - level) <= 1, `row ${row} after ${event} has level ${cell}, not ${level}`)
      else if (Math.abs(share - 0.5) > 0.01)
        check(cell === (share > 0.5 ? 1 : 0), `row ${row} after ${event} is ${cell}, reserved ${share}`)
    }
  }
}

async function checkSingles(db, device, allocations) {
  const { device: id, event_count: events } = device
  for (const allocation of allocations.filter((_, i) => i % Math.ceil(allocations.length / 40) === 0)) {
    const start = allocation.alloc_event ?? 0
    for (const order of ['address', 'allocation']) {
      const place = JSON.parse(await answer(db, 'SELECT lifetime_place(?,?,?,?)', id, 'event', order, allocation.allocation_id))
      check(place.start === allocation.alloc_event, `start of ${allocation.allocation_id} is ${place.start}`)
      check(order !== 'address' || place.y1 - place.y0 === allocation.size_bytes, `height of ${allocation.allocation_id}`)
      const middle = (place.y0 + place.y1) / 2
      const picked = await answer(db, 'SELECT lifetime_pick(?,?,?,?,?,?)', id, 'event', order, start + 0.5, middle, '')
      const expected =
        (allocation.free_completed_event ?? Infinity) > start && (place.free_requested ?? 1) > 0 ? allocation.allocation_id : picked
      check(picked === expected, `${order} at ${start}, ${middle} is ${picked}, not ${expected}`)
    }
  }
  const { y1 } = await spaceOf(db, id, 'allocation')
  const rectangle = [id, 'event', 0, events, 'allocation', 0, y1]
  const filters = {
    '{"min_bytes":65536}': (a) => a.size_bytes >= 65536,
    '{"never_freed":true}': (a) => a.free_requested_event === null && !a.free_request_unseen,
    '{"most_events":12}': (a) => a.alloc_event !== null && a.free_requested_event !== null && a.free_requested_event - a.alloc_event <= 12,
    [`{"stacks":[${allocations[0].stack_id ?? -1},-1]}`]: (a) => a.stack_id === allocations[0].stack_id || a.stack_id === null,
    '{}': () => true,
  }
  for (const [filter, passes] of Object.entries(filters)) {
    const expected = allocations.filter(passes)
    const list = JSON.parse(await answer(db, 'SELECT lifetime_list(?,?,?,?,?,?,?,?,?,?,?)', ...rectangle, filter, 'size', 10, 0))
    check(list.count === expected.length, `${filter} lists ${list.count}, not ${expected.length}`)
    check(list.bytes === expected.reduce((sum, a) => sum + a.size_bytes, 0), `bytes of ${filter}`)
    const largest = Math.max(...expected.map((a) => a.size_bytes))
    const first = allocations.find((a) => a.allocation_id === list.rows[0]?.allocation_id)
    check(expected.length === 0 || first.size_bytes === largest, `the largest of ${filter}`)
    const bars = decode(await answer(db, 'SELECT lifetime_bars(?,?,?,?,?,?,?,?,?)', ...rectangle, filter, 5000))
    check(bars.meta.count === expected.length && bars.meta.bars === 1, `${filter} has ${bars.meta.count} bars`)
    check(
      bars.allocation.every((each, i) => each === expected[i].allocation_id),
      `bars of ${filter}`,
    )
  }
  const few = decode(await answer(db, 'SELECT lifetime_bars(?,?,?,?,?,?,?,?,?)', ...rectangle, '', 3))
  check(few.meta.bars === 0 && few.allocation.length === 0, 'more bars than the limit are none')
}

/** The timeline with a filter: what does not pass has slot 63, all else is as without. */
async function checkTimeline(db, device, allocations) {
  const window = [device.device, 'event', 0, device.event_count, 30, 50, 0, device.peak_allocated_bytes, 'size']
  const plain = decode(await answer(db, 'SELECT timeline_raster(?,?,?,?,?,?,?,?,?)', ...window)).cells
  const empty = decode(await answer(db, "SELECT timeline_raster(?,?,?,?,?,?,?,?,?,'')", ...window)).cells
  check(Buffer.compare(Buffer.from(plain), Buffer.from(empty)) === 0, 'an empty filter changes nothing')
  const sizes = allocations.map((a) => a.size_bytes).sort((a, b) => a - b)
  const power = Math.max(10, 1 + Math.floor(Math.log2(sizes[sizes.length >> 1])))
  const least = 2 ** power
  const { cells } = decode(await answer(db, 'SELECT timeline_raster(?,?,?,?,?,?,?,?,?,?)', ...window, `{"min_bytes":${least}}`))
  check(
    allocations.some((a) => a.size_bytes < least),
    'the filter leaves something out',
  )
  // Slots by size: ⌊log2 bytes⌋ − 8.
  const wanted = plain.map((cell) => ((cell & 63) > 0 && (cell & 63) < power - 8 ? (cell & 192) | 63 : cell))
  check(Buffer.compare(Buffer.from(cells), Buffer.from(wanted)) === 0, 'what the filter leaves out has slot 63')
}

async function checkRefusals(db) {
  const raster = 'SELECT lifetime_raster(0,?,0,10,?,?,?,0,10,?,?,?)'
  const good = ['event', 10, 10, 'address', 'bytes', 'linear', '']
  check((await answer(db, raster, ...good)).length > 100, 'a good question is answered')
  for (const [at, value] of [
    [0, 'steps'],
    [1, 0],
    [1, 16385],
    [2, 1.5],
    [3, 'taste'],
    [4, 'weight'],
    [5, 'cubic'],
    [6, null],
    [6, 'no json'],
    [6, '[1]'],
    [6, '{"min_bytes":"many"}'],
    [6, '{"min_bytes":-1}'],
    [6, '{"never_freed":1}'],
    [6, '{"stacks":3}'],
    [6, '{"stacks":["a"]}'],
    [6, '{"color":1}'],
  ]) {
    await refused(db, 'query/bad_argument', raster, ...good.with(at, value))
  }
  for (const [x1, y1] of [
    [5e-324, 10],
    [10, 5e-324],
  ]) {
    for (const measure of ['bytes', 'allocated', 'freed', 'area', 'age']) {
      const tiny = "SELECT lifetime_raster(0,'event',0,?,2,2,'allocation',0,?,?,'linear','')"
      await refused(db, 'query/bad_argument', tiny, x1, y1, measure)
    }
  }
  await refused(db, 'query/bad_argument', "SELECT timeline_curves(0,'event',0,5e-324,2)")
  await refused(db, 'query/bad_argument', "SELECT timeline_outline(0,'event',0,5e-324,2,0)")
  await refused(db, 'query/bad_argument', "SELECT timeline_raster(0,'event',0,5e-324,2,2,0,10,'size')")
  await refused(db, 'query/bad_argument', "SELECT timeline_raster(0,'event',0,10,2,2,0,5e-324,'size')")
  await refused(db, 'query/bad_argument', "SELECT lifetime_bars(0,'event',0,1,'size',0,1,'',5001)")
  await refused(db, 'query/bad_argument', "SELECT lifetime_list(0,'event',0,1,'size',0,1,'','taste',1,0)")
  await refused(db, 'query/bad_argument', "SELECT lifetime_list(0,'event',0,1,'size',0,1,'','area',1,-1)")
  await refused(db, 'query/bad_argument', "SELECT lifetime_list(0,'event',1,1,'size',0,1,'','area',1,0)")
  await refused(db, 'query/bad_argument', "SELECT lifetime_place(0,'event','size',1000000000)")
  await refused(db, 'query/bad_argument', "SELECT lifetime_space(77,'size')")
}

await inFolder(async (folder) => {
  for (const name of ['two_devices', 'oom']) {
    const db = await index(folder, sample(name))
    for (const device of await all(db, 'SELECT * FROM device WHERE event_count > 0')) {
      const allocations = await all(db, 'SELECT * FROM allocation WHERE device = ? ORDER BY allocation_id', device.device)
      const curve = await all(db, 'SELECT * FROM memory_curve WHERE device = ? ORDER BY event', device.device)
      await checkConservation(db, device, curve)
      await checkAddresses(db, device, allocations)
      await checkSingles(db, device, allocations)
      await checkTimeline(db, device, allocations)
    }
    await checkRefusals(db)
    await close(db)
  }
})
finish()
