// Categories of allocations against the slow reference, with the rules that ship and with made-up ones, and the laws of their sums.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categoryNames } from '../../preload/contract/queries.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import type { RefRules } from '../reference/categories.ts'
import { f64, readBatch } from '../support/batch.ts'
import { rulesText } from '../support/category-rules.ts'
import { corpusFolder, corpusSnapshots } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { sampleNames, samplePath, traceSamplePath } from '../support/paths.ts'
import { expectCategories, expectConserved, totalsAt } from './categories-agree.ts'

const shipped = JSON.parse(rulesText) as RefRules

const devicesOf = async (index: IndexFile) =>
  (await index.column('SELECT device FROM device WHERE event_count > 0 ORDER BY device')).map(Number)

async function expectAgreement(index: IndexFile, rules: RefRules): Promise<void> {
  for (const device of await devicesOf(index)) {
    await expectCategories(index, device, rules)
    await expectConserved(index, device, 6)
  }
}

test.each(sampleNames)('%s: every allocation has the category that the rules say', async (name) => {
  const index = await IndexFile.of(samplePath(name))
  await expectAgreement(index, shipped)
  await index.close()
})

test('the trace sample: likewise', async () => {
  const index = await IndexFile.ofTrace(traceSamplePath)
  await expectAgreement(index, shipped)
  await index.close()
})

// The reference looks at every event for every annotation and at every rule for every allocation: the largest would take minutes.
const captures = corpusSnapshots().filter(({ bytes, name }) => bytes < 2 * 1024 ** 2 && !name.endsWith('segments_only.json'))
describe.skipIf(captures.length === 0)(`real captures in ${corpusFolder}`, () => {
  test.each(captures.filter((_, place) => place % 4 === 0).map(({ name, path }) => [name, path] as const))(
    '%s',
    { timeout: 300_000 },
    async (_, path) => {
      const index = await IndexFile.of(path)
      await expectAgreement(index, shipped)
      await index.close()
    },
  )
})

const phase = fc.constantFrom('program', 'backward', 'optimizer')
const glob = fc.constantFrom(
  'torch/optim/*',
  ':_call_impl',
  '*:forward',
  'torch/nn/*:__init__',
  'adam.py:step',
  '*backward*',
  ':train',
  '*',
)
const name = fc.constantFrom('Optimizer.step#*', 'Optimizer.*', '*zero_grad', '*', 'nothing')
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 3 })
const category = fc.constantFrom('parameter', 'gradient', 'optimizer_state', 'activation', 'temporary', 'input')
const bytes = fc.constantFrom(0, 4, 512, 16384, 524288, 2097152)
const match = fc.record(
  {
    frames: some(glob),
    innermost: some(glob),
    without_frames: some(glob),
    python_stack: fc.boolean(),
    made_in: some(phase),
    freed_in: some(phase),
    life: some(fc.constantFrom('within_phase', 'beyond_phase', 'open')),
    size_of: some(category),
    made_before: fc.boolean(),
    never_freed: fc.boolean(),
    most_events: fc.integer({ min: 0, max: 2000 }),
    least_events: fc.integer({ min: 0, max: 2000 }),
    least_steps: fc.integer({ min: 0, max: 3 }),
    most_steps: fc.integer({ min: 0, max: 3 }),
    min_bytes: bytes,
    max_bytes: bytes,
    bytes: some(bytes),
  },
  { requiredKeys: [] },
)
/** Few conditions at once: with many at once nothing would ever match. */
const fewOf = match.chain((all) =>
  fc.subarray(Object.keys(all), { maxLength: 3 }).map((keys) => keys.map((key) => [key, all[key as keyof typeof all]])),
)
const rules: fc.Arbitrary<RefRules> = fc.record({
  steps: fc.array(name, { maxLength: 1 }),
  phases: fc.array(
    fc.record(
      { phase, frames: some(glob), entry: some(glob), outermost: some(glob), annotations: some(name), without_python: fc.boolean() },
      { requiredKeys: ['phase'] },
    ),
    { maxLength: 3 },
  ),
  rules: fc
    .array(fc.tuple(category, fewOf), { minLength: 1, maxLength: 6 })
    .map((all) =>
      all.map(([of, conditions], place) => ({ id: `r${place}`, category: of, confidence: 0.5, match: Object.fromEntries(conditions) })),
    ),
})

test.each(['ft_lora', 'two_devices'] as const)(
  '%s: any rules mean in the library what they mean in the reference',
  { timeout: 300_000 },
  async (sample) => {
    const index = await IndexFile.of(samplePath(sample))
    await fc.assert(
      fc.asyncProperty(rules, (made) => expectCategories(index, 0, made)),
      { numRuns: 60 },
    )
    await index.close()
  },
)

