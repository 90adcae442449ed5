// Arguments of a trace's events stay in the file and are read when asked for; a copy in the index serves where the file is gone.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { around, x } from '../fixtures/traces/fixture.ts'
import { IndexFile } from '../support/index-file.ts'
import { scratchFolder } from '../support/paths.ts'

const scratch = scratchFolder('trace-arguments')
afterAll(() => scratch.remove())

const args = { 'Input Dims': [[64, 32], []], note: 'a "quoted" text', deep: { er: [null, true] } }
const text = Buffer.from(around(x('told', 20, 1, { args })))
const written = (name: string, bytes: Buffer) => {
  const path = join(scratch.path, name)
  writeFileSync(path, bytes)
  return path
}
const argsOf = async (index: IndexFile, name: string) => (await index.column('SELECT args FROM slice WHERE name = ?', [name]))[0]

test.each([
  ['plain.json', text],
  ['packed.json.gz', gzipSync(text)],
] as const)('%s', async (name, bytes) => {
  const path = written(name, bytes)
  const index = await IndexFile.ofTrace(path)
  expect(await argsOf(index, 'told')).toBeNull()
  await index.all('SELECT trace_source(?)', [path])
  expect(JSON.parse(String(await argsOf(index, 'told')))).toEqual(args)
  expect(await argsOf(index, 'before')).toBeNull()
  await index.close()
})

test('a source of another size is refused', async () => {
  const path = written('changed.json', text)
  const index = await IndexFile.ofTrace(path)
  writeFileSync(path, Buffer.concat([text, Buffer.from(' ')]))
  await expect(index.column('SELECT source_text(?, 0, 5)', [path])).rejects.toMatchObject({ code: 'trace/source_changed' })
  await index.close()
})

test.each([
  ['copied.json', text],
  ['copied.json.gz', gzipSync(text)],
  ['copied-utf16.json', Buffer.from(`\ufeff${text}`, 'utf16le')],
] as const)('arguments copied from %s need no source', async (name, bytes) => {
  const path = written(name, bytes)
  const index = await IndexFile.ofTrace(path, ':memory:', { copy_args: 1 })
  rmSync(path)
  expect(JSON.parse(String(await argsOf(index, 'told')))).toEqual(args)
  expect(await argsOf(index, 'before')).toBeNull()
  await index.close()
})

test('of all kinds of events that have a row, in the order of the file', async () => {
  const at = (ph: string, name: string, ts: number, more: object) => ({
    ph,
    name,
    cat: 'c',
    pid: 1,
    tid: 1,
    ts,
    args: { of: name },
    ...more,
  })
  const events = [
    at('X', 'late', 90, { dur: 1 }),
    at('i', 'mark', 10, { s: 't' }),
    at('b', 'request', 20, { id: 1 }),
    at('B', 'begun', 30, {}),
    at('E', 'begun', 40, { args: { of: 'the end' } }),
    at('e', 'request', 50, { id: 1 }),
    at('X', 'early', 5, { dur: 1 }),
  ]
  const index = await IndexFile.ofTrace(written('kinds.json', Buffer.from(JSON.stringify(events))), ':memory:', { copy_args: 1 })
  const rows = await index.all('SELECT name, args FROM slice UNION ALL SELECT name, args FROM instant ORDER BY name')
  expect(rows).toEqual(['begun', 'early', 'late', 'mark', 'request'].map((name) => ({ name, args: JSON.stringify({ of: name }) })))
  await index.close()
})
