// Many failures at once: folders, logs, metrics and pasted text as one table, its patterns, and the page of each row.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DiagnosedCase, diagnoseGroup } from '../../main/engine/diagnosis/cases.ts'
import { tableOf } from '../../main/engine/diagnosis/failure-rows.ts'
import { patternsOf } from '../../main/engine/diagnosis/patterns.ts'
import type { Failures } from '../../preload/contract/queries.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { failures as programs } from './diagnosis-programs.ts'
import { capturesIn, codeOf, EngineClient, quietly } from './engine-client.ts'

const scratch = scratchFolder('failures')
const runs = join(scratch.path, 'runs')
const captures = capturesIn(join(scratch.path, 'cache'))
const files = {
  runs,
  log: join(runs, 'three', 'train.log'),
  empty: join(scratch.path, 'empty'),
  readme: join(scratch.path, 'readme.txt'),
  broken: join(scratch.path, 'broken.pickle'),
  gone: join(scratch.path, 'gone'),
  out: join(scratch.path, 'twice', 'train.out'),
  err: join(scratch.path, 'twice', 'train.err'),
  lost: join(scratch.path, 'lost'),
}
const client = new EngineClient(captures, files)

const message = (mib: number, rank = 0): string =>
  `[rank${rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${mib}.00 MiB. GPU ${rank} has a total capacity of 16.00 GiB of which 1.00 MiB is free. ` +
  'Of the allocated memory 9.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but unallocated.'

const traced = (mib: number, line: number): string =>
  ['Traceback (most recent call last):', `  File "/project/train.py", line ${line}, in step`, message(mib).replace('[rank0]: ', '')].join(
    '\n',
  )

beforeAll(() => {
  for (const name of ['one', 'three', 'leak']) mkdirSync(join(runs, name), { recursive: true })
  for (const folder of [files.empty, files.lost, join(scratch.path, 'twice')]) mkdirSync(folder)
  for (const log of [files.out, files.err]) writeFileSync(log, message(55))
  writeFileSync(join(files.lost, 'train.log'), message(56))
  writeFileSync(join(files.lost, 'metrics.jsonl'), '{"step": 0, "allocated": 5}\n')
  copyFileSync(samplePath('oom'), join(runs, 'one', 'snapshot.pickle'))
  writeFileSync(join(runs, 'one', 'metrics.jsonl'), '{"step": 0, "allocated": 5}\n{"step": 1, "allocated": 7}\n')
  writeFileSync(files.log, [traced(101, 12), traced(102, 12), traced(103, 99)].join('\nnothing\n'))
  const leak = programs['one tensor a step is remembered']
  writeFileSync(join(runs, 'leak', 'snapshot.pickle'), writePickle(leak?.snapshot() ?? null, { protocol: 4 }))
  writeFileSync(files.readme, 'Nothing failed here.\n')
  writeFileSync(files.broken, '\x80\x04cos\nsystem\nX\x04\x00\x00\x00true\x85R.', 'latin1')
})
afterAll(async () => {
  await client.close()
  scratch.remove()
})

const open = (tokens: string[], text: string | null = null): Promise<Failures> => client.value('failures.open', { tokens, text })
const failureOf = async (tokens: string[], text: string | null = null): Promise<string> =>
  codeOf(await client.ask('failures.open', { tokens, text }).answer)

describe('a pasted text', () => {
  test('of more failures than are kept says how many are left out', async () => {
    const { unreadable } = await open([], Array.from({ length: 10_003 }, (_, at) => message(at + 1)).join('\n'))
    expect(unreadable).toEqual([
      { name: 'text', failure: { code: 'file/too_much', message: 'It tells of too many failures: 3 are left out.' } },
    ])
  })
})