test('random programs, with memory from before the first event: any rules', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), rules, fc.integer({ min: 20, max: 400 }), async (program, made, kept) => {
      const index = await IndexFile.ofBytes(
        'categories',
        writePickle(snapshotOf(runProgram(program), program.options, kept), { protocol: 4 }),
      )
      for (const device of await devicesOf(index)) await expectCategories(index, device, made)
      await index.close()
    }),
    { numRuns: 40 },
  )
})

test('without rules everything is unknown, and a filter of categories still answers', async () => {
  const index = await IndexFile.of(samplePath('ft_lora'))
  expect(await index.column('SELECT DISTINCT category FROM allocation_category(0)')).toEqual(['unknown'])
  expect((await totalsAt(index, 0, 2480)).map(({ category: of, rules: by }) => [of, by.map(({ rule }) => rule)])).toEqual([
    ['unknown', [null]],
  ])
  await index.close()
})

test('a filter keeps the allocations of its categories, in pictures, lists and flame graphs alike', async () => {
  const index = await IndexFile.of(samplePath('ft_lora'))
  await index.all('SELECT category_rules(?)', [rulesText])
  const [of] = await index.all(
    "SELECT count(*) AS count FROM allocation JOIN allocation_category(0) USING (allocation_id) WHERE category IN ('gradient', 'input')",
  )
  for (const [filter, wanted] of [
    ['{"categories":["gradient","input"]}', Number(of?.count)],
    ['{"without_categories":["gradient","input"]}', 2354 - Number(of?.count)],
    ['{"categories":["gradient"],"without_categories":["gradient"]}', 0],
    ['{"categories":[]}', 0],
  ] as const) {
    const [list] = await index.column("SELECT lifetime_list(0, 'event', 0, 6969, 'allocation', 0, 2354, ?, 'size', 1, 0)", [filter])
    expect(JSON.parse(String(list)).count, filter).toBe(wanted)
    const [tree] = await index.column("SELECT flame_tree(0, 'allocated', 'count', 0, 6969, '', ?, 'size', 0, 10)", [filter])
    expect(f64(readBatch(tree), 'total')[0], filter).toBe(wanted)
  }
  await expect(index.all(`SELECT lifetime_pick(0, 'event', 'allocation', 1, 1, '{"categories":["memory"]}')`)).rejects.toMatchObject({
    code: 'query/bad_argument',
  })
  await index.close()
})

test('coloured by category, a picture of one category shows its slot and what is left out', async () => {
  const index = await IndexFile.of(samplePath('ft_lora'))
  await index.all('SELECT category_rules(?)', [rulesText])
  const [blob] = await index.column(
    `SELECT timeline_raster(0, 'event', 0, 6969, 300, 200, 0, 1.3e9, 'category', '{"categories":["activation"]}')`,
  )
  const cells = readBatch(blob).get('cells') as Uint8Array
  const slots = new Set([...cells].map((cell) => cell & 63))
  expect([...slots].sort((a, b) => a - b)).toEqual([0, 4, 63])
  const [raster] = await index.column(
    `SELECT block_raster(0, 2480, 'address', 0, 0, 300000000, 200, 0, 25, 'category', '{"categories":["activation"]}')`,
  )
  const blocks = readBatch(raster).get('cells') as Uint8Array
  expect([...new Set([...blocks].map((cell) => cell & 31))].sort((a, b) => a - b)).toEqual([0, 1, 4, 31])
  const [bars] = await index.column(
    `SELECT lifetime_bars(0, 'event', 0, 6969, 'allocation', 0, 60, '{"categories":["parameter"]}', 5000, 'category')`,
  )
  expect([...new Set(f64(readBatch(bars), 'slot'))]).toEqual([1])
  await index.close()
})

