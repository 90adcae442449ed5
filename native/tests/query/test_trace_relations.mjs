// ingest_trace and the public relations of a trace as SQL, against the events of the file read here: nothing lost, rows in their order.
// node test_trace_relations.mjs [ADDON]; the last line is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addon, all, answer, check, close, corpus, finish, openDatabase, refused, sample } from './sql_checks.mjs'

const native = createRequire(import.meta.url)(addon)
const folder = mkdtempSync(join(tmpdir(), 'tidemark-'))
const options = (job, path) =>
  JSON.stringify({ job, source_name: 'trace.json', source_bytes: statSync(path).size, fingerprint: '0', tool_version: '0' })

let indexes = 0
async function ingest(path) {
  const db = await openDatabase(join(folder, `${++indexes}.tidemark`))
  const counts = JSON.parse(await answer(db, 'SELECT ingest_trace(?,?)', path, options(1, path)))
  return { db, counts }
}

async function ingestText(text) {
  const path = join(folder, `${++indexes}.json`)
  writeFileSync(path, text)
  return ingest(path)
}

/** Microseconds with three decimals as nanoseconds. */
function nanoseconds(value) {
  const [whole, fraction = ''] = String(value).split('.')
  return BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0').slice(0, 3))
}

async function checkOrder(db) {
  const slices = await all(db, 'SELECT * FROM slice')
  const lanes = await all(db, 'SELECT * FROM lane ORDER BY lane_id')
  let rows = 0
  for (const lane of lanes) {
    check(lane.first_slice === rows, `lane ${lane.lane_id} begins where the one before ends`)
    rows += lane.slice_count
    for (let id = lane.first_slice; id < rows; id++) {
      const slice = slices[id]
      check(slice.slice_id === id && slice.track_id === lane.track_id && slice.depth === lane.depth, `slice ${id} says its lane`)
      const before = id > lane.first_slice ? slices[id - 1] : undefined
      check(!before || before.start_ns + before.dur_ns <= slice.start_ns, `slice ${id} does not overlap in its lane`)
      const parent = slices[slice.parent_id]
      if (!parent) continue
      check(parent.track_id === slice.track_id && parent.start_ns <= slice.start_ns, `slice ${id} starts inside its parent`)
      check(parent.start_ns + parent.dur_ns >= slice.start_ns + slice.dur_ns, `slice ${id} ends inside its parent`)
    }
  }
  check(rows === slices.length, 'every slice has a lane')
  return slices
}

async function checkLevels(db) {
  const levels = await all(db, 'SELECT * FROM lane_level ORDER BY first_row')
  const lanes = await all(db, 'SELECT * FROM lane ORDER BY lane_id')
  check(levels.length > 0, 'some lanes have levels')
  levels.forEach((level, i) => {
    const before = levels[i - 1]
    check(!before || before.first_row + before.row_count === level.first_row, `level ${i} follows the one before`)
    check(!before || before.level > level.level || before.lane_id < level.lane_id, `level ${i} is in order`)
    check(level.row_count * 2 <= lanes[level.lane_id].slice_count, `level ${i} joins at least every second slice`)
  })
}

async function checkTotals(db, slices) {
  const byName = new Map()
  for (const slice of slices) {
    const total = byName.get(slice.name) ?? { slice_count: 0, total_ns: 0 }
    byName.set(slice.name, { slice_count: total.slice_count + 1, total_ns: total.total_ns + slice.dur_ns })
  }
  const names = await all(db, 'SELECT text, slice_count, total_ns, slot FROM trace_name JOIN string USING (string_id)')
  check(names.length === byName.size, 'one row a name')
  for (const name of names) {
    const total = byName.get(name.text)
    check(total?.slice_count === name.slice_count && total?.total_ns === name.total_ns, `totals of ${name.text}`)
  }
  const ranked = [...names].sort((a, b) => b.total_ns - a.total_ns)
  check(
    ranked
      .slice(0, 12)
      .every((name, i) => name.slot === i + 1 || ranked[i + 1].total_ns === name.total_ns || ranked[i - 1]?.total_ns === name.total_ns),
    'slots by total',
  )
  check(
    ranked.slice(12).every((name) => name.slot >= 13 && name.slot <= 24),
    'the other slots by hash',
  )
}

