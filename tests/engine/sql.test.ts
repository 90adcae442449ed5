// The SQL console through the port: what it answers, how it ends, and that nothing but reading is possible.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namedRelations } from '../../main/engine/sql/relation-names.ts'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Result } from '../../preload/contract/errors.ts'
import type { EngineInput, SqlCell } from '../../preload/contract/queries.ts'
import { samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient, expectValue, quietly } from './engine-client.ts'

const scratch = scratchFolder('sql-console')
const inScratch = (name: string) => join(scratch.path, name)
let engine: EngineClient
let capture: CaptureSummary
let trace: CaptureSummary

beforeAll(async () => {
  engine = new EngineClient(capturesIn(inScratch('cache')), { lora: samplePath('ft_lora'), trace: traceSamplePath })
  capture = await engine.open('lora')
  trace = await engine.open('trace')
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const input = (sql: string, options: Partial<EngineInput<'sql.run'>> = {}) => ({ captureId: capture.captureId, sql, ...options })
const run = (sql: string, options: Partial<EngineInput<'sql.run'>> = {}) => engine.value('sql.run', input(sql, options))
const fails = (sql: string, options: Partial<EngineInput<'sql.run'>> = {}) => engine.ask('sql.run', input(sql, options)).answer
const messageOf = (result: Result<unknown>): string => (result.ok ? '' : result.error.message)
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'

describe('sql.run', () => {
  test('answers columns and rows, and says how many there are', async () => {
    const answer = await run("SELECT device, peak_allocated_bytes AS peak, NULL AS none, 'a' AS text, 1.5 AS real FROM device; -- all")
    expect(answer).toMatchObject({
      columns: ['device', 'peak', 'none', 'text', 'real'],
      rows: [[0, 1234779648, null, 'a', 1.5]],
      rowCount: 1,
      more: null,
    })
    expect(answer.elapsedMs).toBeGreaterThan(0)
  })

  test('keeps integers beyond 2^53 to the digit, and tells of infinity', async () => {
    const { rows } = await run('SELECT 9223372036854775807, -9223372036854775807 - 1, 9e999, -9e999, 9007199254740991')
    const number = (text: string) => ({ kind: 'number', text })
    expect(rows).toEqual([
      [number('9223372036854775807'), number('-9223372036854775808'), number('Infinity'), number('-Infinity'), 9007199254740991],
    ])
  })

  test('tells the size of a BLOB, and the beginning of a long text with its length', async () => {
    const { rows } = await run("SELECT zeroblob(30000000), x'01ff', printf('%.*c', 5000, 'x')")
    expect(rows).toEqual([
      [
        { kind: 'blob', bytes: 30000000 },
        { kind: 'blob', bytes: 2 },
        { kind: 'text', text: 'x'.repeat(4096), length: 5000 },
      ],
    ])
  })

  test('keeps columns apart that are called the same or like parts of an object, and names them without rows', async () => {
    expect(await run('SELECT 1 AS a, 2 AS a, 3 AS "__proto__", 4 AS "1"')).toMatchObject({ rows: [[1, 2, 3, 4]] })
    expect(await run('SELECT device, event FROM event WHERE event < 0')).toMatchObject({ columns: ['device', 'event'], rows: [] })
  })

  test('cuts at the limit and says so; every row held comes by pages below a megabyte', async () => {
    expect(await run('SELECT event FROM event', { limit: 10 })).toMatchObject({ rowCount: 10, more: 'rows' })
    expect(await run('SELECT event FROM event LIMIT 10', { limit: 10 })).toMatchObject({ rowCount: 10, more: null })
    const first = await run(`${endless} SELECT i, printf('%.*c', 100, 'x') AS text FROM n`)
    expect(first).toMatchObject({ rowCount: 10_000, more: 'rows' })
    const rows: SqlCell[][] = [...first.rows]
    while (rows.length < first.rowCount) {
      const page = await engine.value('sql.rows', { captureId: capture.captureId, answerId: first.answerId, offset: rows.length })
      expect(JSON.stringify(page).length).toBeLessThan(1_000_000)
      rows.push(...page.rows)
    }
    expect(rows.map(([i]) => i)).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1))
  })

  test('cuts an answer whose rows are wide before it fills the memory', async () => {
    const wide = Array.from({ length: 100 }, () => "printf('%.*c', 4000, 'x')").join(', ')
    const answer = await run(`${endless} SELECT ${wide} FROM n`)
    expect(answer.more).toBe('bytes')
    expect(answer.rowCount).toBeLessThan(50)
  })

  test('the rows of an answer that another has replaced are no longer there', async () => {
    const { answerId } = await run('SELECT 1')
    await run('SELECT 2')
    const late = await engine.ask('sql.rows', { captureId: capture.captureId, answerId, offset: 0 }).answer
    expect(codeOf(late)).toBe('query/bad_argument')
  })

  test('explains a statement and tells of tables by pragma', async () => {
    expect((await run('EXPLAIN QUERY PLAN SELECT * FROM event WHERE event = 5')).columns).toContain('detail')
    expect((await run('PRAGMA table_info(frame)')).rows.map(([, name]) => name)).toEqual(expect.arrayContaining(['name', 'filename']))
    expect((await run('PRAGMA page_size')).rows).toEqual([[expect.any(Number)]])
  })

  test('reads the arguments of slices from the source of the trace, and the functions of views', async () => {
    const { rows } = await run("SELECT args FROM slice WHERE args LIKE '{%' LIMIT 1", { captureId: trace.captureId })
    expect(rows).toEqual([[expect.stringMatching(/^\{/)]])
    expect((await run('SELECT top_stacks(0, 2480, 3) AS stacks')).rows).toEqual([[expect.stringMatching(/^\[\{"stack_id"/)]])
  })

  test('wrong SQL fails with what is wrong, in the words of SQLite', async () => {
    expect(await fails('SELECT x FROM nowhere')).toEqual({ ok: false, error: { code: 'query/failed', message: 'no such table: nowhere' } })
    expect(messageOf(await fails('SELECT count(*) FROM flame'))).toBe('flame needs (device, event), such as flame(0, 100)')
    expect(messageOf(await fails('hello'))).toContain('A statement begins with SELECT')
    for (const nothing of [' ', ';', ';;', '-- nothing', '/* nothing */', '/* a */ ; -- b'])
      expect(codeOf(await fails(nothing))).toBe('query/bad_argument')
  })
})

describe('a statement that would not end', () => {
  test('is stopped when its time is up', async () => {
    const late = await fails(`${endless} SELECT count(*) FROM n`, { timeLimitMs: 300 })
    expect(late).toEqual({ ok: false, error: { code: 'query/timed_out', message: 'The statement did not end within 0.3 s.' } })
  })

  test('is stopped while its rows are all left out one by one, and while nothing is', async () => {
    expect(codeOf(await fails(`${endless} SELECT i FROM n WHERE i < 0`, { timeLimitMs: 300 }))).toBe('query/timed_out')
    const join = 'SELECT count(*) FROM event a, event b, event c WHERE a.size_bytes + b.size_bytes < c.size_bytes'
    expect(codeOf(await fails(join, { timeLimitMs: 300 }))).toBe('query/timed_out')
  })

  test('is cancelled, holds no view up meanwhile, and leaves the console usable', async () => {
    const call = engine.ask('sql.run', input(`${endless} SELECT count(*) FROM n`))
    const { timeNs } = await engine.value('timeline.timeOf', { captureId: capture.captureId, device: 0, event: 5 })
    expect(timeNs).toEqual(expect.any(Number))
    engine.cancel(call.id)
    expect(codeOf(await call.answer)).toBe('query/cancelled')
    expect((await run('SELECT 1')).rows).toEqual([[1]])
  })

  test('gives way to the next one', async () => {
    const older = engine.ask('sql.run', input(`${endless} SELECT count(*) FROM n`)).answer
    expect((await run('SELECT 2')).rows).toEqual([[2]])
    expect(codeOf(await older)).toBe('query/cancelled')
  })

  test('ends with its capture', async () => {
    const { captureId } = await engine.open('lora')
    const call = engine.ask('sql.run', { captureId, sql: `${endless} SELECT count(*) FROM n` })
    await engine.value('capture.close', { captureId })
    expect(codeOf(await call.answer)).toBe('query/cancelled')
  })
})

describe('values too large', () => {
  test.each([
    ['SELECT zeroblob(1000000000)'],
    ["SELECT replace(printf('%.*c', 60000000, 'x'), 'x', 'xx')"],
    [`SELECT 'x' LIKE printf('%.*c', 3000, '%')`],
  ])('%s is refused', async (sql) => {
    expect(codeOf(await fails(sql))).toBe('query/failed')
  })

  test('ends with the time, not with the memory, when it is put together from endlessly many', async () => {
    const sql = `SELECT group_concat(text, '') FROM (${endless} SELECT printf('%.*c', 1000000, 'x') AS text FROM n)`
    const before = process.memoryUsage().rss
    expect(codeOf(await fails(sql, { timeLimitMs: 1500 }))).toBe('query/timed_out')
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 2 ** 20)
    expect(JSON.stringify(await run("SELECT printf('%1000000000d', 1)")).length).toBeLessThan(10_000)
  })
})

describe('what would do more than read', () => {
  const other = inScratch('other.db')
  const source = samplePath('oom')
  test.each([
    ['DELETE FROM device'],
    ['WITH x AS (SELECT 1) DELETE FROM device'],
    ['EXPLAIN DELETE FROM device'],
    ['REPLACE INTO metadata VALUES (1, 2)'],
    ['CREATE TABLE mine(x)'],
    ['CREATE TEMP TABLE mine(x)'],
    ['CREATE TEMP VIEW mine AS SELECT 1'],
    ['DROP VIEW stack'],
    ['PRAGMA user_version = 7'],
    ['PRAGMA journal_mode = WAL'],
    ['PRAGMA writable_schema = ON'],
    ['PRAGMA query_only = OFF'],
    ['PRAGMA temp_store_directory'],
    [`SELECT * FROM pragma_journal_mode`],
    [`ATTACH '${other}' AS other`],
    [`VACUUM INTO '${other}'`],
    ['BEGIN'],
    ['SAVEPOINT a'],
    ['ANALYZE'],
    ["SELECT load_extension('/tmp/evil.so')"],
    [`SELECT ingest_snapshot('${source}', '{"job": 1}')`],
    [`SELECT ingest_trace('${source}', '{"job": 1}')`],
    [`SELECT ingest_profile('${source}', '{"job": 1}')`],
    ["SELECT trace_source('/etc/passwd')"],
    ["SELECT source_text('/etc/passwd', 0, 100)"],
    ["SELECT fts3_tokenizer('simple')"],
    [`SELECT * FROM (SELECT trace_source('/etc/passwd'))`],
    ['SELECT reading_only()'],
  ])('%s is refused as such', async (sql) => {
    expect(codeOf(await fails(sql))).toBe('query/read_only')
    expect(existsSync(other)).toBe(false)
  })

  test.each([
    ['DELETE FROM device', 'DELETE is not run: statements only read the index'],
    ['WITH x AS (SELECT 1) DELETE FROM device', 'DELETE is not run: statements only read the index'],
    ["SELECT trace_source('/etc/passwd')", 'trace_source() is not called: statements only read the index'],
    ['PRAGMA journal_mode = WAL', 'This is not allowed: statements only read the index'],
  ])('%s is told so', async (sql, message) => {
    expect(await fails(sql)).toEqual({ ok: false, error: { code: 'query/read_only', message } })
  })

  test.each([['SELECT 1; SELECT 2'], ["SELECT ';'; DROP TABLE device"], ['SELECT 1; /* a */ ATTACH x AS y']])(
    '%s is more than one statement',
    async (sql) => {
      expect(codeOf(await fails(sql))).toBe('query/bad_argument')
    },
  )

  test.each([
    ['DELETE FROM device'],
    ['CREATE TEMP TABLE mine(x)'],
    ['CREATE TEMP VIEW mine AS SELECT 1'],
    ['CREATE TEMP TRIGGER mine AFTER INSERT ON device BEGIN SELECT 1; END'],
    ['CREATE VIRTUAL TABLE temp.mine USING fts5(x)'],
    ['PRAGMA query_only = OFF'],
    [`ATTACH '${other}' AS other`],
    ["ATTACH ':memory:' AS other"],
    [`VACUUM INTO '${other}'`],
    ['BEGIN'],
    ["INSERT INTO sqlite_temp_schema VALUES ('table', 'x', 'x', 0, '')"],
    ["SELECT ingest_snapshot('a', '{}')"],
  ])('the connection itself refuses %s', async (sql) => {
    const store = expectValue(await expectValue(engine.captures.get(capture.captureId)).connect())
    const answer = await store.all(sql)
    await store.close()
    expect(messageOf(answer)).toMatch(/not authorized|authorization denied|may not be modified/)
    expect(existsSync(other)).toBe(false)
  })

  test('nothing of it changes the index', async () => {
    const index = inScratch(`cache/${capture.fingerprint}.tidemark`)
    const before = readFileSync(index)
    for (const sql of ['DELETE FROM device', 'PRAGMA user_version = 7', 'CREATE TABLE mine(x)', 'SELECT count(*) FROM event'])
      await fails(sql)
    expect(readFileSync(index).equals(before)).toBe(true)
  })
})

describe('sql.schema', () => {
  test('names the relations of the contract with their columns, and the arguments of those that need them', async () => {
    const { relations } = await engine.value('sql.schema', { captureId: capture.captureId })
    const of = (name: string) => relations.find((relation) => relation.name === name)
    for (const name of ['block_map', 'segment_map', 'live_allocation', 'flame']) expect(of(name)?.arguments).toEqual(['device', 'event'])
    expect(of('allocation')?.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['allocation_id', 'size_bytes', 'stack_id']))
    expect(of('stack')?.columns.map(({ name }) => name)).toEqual(['stack_id', 'depth', 'text'])
    expect(of('slice')).toBeUndefined()
    expect(relations.map(({ name }) => name).filter((name) => /^(column_piece|fts|rtree|pragma)/.test(name))).toEqual([])
  })

  test('of a trace names what traces have', async () => {
    const { relations } = await engine.value('sql.schema', { captureId: trace.captureId })
    const names = relations.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['slice', 'track', 'counter', 'flow', 'memory_event', 'allocation']))
    expect(names).not.toContain('block_map')
  })
})

