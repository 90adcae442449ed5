// Profiles of other tools: what a file holds is what the index says, in every format, and the flame graph weighs it.

import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { d3, foldedText, heapProfile, pprof, profileFixtures, speedscope } from '../fixtures/profiles.ts'
import { childKey, type FlameAsk, flameOfValues, frameKey } from '../reference/flame.ts'
import type { RefFrame } from '../reference/snapshot.ts'
import { f64, readBatch } from '../support/batch.ts'
import { CodedError, IndexFile, nativeLibrary } from '../support/index-file.ts'
import { outFolder } from '../support/paths.ts'
import { plain } from './flame-agree.ts'

const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const open = (value: unknown, name = 'profile') => IndexFile.ofProfileBytes(name, value instanceof Uint8Array ? value : encoded(value))

/** Values by stack, outermost frame first, each frame as name@file:line. */
async function valuesOf(index: IndexFile, type = 0): Promise<Record<string, number>> {
  const rows = await index.all(
    `SELECT v.value, (SELECT group_concat(text, ';') FROM (SELECT f.name || '@' || f.filename || ':' || f.line AS text
       FROM stack_frame s JOIN frame f USING (frame_id) WHERE s.stack_id = v.stack_id ORDER BY s.position DESC)) AS stack
     FROM profile_value v WHERE value_type = ? ORDER BY stack`,
    [type],
  )
  return Object.fromEntries(rows.map(({ value, stack }) => [stack ?? '', Number(value)]))
}

const typesOf = (index: IndexFile) => index.all('SELECT name, unit, is_default FROM profile_value_type ORDER BY value_type')
const findingsOf = async (index: IndexFile) =>
  Object.fromEntries((await index.all('SELECT code, count FROM finding')).map(({ code, count }) => [code, count]))

const foldedValues = {
  'main@:0;std::function<void (int)>@:0;leaf_[k]@:0': 7,
  'main@:0;train@train.py:12': 20.5,
  'main@:0;train@train.py:12;forward@model.py:7': 500,
}

describe('folded stacks', () => {
  test('equal stacks add up, and a file in brackets behind a name is that of the frame', async () => {
    const index = await open(foldedText)
    expect(await valuesOf(index)).toEqual(foldedValues)
    expect(await findingsOf(index)).toEqual({})
    expect(await typesOf(index)).toEqual([{ name: '', unit: '', is_default: 1 }])
    await index.close()
  })

  test.each(profileFixtures().filter(({ name }) => name.startsWith('folded,')))('$name says the same', async ({ name, bytes }) => {
    const index = await open(bytes)
    expect(await valuesOf(index)).toEqual(foldedValues)
    expect(await index.column('SELECT format_detail FROM capture')).toEqual([name])
    await index.close()
  })

  test('lines without a number are counted, and the others are read', async () => {
    const index = await open('a;b 3\nnonsense\nc;d 4\na;b 1\nc;d;e\na;b 0\n')
    expect(await valuesOf(index)).toEqual({ 'a@:0;b@:0': 4, 'c@:0;d@:0': 4 })
    expect(await index.all('SELECT code, count, first_at FROM finding')).toEqual([{ code: 'profile/bad_line', count: 2, first_at: 6 }])
    await index.close()
  })

  test('two numbers a line are two moments and their change', async () => {
    const index = await open('a;b 3 10\na;c 8 2\n')
    expect((await typesOf(index)).map(({ name }) => name)).toEqual(['before', 'after', 'change'])
    expect([await valuesOf(index, 0), await valuesOf(index, 2)]).toEqual([
      { 'a@:0;b@:0': 3, 'a@:0;c@:0': 8 },
      { 'a@:0;b@:0': 7, 'a@:0;c@:0': -6 },
    ])
    expect(await findingsOf(index)).toEqual({ 'profile/negative_values': 1 })
    const tree = readBatch((await index.column("SELECT flame_tree(0, 'profile', 'bytes', 2, 2, '', '', 'size', 0, 100)"))[0])
    expect([f64(tree, 'total')[0], f64(tree, 'base_total')[0]]).toEqual([7, 6])
    await index.close()
  })
})