async function checkRealTrace() {
  const path = join(corpus, 'healthy/trace_lora/trace.json')
  const { db, counts } = await ingest(path)
  // Numbers keep their digits: a double would lose them.
  const text = readFileSync(path, 'utf8').replace(/("(?:ts|dur)": )([0-9.]+)/g, '$1"$2"')
  const events = JSON.parse(text).traceEvents
  const complete = events.filter((event) => event.ph === 'X')
  check(counts.events === events.length && counts.slices === complete.length && counts.devices === 2, JSON.stringify(counts))
  const slices = await checkOrder(db)
  const [capture] = await all(db, 'SELECT * FROM capture')
  check(capture.kind === 'chrome_trace' && capture.schema_version === 5, 'the capture says what it is')
  const tellsStart = ({ ph, cat, s }) => ph !== 'M' && cat !== 'Trace' && s !== 'g'
  const timed = events.filter(tellsStart).map((event) => nanoseconds(event.ts))
  const start = timed.sort((a, b) => (a < b ? -1 : 1))[0]
  const key = (name, ts, dur) => `${name}|${ts}|${dur}`
  const wanted = complete.map((event) => key(event.name, nanoseconds(event.ts) - start, nanoseconds(event.dur))).sort()
  const got = slices.map((slice) => key(slice.name, slice.start_ns, slice.dur_ns)).sort()
  check(wanted.join('\n') === got.join('\n'), 'every complete event is a slice with its exact times')
  await checkLevels(db)
  await checkTotals(db, slices)
  const flows = await all(
    db,
    'SELECT f.*, a.correlation AS of_call, b.correlation AS of_work FROM flow f JOIN slice a ON a.slice_id = f.from_slice JOIN slice b ON b.slice_id = f.to_slice',
  )
  const calls = new Map(
    slices.filter((slice) => /^cuda_(runtime|driver)$/.test(slice.category)).map((slice) => [slice.correlation, slice.slice_id]),
  )
  const linked = slices.filter((slice) => /^(kernel|gpu_mem)/.test(slice.category) && calls.has(slice.correlation))
  check(linked.length > 500, 'the trace has launches')
  const pairs = new Set(flows.map((flow) => `${flow.from_slice} ${flow.to_slice}`))
  check(pairs.size === flows.length, 'no pair counts twice')
  check(
    linked.every((slice) => pairs.has(`${calls.get(slice.correlation)} ${slice.slice_id}`)),
    'every launch leads to its work',
  )
  await checkNarrowing(db, slices, flows)
  await close(db)
}

async function checkNarrowing(db, slices, flows) {
  for (const { track_id: track } of await all(db, 'SELECT track_id FROM track')) {
    const rows = await all(db, 'SELECT slice_id FROM slice WHERE track_id = ?', track)
    check(rows.length === slices.filter((slice) => slice.track_id === track).length, `slices of track ${track}`)
  }
  const to = flows[flows.length >> 1].to_slice
  check(
    (await all(db, 'SELECT 1 FROM flow WHERE to_slice = ?', to)).length === flows.filter((flow) => flow.to_slice === to).length,
    'flows to a slice',
  )
  check((await all(db, 'SELECT 1 FROM slice WHERE track_id = -1')).length === 0, 'no slices of a track that is not there')
}

async function checkSmallTrace() {
  const { db } = await ingestText(
    JSON.stringify([
      { ph: 'X', name: 'outer', cat: 'c', pid: 1, tid: 1, ts: 100.5, dur: 10, args: { 'External id': 4, deep: { a: [1] } } },
      { ph: 'B', name: 'open', pid: 1, tid: 1, ts: 102 },
      { ph: 'i', name: 'mark', pid: 1, tid: 1, ts: 101, s: 't' },
      { ph: 'C', name: 'bytes', pid: 1, ts: 101, args: { a: 1.5, b: -2 } },
      { ph: 'C', name: 'bytes', pid: 1, ts: 100, args: { a: 7 } },
    ]),
  )
  const slices = await all(db, 'SELECT * FROM slice')
  check(slices[0].name === 'outer' && slices[0].category === 'c' && slices[0].external_id === 4 && slices[0].correlation === null, 'outer')
  check(slices[1].is_unfinished === 1 && slices[1].category === null && slices[1].dur_ns === 8500, 'open lasts to the end of its track')
  const counters = await all(db, 'SELECT * FROM counter')
  check(
    JSON.stringify(counters.map((row) => [row.series, row.time_ns, row.value])) === '[["a",0,7],["a",1000,1.5],["b",1000,-2]]',
    'counter',
  )
  check((await answer(db, 'SELECT max_value FROM counter_series WHERE name = ?', 'a')) === 7, 'largest value')
  check((await answer(db, 'SELECT count(*) FROM counter WHERE track_id = ?', counters[0].track_id)) === 3, 'samples of a track')
  const [mark] = await all(db, 'SELECT * FROM instant')
  check(mark.name === 'mark' && mark.time_ns === 1000 && mark.track_id === slices[0].track_id, 'mark')
  check(slices[0].args === null, 'no args without the source')
  await close(db)
}

