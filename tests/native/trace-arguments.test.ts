// Arguments of a trace's events stay in the file and are read when asked for; a copy in the index serves where the file is gone.
import { writeFileSync } from 'node:fs'
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

test('copied arguments need no source', async () => {
  const index = await IndexFile.ofTrace(written('copied.json', text), ':memory:', { copy_args: 1 })
  expect(JSON.parse(String(await argsOf(index, 'told')))).toEqual(args)
  await index.close()
})