describe('d3-flame-graph', () => {
  test('values are inclusive, whatever the order of keys', async () => {
    const index = await open(d3)
    expect(await valuesOf(index)).toEqual({ '': 10, 'a@a.py:1': 40, 'a@a.py:1;b@:0': 30, 'c@:0': 30 })
    await index.close()
  })

  test('where children weigh more than their parents, each value is a node’s own', async () => {
    const index = await open({ name: 'root', value: 0, children: [{ name: 'a', value: 5, children: [{ name: 'b', value: 30 }] }] })
    expect(await valuesOf(index)).toEqual({ 'a@:0': 5, 'a@:0;b@:0': 30 })
    expect(await findingsOf(index)).toEqual({ 'profile/self_values': 1 })
    await index.close()
  })

  test('a chain of a hundred thousand nodes is read without recursion', async () => {
    const depth = 100_000
    const text = `${'{"name":"f","value":1,"children":['.repeat(depth)}${']}'.repeat(depth)}`
    const index = await open(text)
    expect(await index.column('SELECT max(depth) FROM stack_depth')).toEqual([65_536])
    expect(await findingsOf(index)).toEqual({ 'profile/stack_cut': depth - 1 - 65_536 })
    await index.close()
  })
})

describe('speedscope', () => {
  test('each profile is a value type; an evented one gives time to the innermost open frame', async () => {
    const index = await open(speedscope)
    expect(await typesOf(index)).toEqual([
      { name: 'thread 1', unit: 'milliseconds', is_default: 0 },
      { name: 'heap', unit: 'bytes', is_default: 1 },
    ])
    expect(await valuesOf(index, 0)).toEqual({ 'outer@x.c:4': 7.5, 'outer@x.c:4;inner@:0': 2.5 })
    expect(await valuesOf(index, 1)).toEqual({ 'outer@x.c:4': 6, 'outer@x.c:4;inner@:0': 6 })
    await index.close()
  })

  test('frames that do not open and close in pairs count for as long as they are seen open', async () => {
    const events = [
      { type: 'C', frame: 1, at: 0 },
      { type: 'O', frame: 0, at: 1 },
      { type: 'O', frame: 1, at: 3 },
      { type: 'C', frame: 0, at: 6 },
      { type: 'O', frame: 0, at: 5 },
    ]
    const profile = { type: 'evented', name: '', unit: 'none', startValue: 0, endValue: 10, events }
    const index = await open({ ...speedscope, profiles: [profile] })
    expect(await valuesOf(index)).toEqual({ 'outer@x.c:4': 6, 'outer@x.c:4;inner@:0': 3 })
    expect(await findingsOf(index)).toEqual({ 'profile/unbalanced': 4 })
    await index.close()
  })

  test('a frame that the file does not have is shown as such, whatever its number', async () => {
    const profile = { type: 'sampled', name: 's', unit: 'bytes', samples: [[0, 4e9], [7]], weights: [1, 2] }
    const index = await open({ ...speedscope, profiles: [profile] })
    expect(await valuesOf(index)).toEqual({ '?@:0': 2, 'outer@x.c:4;?@:0': 1 })
    expect(await findingsOf(index)).toEqual({ 'profile/bad_reference': 2 })
    await index.close()
  })
})

describe('pprof', () => {
  const inuse = {
    'main.main@main.go:10;0xdeadbeef@:0': 16,
    'main.main@main.go:10;append@slice.go:22;grow@slice.go:33': 1500,
  }

  test.each([
    ['as it is', pprof()],
    ['below gzip', gzipSync(pprof())],
  ])('%s: samples of one stack add up, inlined calls are frames, the last type is shown first', async (_, bytes) => {
    const index = await open(bytes)
    expect(await valuesOf(index, 3)).toEqual(inuse)
    expect(await valuesOf(index, 1)).toEqual({
      'main.main@main.go:10': 64,
      'main.main@main.go:10;0xdeadbeef@:0': 16,
      'main.main@main.go:10;append@slice.go:22;grow@slice.go:33': 3500,
    })
    expect(await typesOf(index)).toEqual([
      { name: 'alloc_objects', unit: 'count', is_default: 0 },
      { name: 'alloc_space', unit: 'bytes', is_default: 0 },
      { name: 'inuse_objects', unit: 'count', is_default: 0 },
      { name: 'inuse_space', unit: 'bytes', is_default: 1 },
    ])
    expect(await findingsOf(index)).toEqual({ 'profile/labels_ignored': 2 })
    await index.close()
  })

  test('the type that the file names as its default is shown first', async () => {
    const index = await open(pprof({ byDefault: 'alloc_space' }))
    expect(await index.column('SELECT name FROM profile_value_type WHERE is_default')).toEqual(['alloc_space'])
    await index.close()
  })

  test('a packed file that ends early keeps what could be read', async () => {
    const whole = gzipSync(pprof())
    const index = await open(whole.subarray(0, whole.length - 20))
    expect(Object.keys(await findingsOf(index))).toContain('profile/damaged_gzip')
    expect((await index.all('SELECT 1 FROM profile_value')).length).toBeGreaterThan(0)
    await index.close()
  })
})

