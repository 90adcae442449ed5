// The questions about a trace, asked of the built library by SQL, against plain scans over its slices: a random trace with every odd
// case, written as an index by hand, and real ones that are read from their files.
// node test_trace.mjs [ADDON]; the last line is `N passed, N failed`.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { all, answer, check, close, corpus, finish, inFolder, openDatabase, refused } from './sql_checks.mjs'
import { checkCurves, checkLinks, checkNames, checkPlaces, checkRasters, checkSelections, directory, raster } from './trace_checks.mjs'
import { makeTrace, numbers, writeTraceIndex } from './trace_maker.mjs'

async function checkRefusals(db) {
  const bad = (sql, ...values) => refused(db, 'query/bad_argument', sql, ...values)
  for (const lanes of ['', '[', '[-1]', '[0.5]', '[1e9]', '[100000]', '{}', '[0,]', '["0"]', 'null', JSON.stringify(Array(1001).fill(0))]) {
    await bad(raster, lanes, 0, 1, 10, 'name', '')
  }
  await bad(raster, null, 0, 1, 10, 'name', '')
  for (const [t0, t1, columns] of [
    [1, 1, 10],
    [2, 1, 10],
    [0, 1, 0],
    [0, 1, 16385],
    [0, 1, 1.5],
    [0, Infinity, 10],
    [NaN, 1, 10],
    ['0', 1, 10],
    [0, 1e-320, 10],
    [-1e308, 1e308, 10],
  ]) {
    await bad(raster, '[0]', t0, t1, columns, 'name', '')
    await bad('SELECT counter_curve(?,?,?,?)', 0, t0, t1, columns)
    await bad('SELECT instant_marks(?,?,?,?)', 0, t0, t1, columns)
  }
  for (const filter of ['[]', '{"names":1}', '{"names":[-1]}', '{"other":[]}', 'x', '{"names":[1],"more":1}'])
    await bad(raster, '[0]', 0, 1, 10, 'name', filter)
  await bad(raster, '[0]', 0, 1, 10, 'size', '')
  for (const id of [-1, 1e9, 0.5, null]) {
    await bad('SELECT trace_pick(?,0,0)', id)
    await bad('SELECT slice_links(?)', id)
    await bad(`SELECT slice_at(?,0,'')`, id)
  }
  await bad('SELECT trace_pick(0,0,-1)')
  await bad(`SELECT trace_next('[0','',0,-1,1)`)
  await bad(`SELECT trace_next('','[99999]',0,-1,1)`)
  await bad(`SELECT trace_selection('',1,1,'name',1)`)
  await bad(`SELECT trace_selection('',0,1,'size',1)`)
  await bad(`SELECT trace_selection('',0,1,'name',10001)`)
  await bad(`SELECT trace_names('',-1)`)
}

/** An index with a column that is too short or damaged answers with a code. */
async function checkDamage(db) {
  await all(db, `UPDATE column_piece SET data = substr(data, 1, 100) WHERE relation = 'slice' AND name = 'dur' AND piece = 0`)
  const path = await answer(db, `SELECT file FROM pragma_database_list WHERE name = 'main'`)
  const other = await openDatabase(path)
  await refused(other, 'index/not_an_index', raster, '[0]', 0, 1e6, 100000 / 10, 'name', '')
  await refused(other, 'index/not_an_index', `SELECT trace_selection('',0,1e9,'name',1)`)
  await close(other)
}

async function checkMade(folder) {
  const trace = makeTrace(7)
  const db = await openDatabase(join(folder, 'made.tidemark'))
  await writeTraceIndex(db, trace)
  await directory(db, trace)
  check(
    trace.lanes.some((lane) => lane.levels.length > 3),
    'the made trace has levels',
  )
  const random = numbers(3)
  await checkRasters(db, trace, random)
  await checkPlaces(db, trace, random)
  await checkSelections(db, trace, random)
  await checkNames(db)
  await checkLinks(db, trace, [...trace.flows.slice(0, 40).flat(), 0, trace.count - 1, 100000])
  await checkCurves(db, trace)
  await checkRefusals(db)
  await checkDamage(db)
  await close(db)
}

