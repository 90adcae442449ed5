// The layout of memory as SQL on real captures: against the file's final blocks, the curves that the replay wrote, and the
// allocator itself, which took exactly the block that would_fit names at the event before.
// node test_space.mjs [ADDON]; the last line is `N passed, N failed`.
import { all, answer, check, close, decode, finish, index, inFolder, refused, sample } from './sql_checks.mjs'

const asked = async (db, sql, ...values) => JSON.parse(await answer(db, sql, ...values))
const sum = (rows, column) => rows.reduce((total, row) => total + row[column], 0)

// The layout after the last event is what the file itself says, block for block.
async function checkFinal(db, device) {
  const columns = 'address, size_bytes, requested_bytes, state, segment_address, stream, pool, segment_type, is_expandable'
  const map = await all(db, `SELECT ${columns} FROM block_map(?,?) ORDER BY address`, device.device, device.event_count - 1)
  const file = await all(db, `SELECT ${columns} FROM block WHERE device = ? ORDER BY address`, device.device)
  check(JSON.stringify(map) === JSON.stringify(file), `final blocks of device ${device.device}: ${map.length} for ${file.length}`)
}

const CURVES = ['reserved', 'allocated', 'active', 'requested', 'inactive_split', 'largest_free', 'returnable']

// The state before the first event in the columns of memory_curve.
const startOf = (device) => ({
  ...Object.fromEntries(CURVES.map((name) => [`${name}_bytes`, device[`start_${name}_bytes`]])),
  free_block_count: device.start_free_block_count,
})

async function checkMoment(db, device, event, curve) {
  const id = device.device
  const blocks = await all(db, 'SELECT * FROM block_map(?,?)', id, event)
  const segments = await all(db, 'SELECT * FROM segment_map(?,?)', id, event)
  const { totals, groups } = await asked(db, 'SELECT space_report(?,?)', id, event)
  const at = `device ${id} after ${event}`
  for (const name of CURVES) check(totals[`${name}_bytes`] === curve[`${name}_bytes`], `${name} of ${at}`)
  check(totals.free_block_count === curve.free_block_count, `free blocks of ${at}`)
  check(sum(blocks, 'size_bytes') === totals.reserved_bytes, `blocks fill the segments of ${at}`)
  check(sum(blocks, 'requested_bytes') === totals.requested_bytes, `requested bytes of the blocks of ${at}`)
  check(sum(segments, 'total_bytes') === totals.reserved_bytes, `segments of ${at}`)
  check(sum(groups, 'free_bytes') === totals.free_bytes, `groups of ${at}`)
  for (const segment of segments) {
    const inside = blocks.filter((block) => block.segment_address === segment.address)
    check(sum(inside, 'size_bytes') === segment.total_bytes, `blocks of ${segment.address}, ${at}`)
    check(inside.length === segment.block_count, `block_count of ${segment.address}, ${at}`)
    const { requested_bytes: requested, allocated_bytes: allocated, active_bytes: active, total_bytes: total } = segment
    check(requested <= active && allocated <= active && active <= total, `order of sums of ${segment.address}, ${at}`)
  }
  const live = await all(db, 'SELECT allocation_id, address, stack_id FROM live_allocation(?,?) ORDER BY allocation_id', id, event)
  const held = blocks
    .filter((block) => block.state === 'active_allocated')
    .map(({ allocation_id, address, stack_id }) => ({ allocation_id, address, stack_id }))
    .sort((a, b) => a.allocation_id - b.allocation_id)
  check(JSON.stringify(held) === JSON.stringify(live), `held blocks are the live allocations of ${at}`)
  await checkViews(db, id, event, blocks, segments)
}

async function checkViews(db, device, event, blocks, segments) {
  const at = `device ${device} after ${event}`
  const batch = decode(await answer(db, `SELECT block_segments(?,?,'size')`, device, event))
  const bySize = [...segments].sort((a, b) => b.total_bytes - a.total_bytes)
  check(batch.total.join() === bySize.map((segment) => segment.total_bytes).join(), `segments by size of ${at}`)
  check(
    batch.addresses.every((address) => segments.some((segment) => segment.address === address)),
    `addresses of ${at}`,
  )
  const longest = bySize[0]?.total_bytes ?? 1
  const sql = `SELECT block_raster(?,?,'address',0,0,?,200,0,?,?,'')`
  const raster = decode(await answer(db, sql, device, event, longest, Math.max(1, segments.length), 'state'))
  check(raster.meta.lines === segments.length && raster.meta.longest === (bySize[0]?.total_bytes ?? 0), `lines of ${at}`)
  check(raster.meta.blocks === blocks.length, `blocks in sight of ${at}: ${raster.meta.blocks}`)
  if (raster.meta.boxes === 1) {
    check(raster.box_bytes.join() === blocks.map((block) => block.size_bytes).join(), `boxes of ${at}`)
    check(raster.box_allocation.join() === blocks.map((block) => block.allocation_id ?? -1).join(), `box allocations of ${at}`)
  }
  for (const block of blocks.filter((_, i) => i % 17 === 0)) {
    const found = await asked(db, 'SELECT block_at(?,?,?)', device, event, block.address)
    const same = ['address', 'size_bytes', 'requested_bytes', 'state', 'allocation_id', 'segment_address']
    check(
      same.every((column) => found[column] === block[column]),
      `block_at ${block.address} of ${at}`,
    )
  }
}