test('in the order of categories lifetimes lie in one row a category, by the rules now in force', async () => {
  const index = await IndexFile.of(samplePath('ft_lora'))
  const spaceNow = async () => JSON.parse(String((await index.column("SELECT lifetime_space(0, 'category')"))[0]))
  expect(await spaceNow()).toEqual({ y1: 1, rows: [{ y0: 0, y1: 1, category: 'unknown', count: 2354 }] })
  await index.all('SELECT category_rules(?)', [rulesText])
  const space = await spaceNow()
  const counted = await index.all('SELECT category, count(*) AS count FROM allocation_category(0) GROUP BY category')
  const rows: { y0: number; y1: number; category: string; count: number }[] = space.rows
  expect(new Map(rows.map((row) => [row.category, row.count]))).toEqual(
    new Map(counted.map((row) => [String(row.category), Number(row.count)])),
  )
  expect(rows.map(({ y0, y1 }) => [y0, y1])).toEqual(rows.map((_, at) => [at, at + 1]))
  for (const { y0, y1, category: of, count } of rows) {
    const [list] = await index.column("SELECT lifetime_list(0, 'event', -1, 6969, 'category', ?, ?, '', 'size', 10000, 0)", [y0, y1])
    const found = JSON.parse(String(list))
    expect(found.count).toBe(count)
    const ids = found.rows.map((row: { allocation_id: number }) => row.allocation_id)
    const names = await index.column('SELECT DISTINCT category_of(0, value) FROM json_each(?)', [JSON.stringify(ids)])
    expect(names).toEqual([of])
  }
  await index.close()
})

test('a node of a flame graph tells the category that holds most of its bytes', async () => {
  const index = await IndexFile.of(samplePath('ft_lora'))
  await index.all('SELECT category_rules(?)', [rulesText])
  const [blob] = await index.column("SELECT flame_tree(0, 'alive', 'bytes', 2480, 2480, '', '', 'size', 0, 100000)")
  const batch = readBatch(blob)
  const totals = await totalsAt(index, 0, 2480)
  const most = totals.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  expect([most.category, f64(batch, 'category')[0], f64(batch, 'category_bytes')[0]]).toEqual(['activation', 4, most.bytes])
  const { categories } = JSON.parse(String(batch.get('meta')))
  expect(categories).toEqual(categoryNames.map((name) => totals.find(({ category: held }) => held === name)?.bytes ?? 0))
  for (const [row, held] of f64(batch, 'category_bytes').entries()) {
    expect(held).toBeLessThanOrEqual(f64(batch, 'bytes')[row] ?? 0)
    expect(held * 10).toBeGreaterThanOrEqual(f64(batch, 'bytes')[row] ?? 0)
  }
  await index.close()
})

test.each([
  ['[]', /must be a JSON object/],
  ['{"rules":{}}', /^rules must be an array/],
  ['{"rule":[]}', /^rule is unknown/],
  ['{"format":2}', /^format must be 1/],
  ['{"rules":[{"id":"a","category":"gradient","confidence":0.5}]}', /^rules\[0\] needs id, category, confidence and match/],
  ['{"rules":[{"id":"a","category":"memory","confidence":0.5,"match":{}}]}', /^rules\[0\]\.category must be one of: parameter, /],
  ['{"rules":[{"id":"a","category":"gradient","confidence":1.5,"match":{}}]}', /^rules\[0\]\.confidence must be a number from 0 to 1/],
  ['{"rules":[{"id":"a","category":"gradient","confidence":1,"match":{"frame":["x"]}}]}', /^rules\[0\]\.match\.frame is unknown/],
  [
    '{"rules":[{"id":"a","category":"gradient","confidence":1,"match":{"frames":["x",""]}}]}',
    /^rules\[0\]\.match\.frames\[1\] must be a text/,
  ],
  [
    '{"rules":[{"id":"a","category":"gradient","confidence":1,"match":{"life":["long"]}}]}',
    /^rules\[0\]\.match\.life\[0\] must be one of: within_phase/,
  ],
  [
    '{"rules":[{"id":"a","category":"gradient","confidence":1,"match":{"most_events":-1}}]}',
    /^rules\[0\]\.match\.most_events must be a whole number/,
  ],
  ['{"phases":[{"frames":["x"]}]}', /^phases\[0\] needs a phase/],
  [
    `{"rules":[${Array(2).fill('{"id":"a","category":"input","confidence":1,"match":{}}').join()}]}`,
    /^rules\[1\] has the id of another rule: a/,
  ],
])('rules that do not fit are refused with their place: %s', async (json, message) => {
  const index = await IndexFile.of(samplePath('oom'))
  await expect(index.all('SELECT category_rules(?)', [json])).rejects.toMatchObject({
    code: 'query/bad_argument',
    message: expect.stringMatching(message),
  })
  await index.close()
})

test('rules that are refused leave those before them in force', async () => {
  const index = await IndexFile.of(samplePath('ft_lora'))
  await index.all('SELECT category_rules(?)', [rulesText])
  const before = await totalsAt(index, 0, 2480)
  await expect(index.all('SELECT category_rules(?)', ['{"rules":1}'])).rejects.toThrow()
  expect(await totalsAt(index, 0, 2480)).toEqual(before)
  await index.close()
})
