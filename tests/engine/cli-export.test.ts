// What `tidemark export` writes by weight, range, order, root and filter, against SQL on the same capture.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { type CliRun, runCli } from './cli.ts'

const scratch = scratchFolder('cli-export')
const lora = samplePath('ft_lora')
const inScratch = (name: string) => join(scratch.path, name)
const run = (...words: string[]): Promise<CliRun> => runCli(words, { cache: inScratch('cache') })
afterAll(() => scratch.remove())

async function written(view: string, name: string, ...words: string[]): Promise<string> {
  const done = await run('export', lora, '--view', view, '-o', inScratch(name), ...words)
  expect([done.status, done.err]).toEqual([0, ''])
  return readFileSync(inScratch(name), 'utf8')
}

const asked = async (sql: string): Promise<string> => (await run('query', lora, sql, '--format', 'csv')).out.trim().split('\n')[1] ?? ''

/** Column → value of the root of a tree. */
function rootOf(csv: string): Readonly<Record<string, string>> {
  const [head = '', root = ''] = csv.split('\n')
  const cells = root.split(',')
  return Object.fromEntries(head.split(',').map((column, index) => [column, cells[index] ?? '']))
}

const aliveAfter = (event: number) => `coalesce(alloc_event, -1) <= ${event} AND coalesce(free_requested_event, 1e9) > ${event}`

describe('the flame graph as a table', () => {
  test('weighs what a range allocated, its two ends, its growth, and size × time', async () => {
    const range = ['--range', '300:900']
    const made = 'alloc_event >= 300 AND alloc_event < 900'
    const allocated = rootOf(await written('flame', 'a.csv', '--weight', 'allocated', ...range))
    expect(allocated.total_bytes).toBe(await asked(`SELECT sum(size_bytes) FROM allocation WHERE ${made}`))
    expect(allocated.allocations).toBe(await asked(`SELECT count(*) FROM allocation WHERE ${made}`))
    const ends = rootOf(await written('flame', 'd.csv', '--weight', 'diff', '--unit', 'count', ...range))
    expect([ends.total_before_count, ends.total_after_count]).toEqual([
      await asked(`SELECT count(*) FROM allocation WHERE ${aliveAfter(299)}`),
      await asked(`SELECT count(*) FROM allocation WHERE ${aliveAfter(899)}`),
    ])
    const growth = rootOf(await written('flame', 'g.csv', '--weight', 'growth', '--unit', 'count', ...range))
    expect(Number(growth.total_grown_count) - Number(growth.total_shrunk_count)).toBe(
      Number(ends.total_after_count) - Number(ends.total_before_count),
    )
    const area = rootOf(await written('flame', 't.csv', '--weight', 'area', '--unit', 'count'))
    const held =
      'SELECT sum(coalesce(free_time_ns, last_time_ns) - coalesce(alloc_time_ns, first_time_ns)) FROM allocation JOIN device USING (device)'
    expect(Number(area.total_count_nanoseconds) / Number(await asked(held))).toBeCloseTo(1, 2)
  })

  test('begins with the functions that allocate, and puts siblings in order of their earliest allocation', async () => {
    const text = await written('flame', 'b.csv', '--root', 'bottom-up', '--order', 'time', '--at', 'peak')
    const firsts = text.split('\n').filter((line) => /^\d+,0,/.test(line))
    const earliest = (line: string): Promise<string> => {
      const [, , name, file, at] = line.split(',')
      return asked(`SELECT min(allocation_id) FROM live_allocation(0, (SELECT peak_event FROM device WHERE device = 0)) a
        JOIN stack_frame s ON s.stack_id = a.stack_id AND s.position = 0 JOIN frame f USING (frame_id)
        WHERE f.name = '${name}' AND f.filename = '${file}' AND f.line = ${at}`)
    }
    const ids: number[] = []
    for (const line of firsts.filter((each) => !each.includes('(no stack)')).slice(0, 6)) ids.push(Number(await earliest(line)))
    expect(ids.length).toBe(6)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const plain = await written('flame', 'p.csv', '--root', 'bottom-up', '--at', 'peak')
    expect(plain).not.toBe(text)
    expect(plain.split('\n').sort()).toEqual(text.split('\n').sort())
  })
})

