// The query functions as SQL on a real capture, against answers computed here from the relations `allocation` and `memory_curve`.
// node test_sql.mjs [ADDON]; the last line is `N passed, N failed`.
import { all, answer, check, close, decode, finish, index, inFolder, refused, sample } from './sql_checks.mjs'

const aliveAfter = (allocations, event) =>
  allocations.filter((a) => (a.alloc_event ?? -1) <= event && (a.free_requested_event ?? Infinity) > event && !a.free_request_unseen)

// The slot of the band that covers each row's center.
function column(allocations, event, rows, y1) {
  const cells = new Array(rows).fill(0)
  let bottom = 0
  for (const allocation of aliveAfter(allocations, event)) {
    for (let row = 0; row < rows; row++) {
      const center = (row + 0.5) * (y1 / rows)
      if (bottom <= center && center < bottom + allocation.size_bytes) cells[row] = allocation.slot | ((allocation.allocation_id % 2) << 6)
    }
    bottom += allocation.size_bytes
  }
  return cells
}

async function checkRaster(db, device, allocations, curve) {
  const [columns, rows, y1] = [30, 90, device.peak_allocated_bytes * 1.1]
  const x1 = device.event_count
  const raster = decode(
    await answer(db, 'SELECT timeline_raster(?,?,?,?,?,?,0,?,?)', device.device, 'event', -3, x1, columns, rows, y1, 'stack'),
  )
  const curves = decode(await answer(db, 'SELECT timeline_curves(?,?,?,?,?)', device.device, 'event', -3, x1, columns))
  const shown = new Set()
  for (let i = 0; i < columns; i++) {
    const event = curves.rep_event[i]
    for (const allocation of aliveAfter(allocations, event)) shown.add(allocation.allocation_id)
    const cells = Array.from(raster.cells.subarray(i * rows, (i + 1) * rows), (cell) => cell & 0x7f)
    check(cells.join() === column(allocations, event, rows, y1).join(), `cells of column ${i} on device ${device.device}`)
    if (event < 0) continue
    check(curves.allocated_rep[i] === curve[event].allocated_bytes, `allocated_rep of column ${i}`)
    const range = curve.slice(curves.first_event[i], curves.last_event[i]).map((row) => row.reserved_bytes)
    check(
      range.every((bytes) => bytes <= curves.reserved_max[i] && bytes >= curves.reserved_min[i]),
      `reserved of column ${i}`,
    )
  }
  check(raster.meta.shown === shown.size, `shown is ${raster.meta.shown}, not ${shown.size}`)
  check(raster.label_bytes.length === raster.label_stack.length, 'labels of one length')
  check(Math.max(...curves.allocated_max) === device.peak_allocated_bytes, 'the peak is in some column')
}

async function checkPoints(db, device, allocations, curve) {
  for (const event of [-1, 0, device.peak_event, device.event_count - 1]) {
    const alive = aliveAfter(allocations, event)
    const bytes = alive.reduce((sum, a) => sum + a.size_bytes, 0)
    if (event >= 0) check(bytes === curve[event].allocated_bytes, `stack height at ${event}`)
    const top = alive.filter((a) => a.size_bytes > 0).at(-1)
    check((await answer(db, 'SELECT timeline_pick(?,?,?)', device.device, event, bytes)) === null, `nothing above the stack at ${event}`)
    if (!top) continue
    check((await answer(db, 'SELECT timeline_pick(?,?,?)', device.device, event, bytes - 1)) === top.allocation_id, `pick at ${event}`)
    const outline = decode(
      await answer(db, 'SELECT timeline_outline(?,?,?,?,1,?)', device.device, 'event', event, event + 1, top.allocation_id),
    )
    check(outline.y0[0] === bytes - top.size_bytes, `outline at ${event}`)
    const stacks = JSON.parse(await answer(db, 'SELECT top_stacks(?,?,10000)', device.device, event))
    check(stacks.reduce((sum, stack) => sum + stack.bytes, 0) === bytes, `top_stacks at ${event}`)
    check(stacks.reduce((sum, stack) => sum + stack.count, 0) === alive.length, `counts of top_stacks at ${event}`)
  }
  const half = Math.floor(device.event_count / 2)
  const stats = JSON.parse(await answer(db, 'SELECT range_stats(?,?,?)', device.device, half, device.event_count))
  const before = half > 0 ? curve[half - 1].allocated_bytes : device.start_allocated_bytes
  check(before + stats.net_bytes === curve.at(-1).allocated_bytes, 'balance of range_stats')
  check(stats.curves.active.max === Math.max(...curve.slice(half).map((row) => row.active_bytes)), 'maximum of range_stats')
  if (curve[half].time_ns !== null) {
    const last = curve.findLastIndex((row) => row.time_ns <= curve[half].time_ns)
    check((await answer(db, 'SELECT event_at_time(?,?)', device.device, curve[half].time_ns)) === last, 'event_at_time')
    check((await answer(db, 'SELECT event_at_time(?,?)', device.device, -1e18)) === -1, 'event_at_time before the first')
  }
}

async function checkRefusals(db) {
  const raster = 'SELECT timeline_raster(?,?,?,?,?,?,?,?,?)'
  await refused(db, 'query/bad_argument', raster, 77, 'event', 0, 1, 1, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', raster, 0, 'event', 0, 1, 16385, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', raster, 0, 'steps', 0, 1, 1, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', raster, 0, 'event', 0, 1, 1, 1, 0, 1, 'taste')
  await refused(db, 'query/bad_argument', raster, 0, 'event', 1, 1, 1, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', raster, 0, 'event', null, 1, 1, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', raster, 0, 'event', 0, 1, 1.5, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', raster, 1e12, 'event', 0, 1, 1, 1, 0, 1, 'stack')
  await refused(db, 'query/bad_argument', 'SELECT timeline_outline(0,?,0,1,1,?)', 'event', -5)
  await refused(db, 'query/bad_argument', 'SELECT timeline_pick(0,?,0)', 1e9)
  await refused(db, 'query/bad_argument', 'SELECT range_stats(0,5,5)')
  await refused(db, 'query/bad_argument', 'SELECT top_stacks(0,0,0)')
  await refused(db, 'query/bad_argument', 'SELECT event_at_time(0,?)', 'now')
}

await inFolder(async (folder) => {
  const db = await index(folder, sample('two_devices'))
  const devices = await all(db, 'SELECT * FROM device WHERE event_count > 0')
  check(devices.length === 2, 'the sample has two devices')
  for (const device of devices) {
    const allocations = await all(db, 'SELECT * FROM allocation WHERE device = ? ORDER BY allocation_id', device.device)
    const curve = await all(db, 'SELECT * FROM memory_curve WHERE device = ? ORDER BY event', device.device)
    await checkRaster(db, device, allocations, curve)
    await checkPoints(db, device, allocations, curve)
  }
  await checkRefusals(db)
  await close(db)
})
finish()