// Every event that did not need new memory took the block that would_fit names at the event before; the others asked the
// device for what it names.
async function checkAllocator(db, device) {
  const id = device.device
  const events = await all(db, 'SELECT event, action, address, size_bytes, stream, pool FROM event WHERE device = ?', id)
  const isReserve = (event) => event?.action === 'segment_alloc' || event?.action === 'segment_map'
  for (const { event, action, address, size_bytes: size, stream, pool } of events) {
    if (action === 'oom') {
      const fit = await asked(db, 'SELECT would_fit(?,?,?,?,?)', id, event, size, stream, pool)
      check(!fit.fits && fit.fitting_count === 0, `the request that failed at ${event} fits nowhere`)
      check(fit.device_free_bytes !== null, `what the device had at ${event} is told`)
    }
    if (action !== 'alloc') continue
    let before = event - 1
    while (isReserve(events[before])) before--
    const fit = await asked(db, 'SELECT would_fit(?,?,?,?,?)', id, before, size, stream, pool)
    const reserved = sum(events.slice(before + 1, event), 'size_bytes')
    if (reserved === 0) check(fit.block?.address === address, `block of event ${event} is ${address}, not ${fit.block?.address}`)
    else check(!fit.fits && fit.segment_bytes === reserved, `memory reserved for event ${event} is ${reserved}, not ${fit.segment_bytes}`)
  }
}

async function checkCurves(db, device) {
  const curve = await all(db, 'SELECT * FROM memory_curve WHERE device = ? ORDER BY event', device.device)
  const batch = decode(await answer(db, 'SELECT space_curves(?,?,-2,?,40)', device.device, 'event', device.event_count))
  for (let i = 0; i < 40; i++) {
    const range = curve.slice(Math.max(0, batch.first_event[i] - 1), batch.last_event[i])
    if (batch.first_event[i] === 0 || range.length === 0) continue
    for (const name of [...CURVES, 'free_blocks']) {
      const column = name === 'free_blocks' ? 'free_block_count' : `${name}_bytes`
      const values = range.map((row) => row[column])
      check(batch[`${name}_min`][i] === Math.min(...values), `${name}_min of column ${i}`)
      check(batch[`${name}_max`][i] === Math.max(...values), `${name}_max of column ${i}`)
      check(batch[`${name}_rep`][i] === curve[batch.rep_event[i]][column], `${name}_rep of column ${i}`)
    }
  }
}

async function checkRefusals(db) {
  await refused(db, 'query/bad_argument', 'SELECT count(*) FROM block_map(77, 0)')
  await refused(db, 'query/bad_argument', 'SELECT count(*) FROM segment_map(0, ?)', 1e9)
  await refused(db, 'query/bad_argument', `SELECT count(*) FROM block_map(0, 'end')`)
  check((await answer(db, 'SELECT count(*) FROM block_map(0, NULL)')) === 0, 'no event, no rows')
  await refused(db, 'query/bad_argument', `SELECT block_segments(0, 0, 'color')`)
  await refused(db, 'query/bad_argument', `SELECT block_raster(0, 0, 'address', 0, 0, 5e-324, 3, 0, 3, 'state', '')`)
  await refused(db, 'query/bad_argument', `SELECT block_raster(0, 0, 'address', 0, -1.7e308, 1.7e308, 3, 0, 3, 'state', '')`)
  await refused(db, 'query/bad_argument', `SELECT block_at(0, 0, '7f00')`)
  await refused(db, 'query/bad_argument', 'SELECT block_at(0, 0, ?)', 5)
  check((await answer(db, `SELECT block_at(0, 0, '0x1')`)) === null, 'nothing is reserved at 0x1')
  await refused(db, 'query/bad_argument', 'SELECT would_fit(0, 0, 0, NULL, NULL)')
  await refused(db, 'query/bad_argument', 'SELECT would_fit(0, 0, 1, 123456789, NULL)')
  await refused(db, 'query/bad_argument', `SELECT would_fit(0, 0, 1, NULL, 'mine')`)
  await refused(db, 'query/bad_argument', 'SELECT space_report(0, -2)')
  const raster = `SELECT block_raster(0, 0, 'size', 0, 0, ?, ?, 0, 10, 'state', ?)`
  await refused(db, 'query/bad_argument', raster, 0, 10, '')
  await refused(db, 'query/bad_argument', raster, 1e6, 0, '')
  await refused(db, 'query/bad_argument', raster, 1e6, 10, '[]')
  const left = decode(await answer(db, raster, 1e9, 10, '{"min_bytes":1000000000000}'))
  check(
    left.cells.every((cell) => cell <= 1 || (cell & 31) === 31),
    'a filter that leaves everything out',
  )
}

await inFolder(async (folder) => {
  for (const name of ['two_devices', 'oom', 'ft_lora']) {
    const db = await index(folder, sample(name))
    for (const device of await all(db, 'SELECT * FROM device WHERE event_count > 0')) {
      const curve = await all(db, 'SELECT * FROM memory_curve WHERE device = ? ORDER BY event', device.device)
      const last = device.event_count - 1
      await checkMoment(db, device, -1, startOf(device))
      for (const event of new Set([0, Math.floor(last / 3), Math.max(0, device.peak_event), last])) {
        await checkMoment(db, device, event, curve[event])
      }
      await checkFinal(db, device)
      await checkAllocator(db, device)
      await checkCurves(db, device)
    }
    await checkRefusals(db)
    await close(db)
  }
})
finish()