test('a profile for another tool holds the chosen weight from the chosen end', async () => {
  const text = await written('flame', 'made.folded', '--weight', 'allocated', '--range', '300:900', '--root', 'bottom-up')
  const lines = text.trim().split('\n')
  const sum = lines.reduce((all, line) => all + Number(/ (\d+)$/.exec(line)?.[1]), 0)
  expect(String(sum)).toBe(await asked('SELECT sum(size_bytes) FROM allocation WHERE alloc_event >= 300 AND alloc_event < 900'))
  expect(lines.filter((line) => line.startsWith('<module>'))).toEqual([])
})

describe('a filter', () => {
  const text = 'category:activation size>64KiB stack:linear'
  const linear = "SELECT stack_id FROM stack_frame JOIN frame USING (frame_id) WHERE name LIKE '%linear%' OR filename LIKE '%linear%'"
  const passing = `size_bytes > 65536 AND stack_id IN (${linear})
    AND allocation_id IN (SELECT allocation_id FROM allocation_category(0) WHERE category = 'activation')`
  const bytesOf = (from: string) => asked(`SELECT sum(size_bytes) FROM ${from} WHERE ${passing}`)
  const peak = 'live_allocation(0, (SELECT peak_event FROM device WHERE device = 0))'
  const sizesOf = (csv: string, column: number) =>
    [...csv.matchAll(/^(\d+,0x[0-9a-f]+,.*)$/gm)].reduce((sum, [, line = '']) => sum + Number(line.split(',')[column]), 0)

  test('narrows the table of every view that filters', async () => {
    expect(String(sizesOf(await written('timeline', 'l.csv', '--filter', text), 4))).toBe(await bytesOf(peak))
    for (const view of ['lifetimes', 'allocations'])
      expect(String(sizesOf(await written(view, `${view}.csv`, '--filter', text), 4))).toBe(await bytesOf('allocation'))
    expect(rootOf(await written('flame', 'f.csv', '--filter', text)).total_bytes).toBe(await bytesOf(peak))
    const blocks = [...(await written('blocks', 'm.csv', '--filter', text)).matchAll(/^0x[0-9a-f]+,(\d+),/gm)]
    expect(String(blocks.reduce((sum, [, size]) => sum + Number(size), 0))).toBe(await bytesOf(peak))
  })

  test('may name moments, the cursor among them, where --at puts it', async () => {
    const at = async (filter: string, ...words: string[]) =>
      rootOf(await written('flame', 'c.csv', '--filter', filter, '--weight', 'allocated', ...words)).allocations
    expect(await at('alive_at:peak')).toBe(await asked(`SELECT count(*) FROM ${peak} WHERE alloc_event IS NOT NULL`))
    const rows = [...(await written('lifetimes', 'e.csv', '--filter', 'alive_at:end')).matchAll(/^\d+,0x/gm)]
    expect(String(rows.length)).toBe(await asked(`SELECT count(*) FROM allocation WHERE ${aliveAfter(1e8)}`))
    const cursor = rootOf(await written('flame', 'k.csv', '--filter', 'made>cursor', '--at', 'event:1000'))
    expect(cursor.allocations, 'nothing alive was made later').toBe('0')
  })

  test.each([
    ['is:large sise>1MiB', /^error: usage: --filter: is:large »sise>1MiB« \(from character 10\): the term is no term: there are size, /],
    [
      'stream:77',
      /^error: query\/bad_argument: --filter: »stream:77« \(from character 1\): the term is not in this capture, which has 0, in /,
    ],
    ['alive_at:oom', /the term is not in this capture, which has peak, end, cursor, start, /],
  ])('%j is refused with the place of the mistake', async (filter, said) => {
    const { status, out, err } = await run('export', lora, '--view', 'timeline', '--filter', filter, '-o', inScratch('never.csv'))
    expect([status, out, err]).toEqual([1, '', expect.stringMatching(said)])
    expect(existsSync(inScratch('never.csv'))).toBe(false)
  })
})

test('a range without events is refused with the reason', async () => {
  const none = await run('export', lora, '--view', 'flame', '--weight', 'area', '--range', '8000:9000', '-o', inScratch('never.csv'))
  expect([none.status, none.err]).toEqual([1, expect.stringContaining('There is no event of device 0 in the range')])
})