test('a heap profile of V8: bytes by the function that allocated them', async () => {
  const text = await heapProfile()
  interface Node {
    readonly selfSize: number
    readonly children: readonly Node[]
  }
  const nodes: Node[] = [(JSON.parse(text) as { head: Node }).head]
  for (const node of nodes) nodes.push(...node.children)
  const index = await open(text)
  expect(await index.column('SELECT sum(value) FROM profile_value')).toEqual([nodes.reduce((sum, { selfSize }) => sum + selfSize, 0)])
  expect(
    await index.column("SELECT count(*) > 0 FROM frame WHERE name = 'heapProfile' AND filename LIKE '%profiles.ts' AND line > 0"),
  ).toEqual([1])
  expect(await typesOf(index)).toEqual([{ name: '', unit: 'bytes', is_default: 1 }])
  await index.close()
})

describe('what a file is', () => {
  const sniff = (bytes: Uint8Array): unknown => {
    mkdirSync(outFolder, { recursive: true })
    const path = join(outFolder, `sniffed.${process.pid}`)
    writeFileSync(path, bytes)
    return (createRequire(import.meta.url)(nativeLibrary) as { sniff: (path: string) => unknown }).sniff(path)
  }

  test.each(profileFixtures())('$name is recognised', ({ name, bytes }) => {
    expect(sniff(bytes)).toEqual({ kind: 'stack_profile', detail: name })
  })

  test('a heap profile is recognised', async () => {
    expect(sniff(encoded(await heapProfile()))).toEqual({ kind: 'stack_profile', detail: 'heapprofile' })
  })

  const longStack = `# a deep recursion\n${'recurse;'.repeat(200_000)}leaf 3\nmain;leaf 1\n`
  test.each([
    ['as it is', encoded(longStack), 'folded'],
    ['packed', gzipSync(longStack), 'folded, gzip'],
    ['as UTF-16', Buffer.from(`\ufeff${longStack}`, 'utf16le'), 'folded, UTF-16'],
  ])('folded stacks whose first one has 200,000 frames are recognised: %s', (_, bytes, detail) => {
    expect(sniff(bytes)).toEqual({ kind: 'stack_profile', detail })
  })

  test('a text of one long line that is no stack is no profile', () => {
    expect(sniff(encoded('let a = 1; '.repeat(50_000)))).toEqual({ kind: 'unknown', detail: 'text (a log or source file)' })
  })

  test.each(profileFixtures().filter(({ bytes }) => bytes[0] === 0x7b))(
    '$name is recognised behind a byte order mark',
    ({ name, bytes }) => {
      expect(sniff(Buffer.concat([Buffer.from('\ufeff'), bytes]))).toEqual({ kind: 'stack_profile', detail: name })
    },
  )

  test.each([
    [
      'a trace whose keys are those of a tree',
      { name: 'n', value: 1, children: [{ name: 'c', value: 1 }], traceEvents: [] },
      'chrome_trace',
    ],
    ['a snapshot with a name', { name: 'n', segments: [], device_traces: [] }, 'torch_snapshot'],
    ['a trace that names speedscope', { traceEvents: [{ ph: 'X', name: 'speedscope' }] }, 'chrome_trace'],
    ['JSON of something else', { name: 'tidemark', version: '1' }, 'unknown'],
    ['a V8 heap snapshot', { snapshot: { meta: {}, node_count: 1 }, nodes: [] }, 'unknown'],
    ['source code', 'int main() {\n  int x = 3;\n  return 0;\n}\n', 'unknown'],
    ['a table with semicolons', 'name;size\na;3\nb;4\n', 'unknown'],
  ])('%s is no profile', (_, content, kind) => {
    expect(sniff(encoded(content))).toMatchObject({ kind })
  })

  test.each([
    ['memray', Buffer.from('memray\0\x0d\0\0\0'), /memray/],
    ['heaptrack', Buffer.from('v 10500 3\nX /bin/x\ns 3 abc\n'), /heaptrack/],
    ['CBOR', Buffer.from([0xd9, 0xd9, 0xf7, 0xa0]), /CBOR/],
    ['a V8 heap snapshot', encoded({ snapshot: { meta: {} } }), /heap snapshot/],
    ['rocprofiler', encoded({ 'rocprofiler-sdk-tool': [] }), /rocprof/],
  ])('%s is called by its name where it is refused', (_, bytes, words) => {
    expect(sniff(bytes)).toMatchObject({ kind: 'unknown', detail: expect.stringMatching(words) })
  })

  test('a profile without any value is refused', async () => {
    await expect(open('a;b 0x\n'.repeat(3))).rejects.toBeInstanceOf(CodedError)
    await expect(open({ ...speedscope, profiles: [] })).rejects.toMatchObject({ code: 'profile/not_a_profile' })
  })
})

