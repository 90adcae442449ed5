// The command line: what goes where, exit statuses, and SQL that must not write.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { type CliRun, runCli } from './cli.ts'

const scratch = scratchFolder('cli')
const cache = join(scratch.path, 'cache')
const lora = samplePath('ft_lora')
const run = (...words: string[]): Promise<CliRun> => runCli(words, { cache })
const inScratch = (name: string) => join(scratch.path, name)

beforeAll(() => {
  writeFileSync(inScratch('bad.pickle'), '\x80\x04cos\nsystem\nX\x04\x00\x00\x00true\x85R.', 'latin1')
})
afterAll(() => scratch.remove())

describe('tidemark', () => {
  test('--help and --version answer on standard output', async () => {
    const help = await run('--help')
    expect([help.status, help.err]).toEqual([0, ''])
    for (const word of ['info', 'index', 'query', 'export', '--view timeline', '--format table|json|csv']) expect(help.out).toContain(word)
    expect(await run('--version')).toEqual({ status: 0, out: `${packageJson.version}\n`, err: '' })
  })

  test.each([
    [['info']],
    [['info', lora, lora]],
    [['info', lora, '--jsn']],
    [['index']],
    [['index', lora, '-o', lora]],
    [['query', lora]],
    [['query', lora, 'SELECT 1', '--format', 'xml']],
    [['export', lora, '-o', 'x.png']],
    [['export', lora, '--view', 'timeline']],
    [['export', lora, '--view', 'timeline', '-o', 'x.gif']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--size', '10x10']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--range', '5:1']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--range', '5:1ms']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--at', 'noon']],
    [['--frobnicate']],
  ])('%j is a usage error: status 1, one line', async (words) => {
    const { status, out, err } = await run(...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^error: usage: .+: see tidemark --help\n$/)
  })

  test.each([
    ['file/not_found', () => inScratch('missing.pickle')],
    ['snapshot/forbidden_opcode', () => inScratch('bad.pickle')],
    ['file/unreadable', () => scratch.path],
  ])('says %s in one line with the file and what to do: status 2', async (code, file) => {
    for (const command of [['info'], ['index'], ['query']] as const) {
      const { status, out, err } = await run(...command, file(), ...(command[0] === 'query' ? ['SELECT 1'] : []))
      expect([status, out]).toEqual([2, ''])
      expect(err.startsWith(`error: ${code}: `)).toBe(true)
      expect(err).toContain(file())
      expect(err.trimEnd().split('\n')).toHaveLength(1)
    }
  })

  test.skipIf(process.platform === 'win32')('refuses a pipe at once instead of waiting for its writer', async () => {
    execFileSync('mkfifo', [inScratch('pipe')])
    const { status, err } = await run('info', inScratch('pipe'))
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: file\/unreadable: /)])
  })

  test('says that a file to open is missing', async () => {
    const { status, err } = await run('infro')
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: file\/not_found: .+infro/)])
  })

  test('stops without a word when the reader of its output goes away', async () => {
    const { status, err } = await runCli(['query', lora, 'SELECT * FROM event, (SELECT 1 UNION ALL SELECT 2)', '--format', 'csv'], {
      cache,
      before: `set -o pipefail; exec 1> >(head -n 2 > '${inScratch('head.txt')}')`,
    })
    expect([status, err]).toEqual([0, ''])
    expect(readFileSync(inScratch('head.txt'), 'utf8').split('\n')[0]).toMatch(/^device,event,action,address/)
  })
})

describe('tidemark info', () => {
  test('prints the summary for people', async () => {
    const { status, out } = await run('info', lora)
    expect(status).toBe(0)
    for (const text of ['ft_lora.pickle', '6,969 events', 'peak allocated  1.15 GiB (event 2,480', '1.40 GiB reserved'])
      expect(out).toContain(text)
  })

  test('prints the summary as JSON, nothing on standard error when that is no terminal', async () => {
    const { out, err } = await run('info', samplePath('oom'), '--json')
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({ eventCount: 665, devices: [{ ooms: [{ sizeBytes: 419430400 }] }] })
  })
})

describe('tidemark index', () => {
  test('prints where the index is, and with -o puts it there', async () => {
    const { out } = await run('index', lora)
    expect(existsSync(out.trim())).toBe(true)
    const target = inScratch('own.tidemark')
    const own = await run('index', lora, '-o', target, '--json')
    expect(JSON.parse(own.out)).toMatchObject({ index: target, fromCache: false })
    expect(JSON.parse((await run('info', target, '--json')).out)).toMatchObject({ eventCount: 6969 })
  })

  test('leaves an older index at OUT alone when it fails', async () => {
    const target = inScratch('kept.tidemark')
    await run('index', lora, '-o', target)
    const older = readFileSync(target)
    expect((await run('index', inScratch('bad.pickle'), '-o', target)).status).toBe(2)
    expect(readFileSync(target).equals(older)).toBe(true)
  })

  test('never writes over the capture itself, also behind a link, nor over a file that is no index', async () => {
    const capture = inScratch('only-copy.pickle')
    const link = inScratch('link.pickle')
    const thesis = inScratch('thesis.txt')
    copyFileSync(lora, capture)
    symlinkSync(capture, link)
    writeFileSync(thesis, 'years of work')
    for (const target of [capture, thesis, scratch.path]) expect((await run('index', link, '-o', target)).status).toBe(1)
    expect(readFileSync(capture).equals(readFileSync(lora))).toBe(true)
    expect(readFileSync(thesis, 'utf8')).toBe('years of work')
  })
})

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

describe('tidemark export to CSV', () => {
  const rowsOf = async (...options: string[]) => {
    const out = inScratch('live.csv')
    const done = await run('export', lora, '--view', 'timeline', '-o', out, ...options)
    expect([done.status, done.err, done.out]).toEqual([0, '', `${out}\n`])
    return readFileSync(out, 'utf8')
  }

  test('writes the allocations alive at the peak, largest first, with their stacks', async () => {
    const text = await rowsOf()
    const sizes = [...text.matchAll(/^\d+,0x[0-9a-f]+,\d+,\d+,(\d+),/gm)].map(([, size]) => Number(size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1234779648)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(text).toMatch(/^allocation_id,address,version,requested_bytes,size_bytes,stream,pool,/)
    expect(text).toMatch(/forward \(linear\.py:\d+\)\n/)
  })

  test('takes the end, an event or a time', async () => {
    const count = (text: string) => [...text.matchAll(/^\d+,0x/gm)].length
    expect(count(await rowsOf('--at', 'end'))).toBe(59)
    expect(count(await rowsOf('--at', 'event:-1'))).toBe(count(await rowsOf('--at', 'time:-1ns')))
    expect(count(await rowsOf('--at', 'time:20s'))).toBe(59)
  })

  test('refuses a device that is not there and a folder that is not there', async () => {
    const device = await run('export', lora, '--view', 'timeline', '--device', '7', '-o', inScratch('x.csv'))
    expect([device.status, device.err]).toEqual([
      1,
      expect.stringMatching(/^error: query\/bad_argument: There is no device 7 .+devices: 0/),
    ])
    const folder = await run('export', lora, '--view', 'timeline', '-o', inScratch('none/x.csv'))
    expect([folder.status, folder.err]).toEqual([2, expect.stringMatching(/^error: export\/write_failed: /)])
  })
})
