// `tidemark query`: what is printed, that it comes at once and whole, and SQL that must not write.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { type CliRun, cliPath, runCli } from './cli.ts'

const scratch = scratchFolder('query-command')
const cache = join(scratch.path, 'cache')
const lora = samplePath('ft_lora')
const run = (...words: string[]): Promise<CliRun> => runCli(words, { cache })
const inScratch = (name: string) => join(scratch.path, name)
afterAll(() => scratch.remove())

describe('tidemark query', () => {
  const query = (sql: string, format = 'json') => run('query', lora, sql, '--format', format)

  test('prints rows as a table, as JSON and as CSV', async () => {
    const sql = "SELECT device, peak_allocated_bytes AS peak, 'a,\"b' AS text FROM device"
    expect(JSON.parse((await query(sql)).out)).toEqual([{ device: 0, peak: 1234779648, text: 'a,"b' }])
    expect((await query(sql, 'csv')).out).toBe('device,peak,text\n0,1234779648,"a,""b"\n')
    expect((await query(sql, 'table')).out).toBe('device  peak        text\n──────  ──────────  ────\n     0  1234779648  a,"b\n')
  })

  test('prints every row of a large answer once', async () => {
    const rows = JSON.parse((await query('SELECT event, action FROM event')).out) as { event: number }[]
    expect(rows.map(({ event }) => event)).toEqual(Array.from({ length: 6969 }, (_, event) => event))
  })

  test('prints integers beyond 2^53 digit by digit, and asks each expression once a row', async () => {
    const sql = 'SELECT 9223372036854775807 AS most, -9223372036854775807 - 1 AS least, 9007199254740993 AS odd, 1.5 AS real'
    expect((await query(sql)).out).toBe(
      '[\n  {"most":9223372036854775807,"least":-9223372036854775808,"odd":9007199254740993,"real":1.5}\n]\n',
    )
    expect((await query(sql, 'csv')).out.split('\n')[1]).toBe('9223372036854775807,-9223372036854775808,9007199254740993,1.5')
    expect((await query(sql, 'table')).out.split('\n')[2]).toBe('9223372036854775807  -9223372036854775808  9007199254740993   1.5')
    const mixed = await query('SELECT iif(random() > 0, 1, 9223372036854775807) AS x FROM event LIMIT 300', 'csv')
    expect(new Set(mixed.out.split('\n'))).toEqual(new Set(['x', '1', '9223372036854775807', '']))
  })

  test('keeps the order that the statement asks for', async () => {
    const rows = JSON.parse((await query('SELECT event FROM event ORDER BY event DESC')).out) as { event: number }[]
    expect(rows.map(({ event }) => event)).toEqual(Array.from({ length: 6969 }, (_, event) => 6968 - event))
  })

  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'
  const startEndless = (sql: string) => {
    const child = spawn(process.execPath, [cliPath, 'query', lora, sql, '--format', 'csv'], {
      env: { ...process.env, TIDEMARK_CACHE: cache },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return { child, ended: once(child, 'exit') }
  }

  test('prints the first rows while the others are still being found', async () => {
    const { child, ended } = startEndless(endless)
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^i\n(1\n2\n3\n)?/)
    child.kill('SIGKILL')
    await ended
  })

  test.skipIf(process.platform === 'win32').each([
    ['prints', endless],
    ['finds no row', `${endless} WHERE i < 0`],
  ])('ends at Ctrl+C while it %s', async (_what, sql) => {
    const { child, ended } = startEndless(sql)
    // Nobody reads on: a pager holds the writing up just so.
    if (sql === endless) await once(child.stdout, 'readable')
    await sleep(1000)
    expect(child.exitCode).toBeNull()
    child.kill('SIGINT')
    expect(await ended).toEqual([null, 'SIGINT'])
  })

  test('keeps the names of columns without rows, and both of two that are called the same', async () => {
    expect((await query('SELECT device, event FROM event WHERE event < 0', 'csv')).out).toBe('device,event\n')
    expect((await query('SELECT 1 AS a, 2 AS a', 'csv')).out.split('\n')[1]).toBe('1,2')
    expect(JSON.parse((await query('SELECT 1 WHERE 0')).out)).toEqual([])
  })

  test('takes a semicolon at the end and in texts, but one statement only', async () => {
    expect(JSON.parse((await query("SELECT ';' AS x; -- done")).out)).toEqual([{ x: ';' }])
    const { status, err } = await query('SELECT 1; SELECT 2')
    expect([status, err]).toEqual([1, expect.stringMatching(/^error: query\/bad_argument: Only one statement/)])
  })

  test('reports wrong SQL: status 1', async () => {
    const { status, err } = await query('SELECT x FROM nowhere')
    expect([status, err]).toEqual([1, expect.stringMatching(/^error: query\/failed: .*no such table: nowhere/)])
  })

  test('names all relations, and the arguments that one needs', async () => {
    const { err } = await query('SELECT x FROM nowhere')
    const names = [
      'block_map(device, event)',
      'segment_map(device, event)',
      'live_allocation(device, event)',
      'reservation',
      'stream',
      'pool',
    ]
    for (const name of names) expect(err).toContain(name)
    for (const name of ['block_map', 'segment_map', 'live_allocation']) {
      const bare = await query(`SELECT count(*) FROM ${name}`)
      expect([bare.status, bare.err]).toEqual([
        1,
        expect.stringContaining(`query/failed: ${name} needs (device, event), such as ${name}(0, 100)`),
      ])
      expect((await query(`SELECT count(*) AS n FROM ${name}(0, 100)`)).out).toMatch(/"n":\d+/)
    }
  })

  test.each([
    ['DELETE FROM device'],
    ['CREATE TABLE mine(x)'],
    ['PRAGMA user_version = 7'],
    [`ATTACH '${inScratch('attached.db')}' AS other`],
    [`VACUUM INTO '${inScratch('vacuumed.db')}'`],
    ["SELECT load_extension('/tmp/evil.so')"],
    [`SELECT ingest_snapshot('${samplePath('oom')}', '{"job": 1}')`],
  ])('refuses %s and changes nothing', async (sql) => {
    const index = (await run('index', lora)).out.trim()
    const before = readFileSync(index)
    const { out, err } = await query(sql)
    expect(out.replace(/\s/g, '')).toMatch(/^(\[\])?$/)
    if (!sql.startsWith('PRAGMA')) expect(err).toMatch(/^error: /)
    expect(readFileSync(index).equals(before)).toBe(true)
    expect([existsSync(inScratch('attached.db')), existsSync(inScratch('vacuumed.db'))]).toEqual([false, false])
  })
})