describe('flame graphs of profiles', () => {
  const asks: Partial<FlameAsk>[] = [
    {},
    { direction: 'callers' },
    { merge: 'function' },
    { hide: ['slice.go'] },
    { pivot: 'slice.go:append:22' },
    { with: ['slice.go:grow:33'], direction: 'callers' },
    { without: ['slice.go:append:22'] },
  ]

  test.each(asks.map((ask) => [JSON.stringify(ask), ask] as const))('%s: as the slow reference adds it up', async (_, further) => {
    const index = await open(pprof())
    const ask: FlameAsk = { ...plain, ...further }
    const frames = new Map<number, RefFrame>()
    for (const row of await index.all('SELECT * FROM frame'))
      frames.set(Number(row.frame_id), { name: String(row.name), filename: String(row.filename), line: Number(row.line) })
    const idOf = (key: string) => [...frames].find(([, frame]) => frameKey(frame, ask.merge) === key)?.[0]
    const options = JSON.stringify({
      ...{ direction: ask.direction, merge: ask.merge, hide: ask.hide, with: ask.with.map(idOf), without: ask.without.map(idOf) },
      ...(ask.pivot === null ? {} : { pivot: idOf(ask.pivot) }),
    })
    for (const type of [0, 1, 2, 3]) {
      const stacks = await index.all(
        `SELECT value, (SELECT json_group_array(frame_id) FROM (SELECT frame_id FROM stack_frame s WHERE s.stack_id = v.stack_id
           ORDER BY position)) AS frames FROM profile_value v WHERE value_type = ?`,
        [type],
      )
      const run = stacks.map((row) => ({
        value: Number(row.value),
        frames: (JSON.parse(String(row.frames)) as number[]).map((id) => frames.get(id) as RefFrame),
      }))
      const [blob] = await index.column("SELECT flame_tree(0, 'profile', 'count', ?, ?, ?, '', 'size', 0, 1000)", [type, type, options])
      const batch = readBatch(blob)
      const paths: string[] = []
      const found = new Map<string, number[]>()
      f64(batch, 'parent').forEach((parent, row) => {
        const frame = frames.get(f64(batch, 'frame')[row] ?? -1)
        const path = parent < 0 ? '' : childKey(paths[parent] as string, frame ? frameKey(frame, ask.merge) : '(none)')
        paths.push(path)
        found.set(path, [f64(batch, 'total')[row] ?? 0, f64(batch, 'self')[row] ?? 0])
      })
      const wanted = [...flameOfValues(run, ask)].filter(([path, { total }]) => path === '' || total > 0)
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted.map(([path, { total, self }]) => [path, [total, self]])))
    }
    await index.close()
  })

  test('a value type that the file does not have, and a filter, are refused', async () => {
    const index = await open(foldedText)
    const ask = (type: number, filter: string) =>
      index.all("SELECT flame_tree(0, 'profile', 'bytes', ?, 0, '', ?, 'size', 0, 10)", [type, filter])
    await expect(ask(1, '')).rejects.toMatchObject({ code: 'query/bad_argument' })
    await expect(ask(0, '{}')).rejects.toMatchObject({ code: 'query/bad_argument' })
    await index.close()
  })

  test('a search adds up the stacks that have a hit', async () => {
    const index = await open(pprof())
    const [found] = await index.column("SELECT flame_match(0, 'profile', 'bytes', 3, 3, '', '', 0, 'slice')")
    expect(JSON.parse(String(found))).toMatchObject({ total: 1500, nodes: 2 })
    await index.close()
  })
})
