// What virtual tables push down into the index, against the same questions where SQLite has to look at every row, and a join of
// the largest real capture against a hash join made here.
// node test_lookups.mjs [ADDON]; the last line is `N passed, N failed`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { all, check, close, corpus, finish, index, inFolder, sample } from './sql_checks.mjs'

// A unary + keeps SQLite from handing a constraint down.
const forced = (where) =>
  where.replace(
    /\b(device|event|allocation_id|address|stack_id|version|state|action|time_ns|size_bytes|alloc_event|free_requested_event)\b(?= [<>=]| IN)/g,
    '+$1',
  )

/** Asks twice: as a user would, and so that SQLite looks at every row itself. */
async function compare(db, relation, where) {
  const asked = await all(db, `SELECT * FROM ${relation} WHERE ${where}`)
  const scanned = await all(db, `SELECT * FROM ${relation} WHERE ${forced(where)}`)
  // A list of values is answered value by value; every other order is that of the rows.
  const inOrder = (rows) => JSON.stringify(where.includes(' IN ') ? rows.map((row) => JSON.stringify(row)).sort() : rows)
  check(inOrder(asked) === inOrder(scanned), `${relation} WHERE ${where}: ${asked.length} rows, not ${scanned.length}`)
  return asked.length
}

/** Constraints of every kind, with values that some rows of the relation have and some that none has. */
async function compareRelation(db, relation, columns) {
  const rows = await all(db, `SELECT * FROM ${relation}`)
  const picked = [0, 0.3, 0.7, 0.999].map((share) => rows[Math.floor(rows.length * share)]).filter((row) => row !== undefined)
  let found = 0
  for (const column of columns) {
    const values = picked.map((row) => row[column]).filter((value) => value !== null)
    const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value))
    for (const value of [...values, null, -1, -2, 1e15, '0x0', '0xFFFF', 'none']) {
      found += await compare(db, relation, `${column} = ${literal(value)}`)
      for (const row of picked) found += await compare(db, relation, `device = ${row.device} AND ${column} = ${literal(value)}`)
      if (typeof value === 'number' && typeof values[0] === 'number') {
        for (const op of ['<', '<=', '>', '>=']) await compare(db, relation, `device = 0 AND ${column} ${op} ${value}`)
      }
    }
    if (values.length > 1) found += await compare(db, relation, `${column} IN (${values.map(literal).join()}, 5)`)
  }
  check(found > 0, `some rows of ${relation} were found`)
}

async function compareSample(folder, capture) {
  const db = await index(folder, capture)
  await compareRelation(db, 'allocation', [
    'allocation_id',
    'address',
    'stack_id',
    'version',
    'size_bytes',
    'alloc_event',
    'free_requested_event',
  ])
  await compareRelation(db, 'event', ['event', 'action', 'address', 'stack_id', 'time_ns'])
  await compareRelation(db, 'block', ['address', 'state', 'stack_id', 'size_bytes'])
  await compareRelation(db, 'memory_curve', ['event', 'time_ns'])
  for (const { device, event_count } of await all(db, 'SELECT device, event_count FROM device WHERE event_count > 0')) {
    for (const event of [-1, 0, Math.floor(event_count / 2), event_count - 1]) {
      const live = await all(db, 'SELECT allocation_id FROM live_allocation(?,?)', device, event)
      const wanted = await all(
        db,
        `SELECT allocation_id FROM allocation WHERE +device = ? AND coalesce(alloc_event, -1) <= ?
           AND coalesce(free_requested_event, 1e18) > ? AND free_request_unseen = 0`,
        device,
        event,
        event,
      )
      check(JSON.stringify(live) === JSON.stringify(wanted), `live_allocation(${device}, ${event})`)
    }
    await compareStacks(db, device)
  }
  await close(db)
}

/** same_stack against counting and sorting here. */
async function compareStacks(db, device) {
  const rows = await all(
    db,
    'SELECT coalesce(stack_id, -1) AS stack, free_time_ns - alloc_time_ns AS ns FROM allocation WHERE +device = ?',
    device,
  )
  for (const stack of new Set([...rows.slice(0, 200).map((row) => row.stack), 1e6])) {
    const same = rows.filter((row) => row.stack === stack)
    const times = same
      .map((row) => row.ns)
      .filter((ns) => ns !== null)
      .sort((a, b) => a - b)
    const wanted = JSON.stringify({ count: same.length, median_lifetime_ns: times[(times.length - 1) >> 1] ?? null })
    const [{ answer }] = await all(db, 'SELECT same_stack(?,?) AS answer', device, stack)
    check(answer === wanted, `same_stack(${device}, ${stack}) is ${answer}, not ${wanted}`)
  }
}

/** 311,000 blocks by address: without an index over addresses this does not end. */
async function compareJoin(folder, capture) {
  const db = await index(folder, capture)
  const [{ rows }] = await all(db, 'SELECT count(*) AS rows FROM block JOIN allocation USING (address)')
  const byAddress = new Map()
  for (const { address } of await all(db, 'SELECT address FROM allocation')) byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
  let wanted = 0
  for (const { address } of await all(db, 'SELECT address FROM block')) wanted += byAddress.get(address) ?? 0
  check(rows === wanted, `block JOIN allocation has ${rows} rows, not ${wanted}`)
  check(rows > 300_000, 'the join is a large one')
  await close(db)
}

await inFolder(async (folder) => {
  for (const name of ['two_devices', 'oom']) await compareSample(folder, sample(name))
  const large = join(corpus, 'oom/oom_meta_optimizer_0/snapshot.pickle')
  if (existsSync(large)) await compareJoin(folder, large)
  else console.log('skipped: the join of the largest real capture, since the corpus is not here')
})
finish()
