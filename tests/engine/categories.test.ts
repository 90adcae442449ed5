// Categories through the engine and the command line: totals, one allocation's reasons, filters of lists and files, and rules of one's own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CacheFolder } from '../../main/engine/cache-folder.ts'
import { Captures } from '../../main/engine/captures.ts'
import { CategoryRuleFiles } from '../../main/engine/category-rules.ts'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { baseAddress, block, event, segment, snapshot, stack } from '../fixtures/snapshots.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { runCli } from './cli.ts'
import { capturesIn, codeOf, EngineClient, expectValue, nativeLibrary, quietly } from './engine-client.ts'

const scratch = scratchFolder('engine-categories')
const cache = join(scratch.path, 'cache')
const lora = samplePath('ft_lora')
const peakEvent = 2480
let engine: EngineClient
let capture: CaptureSummary

beforeAll(async () => {
  engine = new EngineClient(capturesIn(cache), { lora })
  capture = await engine.open('lora')
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const totalsAt = (event: number) => engine.value('categories.totals', { captureId: capture.captureId, device: 0, event })
const live = (filter: string) =>
  engine.value('allocation.live', {
    captureId: capture.captureId,
    device: 0,
    event: peakEvent,
    sort: 'sizeBytes',
    descending: true,
    filter,
    offset: 0,
    limit: 1000,
  })

describe('categories.totals', () => {
  test('adds up to what is allocated, and explains every rule that it names', async () => {
    const { categories, rules } = await totalsAt(peakEvent)
    expect(categories.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(capture.devices[0]?.peakAllocatedBytes)
    const named = new Set(categories.flatMap(({ rules: of }) => of.map(({ rule }) => rule)).filter((rule) => rule !== null))
    expect(new Set(rules.map(({ id }) => id))).toEqual(named)
    for (const { title, why } of rules)
      for (const text of [title, why]) expect(Object.values(text).every((words) => words !== '')).toBe(true)
  })

  test('refuses an event that the capture does not have', async () => {
    const input = { captureId: capture.captureId, device: 0, event: capture.eventCount }
    expect(codeOf(await engine.ask('categories.totals', input).answer)).toBe('query/bad_argument')
  })
})

test('the details of an allocation tell its category, the rule and why', async () => {
  const [largest] = (await live('{"categories":["optimizer_state"]}')).rows
  const details = await engine.value('allocation.details', { captureId: capture.captureId, allocationId: largest?.allocationId ?? -1 })
  expect(details.category).toMatchObject({
    category: 'optimizer_state',
    rule: { id: 'optimizer-state-init', title: { en: 'Optimizer state, when made' }, why: { 'zh-CN': expect.stringContaining('优化器') } },
    confidence: 0.95,
  })
})

test.each([
  ['{"categories":["activation","input"]}', ['activation', 'input'], true],
  ['{"without_categories":["activation","input"]}', ['activation', 'input'], false],
] as const)('the list of %s holds what the totals count', async (filter, names, isKept) => {
  const { categories } = await totalsAt(peakEvent)
  const kept = categories.filter(({ category }) => names.some((name) => name === category) === isKept)
  const { total, rows } = await live(filter)
  expect(total).toBe(kept.reduce((sum, { count }) => sum + count, 0))
  expect(rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(kept.reduce((sum, { bytes }) => sum + bytes, 0))
})

test('a filter of an unknown category is refused', async () => {
  const input = { captureId: capture.captureId, device: 0, event: 0, sort: 'sizeBytes', descending: true, offset: 0, limit: 1 }
  const answer = await engine.ask('allocation.live', { ...input, filter: '{"categories":["memory"]}' }).answer
  expect(codeOf(answer)).toBe('query/bad_argument')
})

test('a CSV file holds what the filter of categories keeps', async () => {
  const path = join(scratch.path, 'gradients.csv')
  const event = 3470 // before the second step of the optimizer
  expectValue(await engine.captures.writeLiveCsv(capture.captureId, { device: 0, event, filter: '{"categories":["gradient"]}', path }))
  const gradients = (await totalsAt(event)).categories.find(({ category }) => category === 'gradient')
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1 + (gradients?.count ?? 0))
})

describe('rules of one’s own', () => {
  const path = join(scratch.path, 'categories.json')
  const openWith = async (text: string) => {
    writeFileSync(path, text)
    const captures = new Captures(nativeLibrary(), new CacheFolder(cache, Number.MAX_SAFE_INTEGER), new CategoryRuleFiles(path))
    const opened = await captures.open(lora, quietly)
    return { captures, opened }
  }
  const rule = (more: object) => ({ id: 'mine', category: 'kv_cache', confidence: 1, match: { frames: [':cross_entropy'] }, ...more })

  test('stand before ours, and say why in one text or two', async () => {
    const { captures, opened } = await openWith(
      JSON.stringify({ rules: [rule({ title: 'Loss', why: { en: 'my loss', 'zh-CN': '损失' } })] }),
    )
    const client = new EngineClient(captures, {})
    const { captureId } = expectValue(opened)
    const totals = await client.value('categories.totals', { captureId, device: 0, event: peakEvent })
    expect(totals.categories.find(({ category }) => category === 'kv_cache')?.rules.map(({ rule: id }) => id)).toEqual(['mine'])
    expect(totals.rules.find(({ id }) => id === 'mine')).toEqual({
      id: 'mine',
      title: { en: 'Loss', 'zh-CN': 'Loss' },
      why: { en: 'my loss', 'zh-CN': '损失' },
    })
    await client.close()
  })

  test('may stand behind a byte order mark', async () => {
    const { captures, opened } = await openWith(`\ufeff${JSON.stringify({ rules: [rule({})] })}`)
    expect(opened).toMatchObject({ ok: true })
    await captures.closeAll()
  })

  test('are the same in the console as in the views for as long as the capture is open, whatever becomes of the file', async () => {
    const { captures, opened } = await openWith(JSON.stringify({ rules: [rule({})] }))
    writeFileSync(path, '{"rules":[{"id":"all","category":"input","confidence":1,"match":{}}]}')
    const client = new EngineClient(captures, {})
    const { captureId } = expectValue(opened)
    const { categories } = await client.value('categories.totals', { captureId, device: 0, event: peakEvent })
    const sql = `SELECT category, count(*) AS n FROM live_allocation(0, ${peakEvent}) JOIN allocation_category(0) USING (allocation_id) GROUP BY 1`
    const { rows } = await client.value('sql.run', { captureId, sql })
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(categories.filter(({ count }) => count > 0).map(({ category, count }) => [category, count])),
    )
    expect(rows.length).toBeGreaterThan(1)
    await client.close()
  })

  test('take the place of ours that has the same id', async () => {
    const { captures, opened } = await openWith(JSON.stringify({ rules: [rule({ id: 'input-frames', match: { bytes: [1] } })] }))
    const client = new EngineClient(captures, {})
    const { captureId } = expectValue(opened)
    const { categories } = await client.value('categories.totals', { captureId, device: 0, event: peakEvent })
    expect(categories.flatMap(({ rules }) => rules.map(({ rule: id }) => id))).not.toContain('input-frames')
    await client.close()
  })

  test.each([
    ['', /categories\.json: /],
    ['[]', /The file: /],
    ['{"rules":[{"category":"input"}]}', /rules\[0\]\.id/],
    [JSON.stringify({ rules: [rule({ titel: 'x' })] }), /rules\[0\]\.titel is unknown/],
    [JSON.stringify({ rules: [rule({ match: { frames: 'x' } })] }), /rules\[0\]\.match\.frames must be an array/],
    [JSON.stringify({ rules: [rule({}), rule({})] }), /rules\[1\] has the id of another rule: mine/],
  ])('that are broken are a failure which says what and where: %s', async (text, message) => {
    const { captures, opened } = await openWith(text)
    expect(opened).toMatchObject({ ok: false, error: { code: 'categories/broken_rules', message: expect.stringMatching(message) } })
    await captures.closeAll()
  })
})

describe('the command line', () => {
  test('info tells the categories at the peak, as text and as JSON', async () => {
    const text = await runCli(['info', lora], { cache })
    expect(text.out).toContain('    of the peak     527 MiB activation, 500 MiB autograd detail, 85.7 MiB parameter, 64.0 MiB workspace')
    const [peak] = (JSON.parse((await runCli(['info', lora, '--json'], { cache })).out) as { peakCategories: unknown[] }).peakCategories
    const { categories } = await totalsAt(peakEvent)
    const sums = categories.map(({ rules: _, ...sum }) => sum).sort((a, b) => b.bytes - a.bytes)
    expect(peak).toEqual({ device: 0, event: peakEvent, categories: sums })
  })

  test.each([
    ['which has no stacks', [], 'the file has no stacks of it'],
    ['whose stacks no rule knows', stack('nothing known'), 'no rule matched'],
  ])('info says plainly that it is not known what the memory of a file is for %s', async (_, frames, why) => {
    const path = join(scratch.path, 'untold.pickle')
    const made = snapshot(
      [segment(baseAddress, [block(baseAddress, 2 << 20, 'active_allocated', { frames })])],
      [[event('segment_alloc', baseAddress, 2 << 20, { frames }), event('alloc', baseAddress, 2 << 20, { frames })]],
    )
    writeFileSync(path, writePickle(made, { protocol: 4 }))
    const text = await runCli(['info', path], { cache })
    expect(text.out).toContain(`    of the peak     not known what it is for: ${why}\n`)
  })

  test('query answers with the categories, and with those of the file that TIDEMARK_CATEGORIES names', async () => {
    const sql = "SELECT count(*) AS n FROM allocation_category(0) WHERE category = 'input'"
    expect(JSON.parse((await runCli(['query', lora, sql, '--format', 'json'], { cache })).out)).toEqual([{ n: 4 }])
    const named = join(scratch.path, 'all-input.json')
    writeFileSync(named, '{"rules":[{"id":"all","category":"input","confidence":1,"match":{}}]}')
    const env = { TIDEMARK_CATEGORIES: named }
    expect(JSON.parse((await runCli(['query', lora, sql, '--format', 'json'], { cache, env })).out)).toEqual([{ n: 2354 }])
  })

  test.skipIf(process.platform === 'win32')('a file that has no end is refused as no file', async () => {
    const { status, err } = await runCli(['info', lora], { cache, env: { TIDEMARK_CATEGORIES: '/dev/zero' } })
    expect(status).toBe(2)
    expect(err).toContain('This is not a file')
  })

  test.each(['info', 'query'])('%s ends with status 2 and one line where that file is missing', async (command) => {
    const words = command === 'info' ? ['info', lora] : ['query', lora, 'SELECT 1']
    const { status, out, err } = await runCli(words, { cache, env: { TIDEMARK_CATEGORIES: join(scratch.path, 'none.json') } })
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: categories\/broken_rules: .+none\.json.+: mend the file, or set TIDEMARK_CATEGORIES .+\n$/)
  })

  test('query says what allocation_category wants', async () => {
    const { status, err } = await runCli(['query', lora, 'SELECT * FROM allocation_category'], { cache })
    expect([status, err]).toEqual([1, expect.stringContaining('allocation_category needs (device), such as allocation_category(0)')])
  })
})
