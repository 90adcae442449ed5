// The SQL console against every kind of statement that SQLite has, and every function that is there: what is refused, and in which words.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Result } from '../../preload/contract/errors.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient, expectValue } from './engine-client.ts'

const scratch = scratchFolder('sql-read-only')
const other = join(scratch.path, 'other.db')
let engine: EngineClient
let capture: CaptureSummary

beforeAll(async () => {
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { lora: samplePath('ft_lora') })
  capture = await engine.open('lora')
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const ask = (sql: string) => engine.ask('sql.run', { captureId: capture.captureId, sql }).answer
const messageOf = (result: Result<unknown>): string => (result.ok ? '' : result.error.message)

/** Every kind of statement of SQLite's grammar that does not only read. */
const acting = [
  'ALTER TABLE device RENAME TO other',
  'ALTER TABLE device ADD COLUMN x',
  'ANALYZE device',
  `ATTACH DATABASE '${other}' AS other`,
  "ATTACH ':memory:' AS other",
  'BEGIN IMMEDIATE',
  'COMMIT',
  'CREATE INDEX mine ON device(device)',
  'CREATE TABLE mine(x)',
  'CREATE TEMP TABLE mine(x)',
  'CREATE TEMPORARY TABLE mine AS SELECT 1',
  'CREATE TRIGGER mine AFTER INSERT ON device BEGIN SELECT 1; END',
  'CREATE TEMP TRIGGER mine AFTER INSERT ON device BEGIN SELECT 1; END',
  'CREATE VIEW mine AS SELECT 1',
  'CREATE TEMP VIEW mine AS SELECT 1',
  'CREATE VIRTUAL TABLE temp.mine USING fts5(x)',
  "CREATE VIRTUAL TABLE temp.mine USING csv(filename = '/etc/passwd')",
  'DELETE FROM device',
  'DETACH main',
  'DROP INDEX mine',
  'DROP TABLE device',
  'DROP TRIGGER mine',
  'DROP VIEW stack',
  'END',
  "INSERT INTO metadata VALUES ('a', 'b')",
  'INSERT INTO metadata DEFAULT VALUES',
  'REINDEX',
  'RELEASE a',
  "REPLACE INTO metadata VALUES ('a', 'b')",
  'ROLLBACK',
  'SAVEPOINT a',
  "UPDATE metadata SET value = ''",
  'VACUUM',
  `VACUUM INTO '${other}'`,
  'WITH x AS (SELECT 1) DELETE FROM device',
  "WITH x AS (SELECT 1) INSERT INTO metadata SELECT 'a', 'b'",
  "WITH x AS (SELECT 1) UPDATE metadata SET value = ''",
  'PRAGMA writable_schema = ON',
  'PRAGMA writable_schema',
  'PRAGMA journal_mode = WAL',
  'PRAGMA user_version = 7',
  'PRAGMA trusted_schema = ON',
  'PRAGMA query_only = OFF',
  "PRAGMA temp_store_directory = '/tmp'",
  'PRAGMA main.wal_checkpoint',
  'PRAGMA optimize',
  'PRAGMA incremental_vacuum',
  'PRAGMA integrity_check',
  'PRAGMA database_list',
]

const functions = [
  "SELECT load_extension('/tmp/other.so')",
  "SELECT fts3_tokenizer('simple', x'00')",
  'SELECT sqlite_log(1, 2)',
  "SELECT writefile('/tmp/other', 'y')",
  "SELECT readfile('/etc/passwd')",
  "SELECT edit('x')",
  "SELECT category_rules('{}')",
  "SELECT trace_source('/etc/passwd')",
  "SELECT source_text('/etc/passwd', 0, 100)",
  "SELECT max(ingest_trace('a', '{}')) FROM device",
  'SELECT 1 WHERE EXISTS (SELECT reading_only())',
]

const disguises: readonly (readonly [name: string, of: (sql: string) => string])[] = [
  ['as it is', (sql) => sql],
  ['in small letters, with a semicolon', (sql) => `${sql.toLowerCase()} ;`],
  ['behind a comment', (sql) => `/* SELECT ' */ -- "\n${sql}`],
  ['explained', (sql) => `EXPLAIN ${sql}`],
  ['planned', (sql) => `explain query plan ${sql}`],
]

describe('what does more than read is refused as such', () => {
  test.each(disguises)('%s', async (_name, of) => {
    const index = join(scratch.path, `cache/${capture.fingerprint}.tidemark`)
    const before = readFileSync(index)
    const others: string[] = []
    for (const sql of [...acting, ...functions].map(of)) {
      const code = codeOf(await ask(sql))
      if (code !== 'query/read_only') others.push(`${sql}: ${code}`)
    }
    // A trigger holds a semicolon, behind which nothing may follow.
    expect(others.filter((line) => !/TRIGGER .*: query\/bad_argument$/i.test(line))).toEqual([])
    expect(existsSync(other)).toBe(false)
    expect(readFileSync(index).equals(before)).toBe(true)
  })

  test('by the connection itself too, whatever looked at the statement before', async () => {
    const store = expectValue(await expectValue(engine.captures.get(capture.captureId)).connect())
    const ran: string[] = []
    for (const sql of acting) if ((await store.all(sql)).ok) ran.push(sql)
    await store.close()
    expect(ran).toEqual([])
    expect(existsSync(other)).toBe(false)
  })
})

test('of all functions that there are, just these are refused: whatever is new must be named on one side', async () => {
  const store = expectValue(await expectValue(engine.captures.get(capture.captureId)).connect())
  const refused = new Set<string>()
  for (const { name, narg } of expectValue(await store.all('SELECT DISTINCT name, narg FROM pragma_function_list'))) {
    const count = Number(narg) < 0 ? 3 : Number(narg)
    const asked = await store.all(`EXPLAIN SELECT "${name}"(${Array.from({ length: count }, () => '1').join(', ')})`)
    if (messageOf(asked).includes('not authorized to use function')) refused.add(String(name))
  }
  await store.close()
  const ours = ['category_rules', 'ingest_profile', 'ingest_snapshot', 'ingest_trace', 'reading_only', 'source_text', 'trace_source']
  const ofSqlite = ['fts3_tokenizer', 'load_extension', 'sqlite_log']
  expect(
    [...refused].filter((name) => !/^(?:fts5|rtree)|^(?:bm25|highlight|match|matchinfo|offsets|optimize|snippet)$/.test(name)).sort(),
  ).toEqual([...ofSqlite, ...ours].sort())
})

test.each([
  ['SELECT 1 /*', 'The comment that begins with /* is not closed'],
  ['SELECT 1 /*/', 'The comment that begins with /*/ is not closed'],
  ["SELECT 'a''", "The text that begins with 'a'' is not closed"],
  ['SELECT "a', 'The quoted name that begins with "a is not closed'],
  ['SELECT [a', 'The quoted name that begins with [a is not closed'],
  ['/* a', 'The comment that begins with /* a is not closed'],
  ['SELECT 1\0', 'A statement holds no character 0'],
  ['SELECT (', 'incomplete input'],
  ['SELECT 1 */', 'near "/": syntax error'],
])('%j is wrong SQL, told in plain words, and the next statement runs', async (sql, message) => {
  expect(await ask(sql)).toEqual({ ok: false, error: { code: 'query/failed', message } })
  expect(expectValue(await ask('SELECT 1 -- /* '))).toMatchObject({ rows: [[1]] })
})
