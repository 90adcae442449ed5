// Profiles of other tools on the command line.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pprof } from '../fixtures/profiles.ts'
import { scratchFolder } from '../support/paths.ts'
import { type CliRun, runCli } from './cli.ts'

const scratch = scratchFolder('cli-profile')
const inScratch = (name: string) => join(scratch.path, name)
const heap = inScratch('heap.pb')
const run = (...words: string[]): Promise<CliRun> => runCli(words, { cache: inScratch('cache') })

beforeAll(() => writeFileSync(heap, pprof()))
afterAll(() => scratch.remove())

test('info names the format, the stacks and every value', async () => {
  const { status, out } = await run('info', heap)
  expect(status).toBe(0)
  expect(out).toContain('pprof (stack_profile)')
  expect(out).toContain('samples    4 in 3 stacks of')
  expect(out).toContain('value      inuse_space in bytes of 2 stacks (shown first)')
  expect(out).not.toMatch(/device|event|history/i)
})

test('query reads the values of stacks', async () => {
  const sql = 'SELECT t.name, sum(v.value) AS sum FROM profile_value v JOIN profile_value_type t USING (value_type) GROUP BY 1 ORDER BY 1'
  const { status, out } = await run('query', heap, sql, '--format', 'csv')
  expect([status, out]).toEqual([0, 'name,sum\nalloc_objects,7\nalloc_space,3580\ninuse_objects,3\ninuse_space,1516\n'])
})

test('export writes the value that is shown first, as the file of another tool or as a table of stacks', async () => {
  expect(await run('export', heap, '--view', 'flame', '-o', inScratch('out.folded'))).toMatchObject({ status: 0 })
  expect(readFileSync(inScratch('out.folded'), 'utf8').split('\n').sort()).toEqual([
    '',
    'main.main (main.go:10);0xdeadbeef 16',
    'main.main (main.go:10);append (slice.go:22);grow (slice.go:33) 1500',
  ])
  expect(await run('export', heap, '--view', 'flame', '-o', inScratch('out.csv'))).toMatchObject({ status: 0 })
  expect(readFileSync(inScratch('out.csv'), 'utf8').split('\n')[1]).toMatch(/^1500,/)
})

test.each([
  [['--view', 'timeline']],
  [['--view', 'flame', '--at', 'peak']],
  [['--view', 'flame', '--device', '0']],
  [['--view', 'flame', '--weight', 'area', '--range', '1:5']],
  [['--view', 'flame', '--unit', 'count']],
  [['--view', 'flame', '--filter', 'is:large']],
])('export %j is refused with the reason', async (words) => {
  const { status, err } = await run('export', heap, ...words, '-o', inScratch('never.csv'))
  expect(status).toBe(1)
  expect(err).toMatch(/profile has/)
})

test('has no report: what a report tells is not in a profile', async () => {
  const { status, out, err } = await run('report', heap, '-o', inScratch('out.html'))
  expect([status, out]).toEqual([1, ''])
  expect(err).toContain('export --view flame')
})
