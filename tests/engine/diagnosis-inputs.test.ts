// Which files of a diagnosis belong together.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { diagnoseGroup } from '../../main/engine/diagnosis/cases.ts'
import { FailureSets } from '../../main/engine/diagnosis/failure-sets.ts'
import { type CaseFailure, groupsOf, type InputKind, readableGroups } from '../../main/engine/diagnosis/inputs.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, quietly } from './engine-client.ts'

const scratch = scratchFolder('diagnosis-inputs')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(() => scratch.remove())

test('files of ten thousands of folders are grouped in one pass', () => {
  const kinds: readonly InputKind[] = ['snapshot', 'log', 'metrics']
  // What grows with the square of the folders would not end in the time that a test has.
  const found = new Map(Array.from({ length: 90_000 }, (_, at) => [`/runs/${at % 30_000}/${at}`, kinds[Math.floor(at / 30_000)] ?? 'log']))
  const groups = groupsOf(found)
  expect(groups).toHaveLength(30_000)
  expect(groups[7]).toEqual({ folder: '/runs/7', snapshots: ['/runs/7/7'], logs: ['/runs/7/30007'], metrics: ['/runs/7/60007'] })
})

test('a folder of many files lets others have their turn, and is left at the signal', async () => {
  const folder = join(scratch.path, 'many')
  mkdirSync(folder)
  for (let at = 0; at < 2000; at += 1) writeFileSync(join(folder, `${at}.json`), '{}')
  const stop = new AbortController()
  const looked: string[] = []
  const sniff = (path: string) => looked.push(path) && captures.library.sniff(path)
  const library: unknown = Object.create(captures.library, { sniff: { value: sniff } })
  const counting: typeof captures = Object.create(captures, { library: { value: library } })
  const opened = new FailureSets(counting).open([folder], null, { ...quietly, signal: stop.signal })
  const wait = setInterval(() => looked.length > 0 && stop.abort(), 0)
  expect(codeOf(await opened)).toBe('query/cancelled')
  clearInterval(wait)
  expect(looked.length).toBeLessThan(2000)
})

test('a folder that cannot be read is said, and the others are read', async () => {
  const folder = join(scratch.path, 'lost')
  const inner = join(folder, 'later')
  mkdirSync(inner, { recursive: true })
  writeFileSync(join(folder, 'first.json'), 'CUDA out of memory. Tried to allocate 1.00 MiB.')
  // It goes while the file before it is looked at: rights would not stop a test that runs as root.
  const sniff = (path: string) => {
    rmSync(inner, { recursive: true, force: true })
    return captures.library.sniff(path)
  }
  const library: typeof captures.library = Object.create(captures.library, { sniff: { value: sniff } })
  const unreadable: CaseFailure[] = []
  const groups = await readableGroups(library, [folder], { unreadable, signal: quietly.signal })
  expect(groups.ok && groups.value.flatMap(({ logs }) => logs)).toEqual([join(folder, 'first.json')])
  expect(unreadable.map(({ file, error }) => [file, error.code])).toEqual([[inner, 'file/not_found']])
})

test('what lies too deep in a folder, or beyond enough files, is left out and said', async () => {
  const folder = join(scratch.path, 'huge')
  for (const inner of ['a/b/c', 'a/b/d', 'z']) {
    mkdirSync(join(folder, inner), { recursive: true })
    writeFileSync(join(folder, inner, 'metrics.jsonl'), '')
  }
  writeFileSync(join(folder, 'a', 'metrics.jsonl'), '')
  const search = async (limits: { depth: number; files: number }) => {
    const unreadable: CaseFailure[] = []
    const groups = await readableGroups(captures.library, [folder], { unreadable, signal: quietly.signal, limits })
    const found = groups.ok ? groups.value.flatMap(({ metrics }) => metrics) : []
    return { found: found.length, said: unreadable.map(({ file, error: { code, message } }) => [relative(folder, file), code, message]) }
  }
  expect(await search({ depth: 3, files: 5 })).toEqual({ found: 4, said: [] })
  expect(await search({ depth: 2, files: 5 })).toEqual({
    found: 2,
    said: [['a/b/c', 'file/too_much', 'It lies more than 2 folders deep and is left out, like 1 more.']],
  })
  expect(await search({ depth: 3, files: 2 })).toEqual({
    found: 2,
    said: [['a', 'file/too_much', 'The search ended here, after 2 files of use.']],
  })
})

test('logs and metrics are not even opened after the signal', async () => {
  const files = Array.from({ length: 100 }, (_, at) => join(scratch.path, `${at}`))
  const aborted = { ...quietly, signal: AbortSignal.abort() }
  const { unreadable } = await diagnoseGroup(captures, { folder: scratch.path, snapshots: [], metrics: files, logs: files }, aborted)
  expect(unreadable, 'files that are not there').toEqual([])
})

test('the failures of a folder are bounded, and what is left out is said', async () => {
  const message = (mib: number) => `CUDA out of memory. Tried to allocate ${mib}.00 MiB.\n\n`
  const logs = ['a.log', 'b.log', 'c.log'].map((name) => join(scratch.path, name))
  for (const [at, log] of logs.entries()) writeFileSync(log, [1, 2, 3].map((mib) => message(10 * at + mib)).join(''))
  const { cases, unreadable } = await diagnoseGroup(captures, { folder: scratch.path, snapshots: [], metrics: [], logs }, quietly, [], 5)
  expect(cases).toHaveLength(5)
  expect(unreadable.map(({ file, error }) => [file, error.message.match(/\d+/)?.[0]])).toEqual([
    [logs[1], '1'],
    [logs[2], '3'],
  ])
})

test.each([0, -5, 2 ** 40, 2n ** 63n - 1n])('a snapshot whose failed request is of %s bytes is diagnosed', async (size) => {
  const failed = { action: 'oom', addr: 0, size, device_free: 0, stream: 0, time_us: 1, frames: [] }
  const path = join(scratch.path, `${size}.pickle`)
  writeFileSync(path, writePickle({ segments: [], device_traces: [[failed]], allocator_settings: {} }, { protocol: 4 }))
  const { cases, unreadable } = await diagnoseGroup(captures, { folder: scratch.path, snapshots: [path], metrics: [], logs: [] }, quietly)
  expect(unreadable).toEqual([])
  expect(cases[0]?.diagnosis.situation.isFailure).toBe(true)
})