test('of a profile names what profiles have, and nothing of memory', async () => {
  const path = inScratch('profile.folded')
  writeFileSync(path, 'main;train 300\nmain 20')
  const opened = expectValue(await engine.captures.open(path, quietly))
  const { relations } = await engine.value('sql.schema', { captureId: opened.captureId })
  const names = ['profile_value', 'profile_value_type', 'capture', 'finding', 'stack', 'frame', 'stack_frame', 'metadata']
  expect(relations.map(({ name }) => name)).toEqual(names)
})

describe('the list of relations', () => {
  test('has every virtual table of ours, with the arguments that it has, and nothing that is not there', async () => {
    const store = expectValue(await expectValue(engine.captures.get(capture.captureId)).connect())
    const modules = expectValue(await store.all('SELECT name FROM pragma_module_list')).map(({ name }) => String(name))
    const columns = await Promise.all(
      namedRelations.map(async ({ name }) => expectValue(await store.all('SELECT name, hidden FROM pragma_table_xinfo(?)', [name]))),
    )
    await store.close()
    const ofSqlite = /^(?:pragma_|json|fts|rtree|geopoly|dbstat|bytecode|tables_used|sqlite_)/
    const names = namedRelations.map(({ name }) => name)
    expect(modules.filter((name) => !ofSqlite.test(name) && !names.includes(name))).toEqual([])
    expect(columns.every(({ length }) => length > 0)).toBe(true)
    const hidden = columns.map((of) => of.filter((column) => column.hidden === 1).map((column) => String(column.name).replace(/^at_/, '')))
    expect(hidden).toEqual(namedRelations.map((relation) => relation.arguments))
  })
})

describe('the answer as a CSV file', () => {
  test('has all rows, exact', async () => {
    const path = inScratch('all.csv')
    const sql = `${endless} SELECT i, 9223372036854775807 AS most, NULL AS none, x'01ff' AS bytes FROM n LIMIT 25000`
    expect(await engine.captures.writeSqlCsv(capture.captureId, sql, path)).toEqual({ ok: true, value: undefined })
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(25_001)
    expect([lines[0], lines[1], lines.at(-1)]).toEqual([
      'i,most,none,bytes',
      '1,9223372036854775807,,01ff',
      '25000,9223372036854775807,,01ff',
    ])
  })

  test('is not there when the statement fails, and an older file stays', async () => {
    const path = inScratch('kept.csv')
    writeFileSync(path, 'older')
    const failing = `SELECT iif(event < 3000, event, json('{')) AS x FROM event`
    expect(codeOf(await engine.captures.writeSqlCsv(capture.captureId, failing, path))).toBe('query/failed')
    expect(codeOf(await engine.captures.writeSqlCsv(capture.captureId, 'DELETE FROM device', path))).toBe('query/read_only')
    expect(readFileSync(path, 'utf8')).toBe('older')
  })
})