/** A trace of an ingested index as the checks want it: from the relations and the small tables. */
async function readTrace(db) {
  const lanes = await all(db, 'SELECT lane_id, track_id, first_slice, slice_count FROM lane ORDER BY lane_id')
  const rows = await all(db, 'SELECT name, category, parent_id, start_ns, dur_ns FROM slice ORDER BY slice_id')
  const names = new Map(
    (await all(db, 'SELECT string_id, text FROM trace_name JOIN string USING (string_id)')).map((row) => [row.text, row.string_id]),
  )
  const categories = new Map((await all(db, 'SELECT category_id, name FROM trace_category')).map((row) => [row.name, row.category_id]))
  const trace = { lanes: [], tracks: [], series: [], flows: [] }
  for (const lane of lanes) {
    const own = rows.slice(lane.first_slice, lane.first_slice + lane.slice_count)
    trace.lanes.push({
      track: lane.track_id,
      first: lane.first_slice,
      start: own.map((row) => row.start_ns),
      dur: own.map((row) => row.dur_ns),
      parent: own.map((row) => row.parent_id ?? -1),
      name: own.map((row) => names.get(row.name) ?? -1),
      category: own.map((row) => categories.get(row.category)),
    })
  }
  const instants = await all(db, 'SELECT track_id, time_ns FROM instant ORDER BY instant_id')
  for (const { track_id: id } of await all(db, 'SELECT track_id FROM track ORDER BY track_id')) {
    trace.tracks.push({ instants: instants.filter((row) => row.track_id === id).map((row) => row.time_ns) })
  }
  trace.flows = (await all(db, 'SELECT from_slice, to_slice FROM flow ORDER BY flow_id')).map((row) => [row.from_slice, row.to_slice])
  const samples = await all(db, 'SELECT time_ns, value FROM counter')
  for (const { first_row: first, sample_count: count } of await all(db, 'SELECT * FROM counter_series ORDER BY series_id')) {
    trace.series.push(samples.slice(first, first + count).map((row) => [row.time_ns, row.value]))
  }
  await directory(db, trace)
  return trace
}

async function ingest(folder, source) {
  const bytes = statSync(source).size
  const db = await openDatabase(join(folder, `${bytes}.tidemark`))
  const options = { job: 1, source_name: 'trace', source_bytes: bytes, fingerprint: '0', tool_version: '0' }
  await all(db, 'SELECT ingest_trace(?,?)', source, JSON.stringify(options))
  return db
}

async function checkIngested(db, seed) {
  const trace = await readTrace(db)
  const random = numbers(seed)
  await checkRasters(db, trace, random)
  await checkPlaces(db, trace, random)
  await checkSelections(db, trace, random)
  await checkNames(db)
  await checkLinks(db, trace, [...trace.flows.slice(0, 40).flat(), 0, trace.count - 1])
  await checkCurves(db, trace)
}

/** A trace whose slices overlap without lying inside each other, so that there are spill lanes, with counters and instants. */
function randomEvents(random) {
  const events = []
  const add = (event) => events.push({ pid: 1, tid: 1, ...event })
  for (let i = 0; i < 6000; i++) {
    const [ts, dur] = [Math.floor(random() * 1e6) / 8, random() < 0.05 ? 0 : Math.floor(200 * random() ** 4 * 1000) / 1000]
    add({ ph: 'X', name: `op ${Math.floor(40 * random() ** 2)}`, cat: i % 3 ? 'cpu_op' : 'kernel', ts, dur, tid: i % 4, args: { i } })
  }
  add({ ph: 'X', name: 'all of it', ts: 0, dur: 2e5, tid: 9 })
  for (let i = 0; i < 500; i++) add({ ph: 'C', name: 'load', ts: i * 11.5, args: { a: i % 17, b: 1 - i / 4 } })
  for (let i = 0; i < 300; i++) add({ ph: 'i', name: 'mark', ts: Math.floor(random() * 1e5), tid: 2, s: 't' })
  return events
}

async function checkRandomFile(folder) {
  const path = join(folder, 'random.json')
  writeFileSync(path, JSON.stringify({ traceEvents: randomEvents(numbers(11)) }))
  const db = await ingest(folder, path)
  check((await answer(db, 'SELECT count(*) FROM lane WHERE is_spill')) > 0, 'the random file has spill lanes')
  await checkIngested(db, 12)
  await checkSource(db, path, (row) => `"i":${JSON.parse(row.args).i}`)
  await close(db)
}

/** args and source_text: what the file says where the event is. */
async function checkSource(db, path, part) {
  const some = `SELECT args, name FROM slice WHERE category = 'cpu_op' LIMIT 200`
  check(
    (await all(db, some)).every((row) => row.args === null),
    'args are NULL without a source',
  )
  await refused(db, 'file/not_found', 'SELECT trace_source(?)', `${path}.none`)
  await answer(db, 'SELECT trace_source(?)', path)
  const rows = await all(db, some)
  check(rows.length > 0 && rows.every((row) => row.args !== null && typeof JSON.parse(row.args) === 'object'), 'args are JSON')
  if (part)
    check(
      rows.every((row) => readFileSync(path, 'utf8').includes(part(row))),
      'args are those of the file',
    )
  await answer(db, 'SELECT trace_source(NULL)')
  check(
    (await all(db, some)).every((row) => row.args === null),
    'args are NULL after the source was taken away',
  )
  await refused(db, 'trace/source_changed', 'SELECT source_text(?,1,5)', path)
  for (const [offset, length] of [
    [-1, 5],
    [0, 0],
    [0, 2 ** 27],
  ])
    await refused(db, 'query/bad_argument', 'SELECT source_text(?,?,?)', path, offset, length)
  await refused(db, 'trace/source_changed', 'SELECT trace_source(?)', fileURLToPath(import.meta.url))
}

