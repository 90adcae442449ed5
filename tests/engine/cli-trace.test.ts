// The command line on a Chrome trace.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { type CliRun, runCli } from './cli.ts'
import { memoryEvents, sliceEvents } from './trace-truth.ts'

const scratch = scratchFolder('cli-trace')
const run = (...words: string[]): Promise<CliRun> => runCli(words, { cache: join(scratch.path, 'cache') })
const inScratch = (name: string) => join(scratch.path, name)
const column = async (sql: string, file = traceSamplePath) =>
  (await run('query', file, sql, '--format', 'csv')).out.trim().split('\n').slice(1)

afterAll(() => scratch.remove())

describe('tidemark on a trace', () => {
  test('info says what it holds, for people and as JSON', async () => {
    const { status, out } = await run('info', traceSamplePath)
    expect(status).toBe(0)
    expect(out).toContain('(chrome_trace)')
    expect(out).toContain(`slices     ${sliceEvents.length.toLocaleString('en')},`)
    expect(out).toMatch(/\n {2}GPU 0: 2,136 events, [\d,]+ allocations\n {4}peak allocated /)
    expect(out).toMatch(/\n {2}CPU: 192 events/)
    expect(out).not.toContain('inactive split')
    const json = JSON.parse((await run('info', traceSamplePath, '--json')).out) as unknown
    expect(json).toMatchObject({ kind: 'chrome_trace', hasBlocks: false, trace: { sliceCount: sliceEvents.length } })
  })

  test('info --with says how well the snapshot of the same run matches, and refuses two of one kind', async () => {
    const allocations = memoryEvents(1).filter(({ Bytes }) => Bytes > 0).length
    const snapshot = samplePath('trace_lora')
    for (const [file, partner] of [
      [traceSamplePath, snapshot],
      [snapshot, traceSamplePath],
    ] as const) {
      const { status, out } = await run('info', file, '--with', partner)
      expect(status).toBe(0)
      const count = allocations.toLocaleString('en')
      expect(out).toContain(`: same run; in the common time ${count} of ${count} allocations of the snapshot and ${count} of the trace`)
    }
    const json = JSON.parse((await run('info', traceSamplePath, '--with', snapshot, '--json')).out) as unknown
    expect(json).toMatchObject({
      kind: 'chrome_trace',
      with: { sourceName: 'trace_lora.pickle', matches: [{ device: 0, verdict: 'same_run', matched: allocations, share: 1 }] },
    })
    expect((await run('info', traceSamplePath, '--with', samplePath('oom'))).out).toContain(': another run, recorded at different times\n')
    const refused = await run('info', snapshot, '--with', samplePath('oom'))
    expect([refused.status, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain('query/bad_argument')
  })

  test('query reads slices, and their arguments from the trace', async () => {
    expect(await column("SELECT count(*) FROM slice WHERE name = 'aten::mm'")).toEqual([
      String(sliceEvents.filter(({ name }) => name === 'aten::mm').length),
    ])
    const [first] = await column("SELECT args ->> 'Record function id' FROM slice WHERE category = 'cpu_op' LIMIT 1")
    expect(first).toBe('0')
  })

  test('index -o --copy-args keeps the arguments in the index', async () => {
    const bare = inScratch('bare.tidemark')
    const full = inScratch('full.tidemark')
    expect((await run('index', traceSamplePath, '-o', bare)).status).toBe(0)
    expect((await run('index', traceSamplePath, '-o', full, '--copy-args')).status).toBe(0)
    const question = "SELECT count(args) > 0 FROM (SELECT args FROM slice WHERE category = 'cpu_op' LIMIT 10)"
    expect([await column(question, bare), await column(question, full)]).toEqual([['0'], ['1']])
    expect((await run('index', traceSamplePath, '--copy-args')).status).toBe(1)
  })

  test('export writes the allocations of the GPU and of the CPU, and says that there are no blocks', async () => {
    const live = inScratch('live.csv')
    expect((await run('export', traceSamplePath, '--view', 'timeline', '-o', live)).status).toBe(0)
    expect(readFileSync(live, 'utf8')).toMatch(/aten::/)
    const cpu = inScratch('cpu.csv')
    expect((await run('export', traceSamplePath, '--view', 'lifetimes', '--device=-1', '-o', cpu)).status).toBe(0)
    const made = memoryEvents(0).filter(({ Bytes }) => Bytes > 0).length
    const rows = [...readFileSync(cpu, 'utf8').matchAll(/^\d+,0x/gm)].length
    expect(rows).toBeGreaterThanOrEqual(made)
    const blocks = await run('export', traceSamplePath, '--view', 'blocks', '-o', inScratch('x.csv'))
    expect([blocks.status, blocks.out]).toEqual([1, ''])
    expect(blocks.err).toMatch(/^error: query\/bad_argument: A trace does not say where memory lies/)
  })
})