describe('a folder of failures', () => {
  test('is a table of its snapshots, logs and metrics, with patterns whose shares are of the failures', async () => {
    const { rows, total, patterns, unreadable } = await open(['runs'])
    expect([total, unreadable]).toEqual([5, []])
    expect(rows.map(({ name, label, reason, requestedBytes }) => [name, label, reason, requestedBytes])).toEqual([
      [join('leak', 'snapshot.pickle'), 'steady_leak', expect.any(String), 24 * 2 ** 20],
      [join('one', 'snapshot.pickle'), 'fragmentation', 'no_contiguous_block', 400 * 2 ** 20],
      ...[101, 102, 103].map((mib, at) => [
        `${join('three', 'train.log')}:${3 + 4 * at}`,
        'fragmentation',
        'no_contiguous_block',
        mib * 2 ** 20,
      ]),
    ])
    expect(patterns[0]).toEqual({
      label: 'fragmentation',
      reason: 'no_contiguous_block',
      place: 'step (train.py:12)',
      count: 2,
      share: 0.4,
    })
    expect(patterns.map(({ count }) => count)).toEqual([2, 1, 1, 1])
    expect(rows.map(({ pattern }) => pattern === 0)).toEqual([false, false, true, true, false])
  })

  test('opens the page of each row, with the numbers of its own capture', async () => {
    const { failuresId, rows } = await open(['runs'])
    const pages = await Promise.all(rows.map(({ index }) => client.value('failures.case', { failuresId, index })))
    expect(pages.map(({ verdict }) => verdict.label)).toEqual(rows.map(({ label }) => label))
    expect(pages[1]?.held?.categories).toEqual([expect.objectContaining({ bytes: 250085376, count: 159 })])
    expect(pages[1]?.metrics).toMatchObject({ name: 'metrics.jsonl', steps: 2 })
    expect(pages[3]).toMatchObject({ name: 'train.log:7', event: null, held: null, errorText: { name: 'train.log', line: 7 } })
    expect(pages[3]?.errorText?.text).toContain('102.00 MiB')
    // A text alone cannot tell what only the state of the allocator shows.
    expect(pages[3]?.situation.facts.map(({ code, holds }) => [code, holds])).toEqual([
      ['exhausted', false],
      ['no_contiguous_block', true],
      ['segment_refused', false],
      ['outside_pytorch', false],
      ['pending_frees', null],
      ['other_stream', null],
      ['other_pool', null],
      ['cap_below_device', false],
      ['retried', null],
      ['history_too_short', null],
    ])
    for (const { place } of pages[3]?.candidates.flatMap(({ evidence }) => evidence) ?? []) expect(place).toBeNull()
  })

  test('gives tokens by which its snapshots open, and its logs and metrics are read', async () => {
    const { rows } = await open(['runs'])
    const [, one, log] = rows
    const summary = await client.open(one?.captureToken ?? '')
    expect(summary.sourceName).toBe('snapshot.pickle')
    const page = await client.value('diagnosis.capture', { captureId: summary.captureId, sources: one?.sourceTokens ?? [] })
    expect(page.metrics?.steps).toBe(2)
    expect([log?.captureToken, log?.sourceTokens.length]).toEqual([null, 1])
    expect((await open(log?.sourceTokens ?? [])).total).toBe(3)
  })

  test('sends progress with the id of the question, and stops when that is cancelled', async () => {
    const call = client.ask('failures.open', { tokens: ['runs'], text: null })
    client.cancel(call.id)
    expect(codeOf(await call.answer)).toBe('query/cancelled')
    const next = client.ask('failures.open', { tokens: ['runs'], text: null })
    await next.answer
    expect(client.progress.filter(({ requestId }) => requestId === next.id)).toContainEqual(expect.objectContaining({ total: 3, done: 2 }))
  })
})

describe('what was pasted', () => {
  test('is a failure by itself, and goes with the only run beside it', async () => {
    const alone = await open([], message(77))
    expect(alone.rows).toEqual([
      expect.objectContaining({ label: 'fragmentation', captureToken: null, sourceTokens: [], requestedBytes: 77 * 2 ** 20 }),
    ])
    const page = await client.value('failures.case', { failuresId: alone.failuresId, index: 0 })
    expect(page.errorText?.text).toContain('77.00 MiB')
    const beside = await open(['runs'], message(400))
    expect(beside.total).toBe(6)
  })
})