/** Texts are searched by their number in the index, which must not leave out rows that SQLite finds equal. */
async function checkTextSearch() {
  const event = (name, cat, ts) => `{"ph":"X","pid":1,"tid":1,"ts":${ts},"dur":1,"name":"${name}","cat":"${cat}"}`
  const names = ['mm', 'MM', 'mm', 'bad \xff', 'bad \xfe']
  const text = `[${names.map((name, at) => event(name, at % 2 ? 'odd' : 'even', at)).join(',')}]`
  const { db } = await ingestText(Buffer.from(text, 'latin1'))
  const count = (where, ...values) => answer(db, `SELECT count(*) FROM slice WHERE ${where}`, ...values)
  check((await count('name = ?', 'mm')) === 2, 'rows of a name')
  check((await count('name = ? COLLATE NOCASE', 'mm')) === 3, 'rows of a name in any case')
  check((await count('name IN (?, ?)', 'MM', 'mm')) === 3, 'rows of two names')
  check((await count('name = ?', 'm')) === 0, 'a name that no row has')
  check((await count('name = ? AND start_ns >= 1000', 'mm')) === 1, 'a name and a time')
  check((await count('name = ?', 'bad \ufffd')) === 2, 'names that became equal')
  check((await count('category = ?', 'odd')) === 2 && (await count('category = ?', 'none')) === 0, 'rows of a category')
  check((await count('name = category')) === 0, 'two columns')
  const plan = await all(db, `EXPLAIN QUERY PLAN SELECT * FROM slice WHERE name = 'mm'`)
  check(
    plan.some(({ detail }) => /VIRTUAL TABLE INDEX 0:\d+,2;/.test(detail)),
    'the name is handed down',
  )
  await close(db)
}

async function checkRefusals() {
  const db = await openDatabase(join(folder, 'refused.tidemark'))
  const path = join(corpus, 'healthy/trace_lora/trace.json')
  await refused(db, 'query/bad_argument', 'SELECT ingest_trace(?,?)', path, 'no JSON')
  await refused(db, 'file/not_found', 'SELECT ingest_trace(?,?)', join(folder, 'missing.json'), '{}')
  check((await all(db, 'SELECT name FROM sqlite_schema')).length === 0, 'nothing half-made is left')
  await answer(db, 'SELECT ingest_trace(?,?)', path, options(1, path))
  await refused(db, 'query/bad_argument', 'SELECT ingest_trace(?,?)', path, options(1, path))
  await close(db)
}

async function checkCancel(stage) {
  const path = join(corpus, 'large/big_trace/trace.json')
  const db = await openDatabase(join(folder, `cancel${stage}.tidemark`))
  let cancelled = false
  const timer = setInterval(() => {
    if (!cancelled && native.progress(9)?.stage === stage) cancelled = native.cancel(9)
  }, 1)
  const error = await answer(db, 'SELECT ingest_trace(?,?)', path, options(9, path)).then(
    () => undefined,
    (thrown) => thrown.message,
  )
  clearInterval(timer)
  check(!cancelled || /query\/cancelled/.test(error ?? ''), `a load cancelled while it ${stage}s answers ${error}`)
  if (error) check((await all(db, 'SELECT name FROM sqlite_schema')).length === 0, 'a cancelled load leaves nothing')
  await close(db)
}

async function checkSnapshotHasNone() {
  const db = await openDatabase(join(folder, 'snapshot.tidemark'))
  const path = sample('oom')
  await answer(db, 'SELECT ingest_snapshot(?,?)', path, options(1, path))
  for (const relation of ['slice', 'instant', 'counter', 'flow', 'memory_event', 'trace_allocation', 'track', 'lane', 'trace_name']) {
    check((await all(db, `SELECT * FROM ${relation}`)).length === 0, `${relation} is empty in a snapshot's index`)
  }
  await close(db)
}

await checkRealTrace()
await checkSmallTrace()
await checkTextSearch()
await checkRefusals()
for (const stage of ['read', 'replay', 'index']) await checkCancel(stage)
await checkSnapshotHasNone()
rmSync(folder, { recursive: true })
finish()
