// Lists of allocations and the keys of filters as SQL on real captures, against answers computed here from the relations.
// node test_allocation_list.mjs [ADDON]; the last line is `N passed, N failed`.
import { all, answer, check, close, finish, index, inFolder, refused, sample } from './sql_checks.mjs'

const LIST = 'SELECT allocation_list(?,?,?,?,?,?,?)'
const listOf = async (db, device, filter, sort = 'id', descending = 0, byTitle = '', limit = 10000, offset = 0) =>
  JSON.parse(await answer(db, LIST, device, filter, sort, descending, byTitle, limit, offset))
const same = (a, b) => a.length === b.length && a.every((each, i) => each === b[i])

// The event of a free, -1 before the first, Infinity never.
const freed = (a) => (a.free_request_unseen ? -1 : (a.free_requested_event ?? Infinity))
const made = (a) => a.alloc_event ?? -1

/** Each key of a filter with a value that parts these allocations, and what it means. */
function filtersOf(device, allocations, handles, pools) {
  const { event_count: events, first_time_ns: firstNs, last_time_ns: lastNs } = device
  const last = events - 1
  const middle = allocations[allocations.length >> 1]
  const life = (a) => Math.min(freed(a), last) - made(a)
  const isKnown = (a) => made(a) >= 0 && freed(a) !== Infinity
  const startNs = (a) => a.alloc_time_ns ?? firstNs
  const lifeNs = (a) => (freed(a) === Infinity ? lastNs : a.free_time_ns) - startNs(a)
  const event = events >> 1
  const low = BigInt(middle.address)
  const hex = (value) => `0x${value.toString(16)}`
  const overlaps = (a, from, to) => BigInt(a.address) < to && BigInt(a.address) + BigInt(a.size_bytes) > from
  const stack = middle.stack_id ?? -1
  return [
    [{ max_bytes: middle.size_bytes }, (a) => a.size_bytes <= middle.size_bytes],
    [{ min_requested: middle.requested_bytes }, (a) => a.requested_bytes >= middle.requested_bytes],
    [{ max_requested: middle.requested_bytes }, (a) => a.requested_bytes <= middle.requested_bytes],
    [{ min_life: 30 }, (a) => life(a) >= 30],
    [{ max_life: 30 }, (a) => isKnown(a) && life(a) <= 30],
    [{ min_life_ns: 100000 }, (a) => freed(a) >= 0 && lifeNs(a) >= 100000],
    [{ max_life_ns: 100000 }, (a) => isKnown(a) && lifeNs(a) <= 100000],
    [{ alive_at: event }, (a) => made(a) <= event && freed(a) > event],
    [{ alive_at: -1 }, (a) => made(a) < 0 && freed(a) > -1],
    [{ made_from: event }, (a) => made(a) >= event],
    [{ made_to: event }, (a) => made(a) < event],
    [{ made_to: 0 }, (a) => made(a) < 0],
    [{ freed_from: -1 }, (a) => freed(a) !== Infinity],
    [{ freed_from: event, freed_to: last }, (a) => freed(a) >= event && freed(a) < last],
    [{ streams: [handles[0], '12345'] }, (a) => String(a.stream) === handles[0]],
    [{ streams: [] }, () => false],
    [{ pools: [pools[0]] }, (a) => a.pool === pools[0]],
    [{ address_from: hex(low) }, (a) => overlaps(a, low, 1n << 64n)],
    [{ address_from: hex(low), address_to: hex(low + 1n) }, (a) => overlaps(a, low, low + 1n)],
    [{ address_to: hex(low) }, (a) => overlaps(a, 0n, low)],
    [{ without_stacks: [stack] }, (a) => (a.stack_id ?? -1) !== stack],
    // Of these, the backward pass is recorded with a stack that is empty.
    [{ without_stacks: [-1] }, (a) => a.frames > 0],
    [{ stacks: [-1] }, (a) => a.frames === 0],
    [{ stacks: [-1, stack] }, (a) => a.frames === 0 || a.stack_id === stack],
    [
      { max_bytes: middle.size_bytes, made_from: 10, min_life: 3 },
      (a) => a.size_bytes <= middle.size_bytes && made(a) >= 10 && life(a) >= 3,
    ],
  ]
}

async function checkFilters(db, device, allocations) {
  const id = device.device
  const handles = (await all(db, 'SELECT CAST(handle AS TEXT) AS handle FROM stream ORDER BY stream_index')).map(({ handle }) => handle)
  const pools = (await all(db, 'SELECT name FROM pool ORDER BY pool_index')).map(({ name }) => name)
  for (const [filter, passes] of filtersOf(device, allocations, handles, pools)) {
    const json = JSON.stringify(filter)
    const expected = allocations.filter(passes)
    const ids = expected.map((a) => a.allocation_id)
    const list = await listOf(db, id, json)
    check(same(list.rows, ids.slice(0, 10000)) && list.count === ids.length, `${json} lists ${list.count}, not ${ids.length}`)
    check(list.bytes === expected.reduce((sum, a) => sum + a.size_bytes, 0), `bytes of ${json}`)
    const rows = await all(
      db,
      'SELECT allocation_id FROM allocation WHERE device = ?1 AND allocation_passes(?1, allocation_id, ?2)',
      id,
      json,
    )
    check(
      same(
        rows.map((row) => row.allocation_id),
        ids,
      ),
      `${json} lets ${rows.length} rows pass, not ${ids.length}`,
    )
    const raster = [id, 'event', 0, device.event_count, 'allocation', 0, allocations.length, json, 'size', 1, 0]
    const lifetimes = JSON.parse(await answer(db, 'SELECT lifetime_list(?,?,?,?,?,?,?,?,?,?,?)', ...raster))
    check(lifetimes.count === ids.length, `lifetimes of ${json}: ${lifetimes.count}, not ${ids.length}`)
  }
}