describe('what is of no use', () => {
  test('is said, with what was looked for', async () => {
    expect(await failureOf(['empty'])).toBe('file/unknown_format')
    expect(await failureOf(['readme'])).toBe('file/unknown_format')
    expect(await failureOf([], 'all went well')).toBe('file/unknown_format')
    const answer = await client.ask('failures.open', { tokens: ['empty'], text: null }).answer
    expect(answer.ok ? '' : answer.error.message).toMatch(/memory snapshots.*logs.*metrics/)
  })

  test('one file alone says what is wrong with it, among others it is listed and they are read', async () => {
    expect(await failureOf(['broken'])).toBe('snapshot/forbidden_opcode')
    expect(await failureOf(['never'])).toBe('file/not_found')
    const { total, unreadable } = await open(['log', 'broken', 'gone', 'readme'])
    expect(total).toBe(3)
    expect(unreadable.map(({ name, failure }) => [name.split(/[/\\]/).at(-1), failure.code]).sort()).toEqual([
      ['broken.pickle', 'snapshot/forbidden_opcode'],
      ['gone', 'file/not_found'],
      ['readme.txt', 'file/unknown_format'],
    ])
  })

  test('a log that tells of the same failure as another one is not said to tell of none', async () => {
    const { total, unreadable } = await open(['out', 'err'])
    expect([total, unreadable]).toEqual([1, []])
  })

  test('metrics that are gone cost their curves, not the page, and that is said', async () => {
    const { failuresId } = await open(['lost'])
    rmSync(join(files.lost, 'metrics.jsonl'))
    const page = await client.value('failures.case', { failuresId, index: 0 })
    expect([page.metrics, page.steps]).toEqual([null, 1])
    expect(page.needs.map(({ en }) => en)).toContainEqual(expect.stringContaining('metrics.jsonl'))
  })

  test('a row that is not there, and a table that was closed, are bad arguments', async () => {
    const { failuresId } = await open(['log'])
    const ask = (index: number) => client.ask('failures.case', { failuresId, index }).answer
    expect(codeOf(await ask(3))).toBe('query/bad_argument')
    await client.value('failures.close', { failuresId })
    expect(codeOf(await ask(0))).toBe('query/bad_argument')
  })
})

test('a table answers for its rows until it is closed, however many others are open', async () => {
  const first = await open([], message(60))
  const others = await Promise.all(Array.from({ length: 40 }, (_, at) => open([], message(61 + at))))
  const page = await client.value('failures.case', { failuresId: first.failuresId, index: 0 })
  expect(page.errorText?.text).toContain('60.00 MiB')
  for (const { failuresId } of [first, ...others]) await client.value('failures.close', { failuresId })
})

describe('the table of very many failures', () => {
  test('counts all the files that cannot be read, and lists the first hundred', () => {
    const unreadable = Array.from({ length: 374 }, (_, at) => ({
      file: `/runs/${at}.pickle`,
      error: { code: 'file/not_found', message: 'It is not there.' } as const,
    }))
    const table = tableOf({ cases: [], total: 0, unreadable, tokenOf: (path) => path })
    expect([table.unreadable.length, table.unreadableTotal]).toEqual([100, 374])
  })

  test('stays below a megabyte, and says how many there are in all', async () => {
    const text = Array.from({ length: 9000 }, (_, at) => traced(100 + at, at)).join('\n')
    const answer = await open([], text)
    expect(answer.total).toBe(9000)
    expect(answer.rows.length).toBeGreaterThan(1000)
    expect(answer.rows.length).toBeLessThanOrEqual(5000)
    expect(JSON.stringify(answer).length).toBeLessThan(1_000_000)
  })

  test('tells files of unlike folders apart, also where no folder is common to them, and has no folder for a text', async () => {
    const { cases } = await diagnoseGroup(captures, { folder: '', snapshots: [], metrics: [], logs: [files.log] }, quietly)
    const [one] = cases
    if (!one) throw new Error('no failure')
    const namesOf = (paths: readonly string[]) =>
      tableOf({ cases: paths.map((file) => ({ ...one, file })), total: paths.length, unreadable: [], tokenOf: (path) => path }).rows.map(
        ({ name }) => name,
      )
    const [here, there] = [resolve('/a', 'run', 'train.log'), resolve('/b', 'run', 'train.log')]
    expect(namesOf([here, there, 'text'])).toEqual([join('a', 'run', 'train.log'), join('b', 'run', 'train.log'), 'text'])
    expect(namesOf([here, here])).toEqual(['train.log', 'train.log'])
    expect(namesOf([here, resolve('/a', 'train.log')])).toEqual([join('run', 'train.log'), 'train.log'])
  })

  test('has no pattern for what did not fail', async () => {
    const group = { folder: runs, snapshots: [samplePath('ft_lora'), join(runs, 'leak', 'snapshot.pickle')], metrics: [], logs: [] }
    const { cases } = await diagnoseGroup(captures, group, quietly)
    const { patterns, patternOf } = patternsOf(cases)
    expect(patterns).toEqual([expect.objectContaining({ label: 'steady_leak', count: 1, share: 1 })])
    expect(patternOf).toEqual([null, 0])
    const rows = tableOf({ cases: cases as DiagnosedCase[], total: 2, unreadable: [], tokenOf: (path) => path }).rows
    expect(rows.map(({ isFailure, pattern }) => [isFailure, pattern])).toEqual([
      [false, null],
      [true, 0],
    ])
  })
})
