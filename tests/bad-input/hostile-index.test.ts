// An index that a stranger made, or that changes while it is open: every question is answered with a value or a code, soon, and never by the
// end of the process.
import { copyFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '../../preload/contract/errors.ts'
import { capturesIn, codeOf, EngineClient, expectValue, quietly } from '../engine/engine-client.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'

const scratch = scratchFolder('hostile-index')
const inScratch = (name: string) => join(scratch.path, `${name}.tidemark`)
let engine: EngineClient

const names = [
  'cut_in_the_middle',
  'cut_to_nothing',
  'long_texts',
  'slow_findings',
  'slow_annotations',
  'nonsense',
  'texts_for_numbers',
  'fewer_allocations',
  'wild_identifiers',
]

beforeAll(async () => {
  const files = Object.fromEntries(names.map((name) => [name, inScratch(name)]))
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { ...files, lora: samplePath('ft_lora') })
  expectValue(await engine.captures.indexes.buildAt(samplePath('ft_lora'), inScratch('good'), quietly))
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

/** A copy of a good index, changed by SQL. */
async function forge(name: string, ...statements: string[]): Promise<void> {
  copyFileSync(inScratch('good'), inScratch(name))
  const index = await IndexFile.connect(inScratch(name))
  for (const sql of statements) await index.all(sql)
  await index.close()
}

const open = (token: string) => engine.ask('capture.open', { token }).answer
const messageOf = (result: Result<unknown>): string => (result.ok ? '' : result.error.message)

describe('an index that is cut while it is open', () => {
  const questions = (captureId: string) => {
    const viewport = { captureId, device: 0, axis: 'event', x0: 0, x1: 6969, columns: 500 }
    return [
      engine.ask('timeline.curves', viewport),
      engine.ask('timeline.raster', { ...viewport, rows: 200, y0: 0, y1: 1.3e9, colorBy: 'stack' }),
      engine.ask('allocation.live', { captureId, device: 0, event: 2480, sort: 'title', descending: true, offset: 0, limit: 100 }),
      engine.ask('allocation.details', { captureId, allocationId: 700 }),
      engine.ask('timeline.annotations', { captureId, device: 0 }),
    ].map(async ({ answer }) => codeOf(await answer))
  }

  test.each([
    ['cut_in_the_middle', 0.5],
    ['cut_to_nothing', 0],
  ])('%s fails with a code and leaves the engine running', async (name, share) => {
    copyFileSync(inScratch('good'), inScratch(name))
    const { captureId } = await engine.open(name)
    truncateSync(inScratch(name), Math.floor(share * statSync(inScratch(name)).size))
    const codes = await Promise.all(questions(captureId))
    expect(codes.filter((code) => code !== 'no failure').length).toBeGreaterThan(0)
    for (const code of codes) expect(code).toMatch(/^(no failure|(file|index|query)\/\w+)$/)
    expect(await engine.open('lora')).toMatchObject({ eventCount: 6969 })
  })

  test('is in the cache: it fails with a code, and the next opening builds it anew', async () => {
    const { captureId, fingerprint } = await engine.open('lora')
    truncateSync(join(scratch.path, 'cache', `${fingerprint}.tidemark`), 8192)
    const codes = await Promise.all(questions(captureId))
    expect(codes.filter((code) => code !== 'no failure').length).toBeGreaterThan(0)
    expect(await engine.open('lora')).toMatchObject({ eventCount: 6969, fromCache: false })
  })
})

test('texts of many megabytes reach the window cut short', async () => {
  const long = "printf('%.*c', 20000000, 'x')"
  await forge(
    'long_texts',
    `UPDATE capture SET source_name = ${long}, format_detail = ${long}, tool_version = tool_version`,
    `INSERT INTO finding VALUES ('snapshot/no_times', 'info', 1, NULL, ${long})`,
    `UPDATE frame SET name = ${long} WHERE frame_id = (SELECT min(frame_id) FROM stack_frame WHERE position = 0)`,
    `INSERT INTO annotation VALUES (0, ${long}, 0, NULL, NULL, NULL)`,
    `UPDATE pool SET name = ${long}`,
    `INSERT OR REPLACE INTO metadata VALUES ('allocator_settings', ${long})`,
  )
  const summary = await engine.open('long_texts')
  const { captureId } = summary
  const { spans } = await engine.value('timeline.annotations', { captureId, device: 0 })
  const { rows } = await engine.value('allocation.live', {
    captureId,
    device: 0,
    event: 2480,
    sort: 'title',
    descending: false,
    offset: 0,
    limit: 1000,
  })
  for (const answer of [summary, spans, rows]) expect(JSON.stringify(answer).length).toBeLessThan(5_000_000)
  expect([summary.sourceName.length, summary.settings]).toEqual([4096, null])
})

/** Replaces a table by one of a thousand rows whose last column takes a tenth of a second each; it is slipped in so that writing takes none. */
function slowTable(name: string, columns: string, slow: string, row: string): string[] {
  const [, , counted] = columns.split(', ')
  const slowColumn = `${slow} TEXT AS (hex(hex(zeroblob(30000000 + ${counted}))))`
  return [
    `DROP TABLE ${name}`,
    `CREATE TABLE ${name}(${columns})`,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO ${name} SELECT ${row} FROM n`,
    'PRAGMA writable_schema = ON',
    `UPDATE sqlite_schema SET sql = 'CREATE TABLE ${name}(${columns}, ${slowColumn})' WHERE name = '${name}'`,
  ]
}

test('an index that would take minutes to answer is given up with a code after a quarter of one', async () => {
  await forge('slow_findings', ...slowTable('finding', 'code, severity, count, first_at', 'message', "'snapshot/no_times', 'info', 1, i"))
  await forge('slow_annotations', ...slowTable('annotation', 'device, start_ns, end_ns, thread', 'name', '0, i, i + 1, NULL'))
  const { captureId } = await engine.open('slow_annotations')
  const startedAt = performance.now()
  const [findings, annotations] = await Promise.all([
    open('slow_findings'),
    engine.ask('timeline.annotations', { captureId, device: 0 }).answer,
  ])
  expect([codeOf(findings), codeOf(annotations)]).toEqual(['index/not_an_index', 'query/failed'])
  for (const answer of [findings, annotations]) expect(messageOf(answer)).toContain('did not answer within 15 s')
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect((await engine.value('timeline.timeOf', { captureId, device: 0, event: 5 })).timeNs).toEqual(expect.any(Number))
})

describe('an index that holds nonsense', () => {
  test.each([
    ["UPDATE capture SET kind = 'shopping_list'", 'column kind has the unexpected value shopping_list'],
    ["UPDATE finding SET severity = 'funny'", 'column severity'],
    ["UPDATE device SET peak_event = 'often'", 'column peak_event'],
    ['UPDATE device SET allocation_count = 9000000000000000', 'column allocation_count has the unexpected value 9000000000000000'],
    ['UPDATE device SET event_count = 4000000000', 'column event_count'],
    ['UPDATE device SET reservation_count = 4000000000', 'column reservation_count'],
    ["INSERT OR REPLACE INTO metadata VALUES ('allocator_settings', '{')", 'settings'],
    ['DELETE FROM capture', 'not a complete Tidemark index'],
    ["UPDATE capture SET schema_version = 'twelve'", 'layout twelve'],
    ['DROP TABLE pool', 'no such table: pool'],
    ['CREATE VIEW mine AS SELECT 1', 'views'],
    ['CREATE VIRTUAL TABLE mine USING fts5(x)', 'virtual tables'],
  ])('%s is told in one line', async (sql, said) => {
    await forge('nonsense', "INSERT OR REPLACE INTO finding VALUES ('snapshot/no_times', 'info', 1, NULL, 'x')", sql)
    const opened = await open('nonsense')
    expect(codeOf(opened)).toBe('index/not_an_index')
    expect(messageOf(opened)).toContain(said)
    expect(messageOf(opened).length).toBeLessThan(200)
    expect(messageOf(opened)).not.toContain('\n')
  })

  test('fails question after question where it holds fewer allocations than it says, and does not end the engine', async () => {
    await forge('fewer_allocations', 'UPDATE device SET allocation_count = 2400')
    const { captureId } = await engine.open('fewer_allocations')
    const view = { captureId, device: 0, axis: 'event', x0: 0, x1: 6969, columns: 100 }
    for (let round = 0; round < 2; round++) {
      const raster = engine.ask('timeline.raster', { ...view, rows: 100, y0: 0, y1: 1.3e9, colorBy: 'stack' })
      expect(codeOf(await raster.answer)).toBe('index/not_an_index')
      expect((await engine.ask('timeline.curves', view).answer).ok).toBe(true)
      expect((await engine.ask('space.curves', view).answer).ok).toBe(true)
    }
  })

  test.each(['-9223372036854775807', '-1', '9007199254740991', '9223372036854775807'])(
    'no question is answered where allocations are numbered from %s',
    async (first) => {
      await forge('wild_identifiers', `UPDATE device SET first_allocation_id = ${first}`)
      const index = await IndexFile.connect(inScratch('wild_identifiers'))
      for (const id of ['-9223372036854775808', '0', '9223372036854775807']) {
        for (const question of [`lifetime_place(0, 'event', 'address', ${id})`, `timeline_outline(0, 'event', 0, 5, 5, ${id})`]) {
          await expect(index.all(`SELECT ${question}`)).rejects.toMatchObject({ code: 'index/not_an_index' })
        }
      }
      await index.close()
    },
  )

  test.each(['oom', 'metadata', 'stream', 'pool'])('what would fit is not told where the relation %s is gone', async (relation) => {
    await forge('nonsense', `DROP TABLE ${relation}`)
    const index = await IndexFile.connect(inScratch('nonsense'))
    await expect(index.all("SELECT would_fit(0, 5, 700, 0, '(0,0)')")).rejects.toMatchObject({ code: 'index/not_an_index' })
    await index.close()
  })

  test('where a question meets it, the answer says so', async () => {
    await forge('texts_for_numbers', "UPDATE frame SET line = 'somewhere'", "UPDATE annotation SET start_ns = 'once'")
    const { captureId } = await engine.open('texts_for_numbers')
    const { answer } = engine.ask('stacks.top', { captureId, device: 0, event: 2480, limit: 10 })
    expect(codeOf(await answer)).toBe('index/not_an_index')
  })
})