/** Slices that together last longer than 64 bits tell: their sum stays at the largest number. */
async function checkSumsBeyondRange(folder) {
  const path = join(folder, 'long.json')
  const slice = (i) => ({ ph: 'X', pid: 1, tid: i, name: i % 2 ? 'a' : 'b', cat: 'c', ts: 0, dur: 2e15 })
  writeFileSync(path, JSON.stringify({ traceEvents: Array.from({ length: 16 }, (_, i) => slice(i)) }))
  const db = await ingest(folder, path)
  const sums = await answer(db, `SELECT trace_selection('', -1, 4e18, 'name', 10)`)
  const totals = [...sums.matchAll(/"(total|self)_ns":(-?\d+)/g)].map((match) => match[2])
  check(totals.length === 5 && totals.every((total) => total === '9223372036854775807'), `sums beyond 64 bits: ${totals}`)
  await close(db)
}

async function checkReal(folder, name) {
  const path = join(corpus, 'healthy', name)
  if (!existsSync(path)) return console.log(`skipped: ${name}, since the corpus is not here`)
  const db = await ingest(folder, path)
  await checkIngested(db, 21)
  await checkSource(db, path)
  const kernel = await answer(db, `SELECT slice_id FROM slice WHERE category = 'kernel' LIMIT 1`)
  const links = JSON.parse(await answer(db, 'SELECT slice_links(?)', kernel))
  check(links.launch?.category === 'cuda_runtime' && links.op?.category === 'cpu_op', `${name}: a kernel has a launch and an op`)
  await close(db)
}

/** Sums over whole pieces, which a second thread adds up, against SQL. */
async function checkLargeSums(db) {
  const { rows } = JSON.parse(await answer(db, `SELECT trace_selection('', -1e15, 1e15, 'category', 100)`))
  const sums = await all(db, 'SELECT category AS text, count(*) AS count, sum(dur_ns) AS total_ns FROM slice GROUP BY category')
  const children = await all(
    db,
    `SELECT outer.category AS text, sum(inner.dur_ns) AS ns FROM slice AS inner CROSS JOIN slice AS outer
     WHERE outer.slice_id = inner.parent_id GROUP BY outer.category`,
  )
  check(rows.length === sums.length && rows.length > 5, 'every category of a large trace')
  for (const { text, count, total_ns } of sums) {
    const row = rows.find((row) => row.text === (text ?? ''))
    const inside = children.find((child) => child.text === text)?.ns ?? 0
    check(row?.count === count && row.total_ns === total_ns, `sums of ${text}`)
    check(row?.self_ns === Math.max(0, total_ns - inside), `self time of ${text}`)
  }
}

/** A question that is interrupted says so, soon, and leaves nothing behind that makes the next answer wrong. */
async function checkInterrupts(db) {
  const rare = await answer(db, 'SELECT string_id FROM trace_name ORDER BY slice_count LIMIT 1')
  const first = await answer(db, 'SELECT slice_id FROM slice WHERE name = (SELECT text FROM string WHERE string_id = ?)', rare)
  for (const question of [
    `trace_selection('', i, 1e15, 'name', 5)`,
    `trace_selection('', i, 1e15, 'track', 5)`,
    `trace_next('[${rare}]', '', 1e15 - i, -1, 0)`,
  ]) {
    const once = () => answer(db, `SELECT ${question} FROM (SELECT 1 AS i)`)
    const expected = await once()
    const many = `WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT count(${question}) FROM n`
    const told = []
    for (let round = 0; round < 8; round++) {
      // Again and again: one that comes before the statement runs is lost.
      const timer = setInterval(() => db.interrupt(), 5 + 7 * round)
      told.push(
        await answer(db, many).then(
          () => 'answered',
          ({ message }) => message,
        ),
      )
      clearInterval(timer)
      check((await once()) === expected, `${question} is answered after an interrupt`)
    }
    check(
      told.every((text) => /query\/cancelled|SQLITE_INTERRUPT/.test(text)),
      `${question} stops when it is interrupted: ${told}`,
    )
    check(
      told.some((text) => text.includes('query/cancelled')),
      `${question} stops on its way`,
    )
  }
  check((await answer(db, `SELECT trace_next('[${rare}]', '', 1e15, -1, 0)`)) === first, 'the one slice of a rare name')
}

async function checkLarge(folder) {
  const path = join(corpus, 'large/big_trace/trace.json')
  if (!existsSync(path)) return console.log('skipped: large sums and interrupts, since the large trace is not here')
  const db = await ingest(folder, path)
  await checkLargeSums(db)
  await checkInterrupts(db)
  await close(db)
}

await inFolder(async (folder) => {
  await checkMade(folder)
  await checkRandomFile(folder)
  await checkSumsBeyondRange(folder)
  for (const name of ['trace_lora/trace.json', 'trace_full_nostack/trace.json.gz']) await checkReal(folder, name)
  await checkLarge(folder)
})
finish()