/** Every order against a plain sort: what has no value last, equal ones by allocation. */
async function checkOrders(db, device, allocations) {
  const last = device.event_count - 1
  const end = (a) => (freed(a) === Infinity ? last : freed(a))
  const index = (rows, column, of) => new Map(rows.map((row) => [row[column], row[of]]))
  const streams = index(await all(db, 'SELECT handle, stream_index FROM stream'), 'handle', 'stream_index')
  const pools = index(await all(db, 'SELECT name, pool_index FROM pool'), 'name', 'pool_index')
  const stacks = (await all(db, 'SELECT stack_id FROM stack')).map(({ stack_id: id }) => id)
  const byTitle = stacks.filter((id) => id % 5 !== 2).sort((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101) || a - b)
  const rank = new Map(byTitle.map((stack, place) => [stack, place]))
  const keys = {
    id: (a) => a.allocation_id,
    address: (a) => BigInt(a.address),
    size: (a) => a.size_bytes,
    requested: (a) => a.requested_bytes,
    stream: (a) => streams.get(a.stream) ?? -1,
    pool: (a) => pools.get(a.pool) ?? -1,
    made: (a) => a.alloc_event,
    freed: (a) => a.free_requested_event,
    life: (a) => (made(a) < 0 || end(a) < 0 ? null : end(a) - made(a)),
    life_ns: (a) => (made(a) < 0 || end(a) < 0 ? null : (freed(a) === Infinity ? device.last_time_ns : a.free_time_ns) - a.alloc_time_ns),
    stack: (a) => rank.get(a.stack_id) ?? null,
  }
  for (const [sort, key] of Object.entries(keys)) {
    for (const descending of [0, 1]) {
      const compare = (a, b) =>
        (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (descending ? -1 : 1) || a.allocation_id - b.allocation_id
      const known = allocations.filter((a) => key(a) !== null).sort(compare)
      const ids = [...known, ...allocations.filter((a) => key(a) === null)].map((a) => a.allocation_id)
      const titles = JSON.stringify(byTitle)
      const list = await listOf(db, device.device, '', sort, descending, titles)
      check(same(list.rows, ids), `${sort} ${descending ? 'down' : 'up'} is in another order`)
      const page = await listOf(db, device.device, '', sort, descending, titles, 7, 11)
      check(same(page.rows, ids.slice(11, 18)), `a page by ${sort}`)
      const place = await answer(db, 'SELECT allocation_list_place(?,?,?,?,?,?)', device.device, '', sort, descending, titles, ids.at(-2))
      check(place === ids.length - 2, `the place of one by ${sort} is ${place}`)
    }
  }
  check((await listOf(db, device.device, '', 'id', 0, '', 5, 1e9)).rows.length === 0, 'there is nothing behind the end')
  const left = await answer(
    db,
    "SELECT allocation_list_place(?,'{\"streams\":[]}','id',0,'',?)",
    device.device,
    allocations[0].allocation_id,
  )
  check(left === null, 'what the filter leaves out has no place')
}

async function checkRefusals(db) {
  const good = [0, '', 'size', 0, '', 10, 0]
  for (const [at, value] of [
    [0, 77],
    [1, '{"max_bytes":-1}'],
    [1, '{"min_life":1.5}'],
    [1, '{"alive_at":"peak"}'],
    [1, '{"streams":[7]}'],
    [1, '{"pools":"a"}'],
    [1, '{"address_from":"7f"}'],
    [1, '{"address_from":"0x7g"}'],
    [1, '{"address_to":12}'],
    [1, '{"without_stacks":["a"]}'],
    [1, '{"color":1}'],
    [2, 'taste'],
    [4, '[-1]'],
    [5, 0],
    [5, 10001],
    [6, -1],
  ]) {
    await refused(db, 'query/bad_argument', LIST, ...good.with(at, value))
  }
  await refused(db, 'query/bad_argument', 'SELECT allocation_passes(0, 0, \'{"color":1}\')')
  await refused(db, 'query/bad_argument', 'SELECT allocation_passes(0, NULL, \'{"color":1}\')')
  check((await answer(db, "SELECT allocation_passes(0, NULL, '{}')")) === null, 'a filter that is one')
  await refused(db, 'query/bad_argument', "SELECT allocation_passes(0, 1000000000, '')")
}

await inFolder(async (folder) => {
  for (const name of ['ft_lora', 'two_devices', 'oom']) {
    const db = await index(folder, sample(name))
    for (const device of await all(db, 'SELECT * FROM device WHERE event_count > 0')) {
      const allocations = await all(
        db,
        'SELECT a.*, coalesce(s.depth, 0) AS frames FROM allocation a LEFT JOIN stack s USING (stack_id) WHERE device = ? ORDER BY allocation_id',
        device.device,
      )
      await checkFilters(db, device, allocations)
      await checkOrders(db, device, allocations)
    }
    await checkRefusals(db)
    await close(db)
  }
})
finish()
