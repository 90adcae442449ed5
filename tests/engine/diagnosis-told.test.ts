// Verdicts over failures that are only told, by a text and metrics; prints each.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type DiagnosedCase, diagnoseGroup } from '../../main/engine/diagnosis/cases.ts'
import { pairing } from '../../main/engine/diagnosis/pairing.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { scratchFolder } from '../support/paths.ts'
import { capturesIn, quietly } from './engine-client.ts'
import { heldOutGrowth } from './held-out-growth.ts'
import { HeldOutRun, MiB } from './held-out-run.ts'
import { own } from './held-out-stacks.ts'
import { toldRuns as first, type ToldRun } from './held-out-texts.ts'
import { resembling } from './held-out-texts-second.ts'

const toldRuns = [...first, ...resembling]

const scratch = scratchFolder('diagnosis-told')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(async () => {
  await captures.closeAll()
  scratch.remove()
})

let folders = 0

/** Diagnoses files of these contents, all of one folder. */
async function casesOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly DiagnosedCase[]> {
  folders += 1
  const folder = join(scratch.path, `folder-${folders}`)
  mkdirSync(folder)
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  })
  const of = (ending: RegExp): string[] => paths.filter((path) => ending.test(path))
  const group = { folder, snapshots: of(/\.pickle$/), metrics: of(/\.jsonl$/), logs: of(/\.(?:txt|log|json)$/) }
  return (await diagnoseGroup(captures, group, quietly)).cases
}

const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const nameOf = ({ file }: DiagnosedCase): string => file.split('/').at(-1) ?? ''

async function judge({ log, metrics }: ToldRun): Promise<DiagnosedCase> {
  const cases = await casesOf({
    ...(log === null ? {} : { 'error.txt': log }),
    ...(metrics.length === 0 ? {} : { 'metrics.jsonl': linesOf(metrics) }),
  })
  const [only] = cases
  if (cases.length !== 1 || !only) throw new Error(`${cases.length} cases`)
  return only
}

describe('failures that are only told', () => {
  test.each(toldRuns)('$name: the facts are read, and the verdict is right or uncertain', async (run) => {
    const { log, diagnosis } = await judge(run)
    for (const [fact, bytes] of Object.entries(run.facts)) {
      const amount = log?.[fact as 'requested']
      expect(Math.abs((amount?.bytes ?? Number.NaN) - bytes), fact).toBeLessThanOrEqual((amount?.precision ?? 0) + 1)
    }
    const { label, isUncertain } = diagnosis.verdict
    if (!run.accepts.includes(label)) expect([label, isUncertain]).toEqual([expect.anything(), true])
    if (run.log === null) expect(label).toBe('healthy')
  })

  test('most of the first verdicts are right', async () => {
    const lines: string[] = []
    for (const run of toldRuns) {
      const { label, isUncertain } = (await judge(run)).diagnosis.verdict
      lines.push(`${run.accepts.includes(label) ? 'right' : 'open '}  ${label}${isUncertain ? ' ?' : ''}  ${run.name}`)
    }
    console.log(lines.join('\n'))
    expect(lines.filter((line) => line.startsWith('right')).length).toBeGreaterThanOrEqual(28)
  })
})

const text = (mib: number, allocated: string): string =>
  `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${mib}.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which 9.62 MiB is free. Including non-PyTorch memory, this process has 15.70 GiB memory in use. Of the allocated memory ${allocated} GiB is allocated by PyTorch, and 88.00 MiB is reserved by PyTorch but unallocated.`
const steps = (count: number): string => linesOf(Array.from({ length: count }, (_, step) => ({ step, allocated: 1e9 })))

describe('which files are of one run', () => {
  test('runs whose files lie in one folder are told apart by their names', async () => {
    const cases = await casesOf({
      'a.error.txt': text(20, '15.10'),
      'b.error.txt': text(40, '15.20'),
      'a.metrics.jsonl': steps(5),
      'b.metrics.jsonl': steps(9),
    })
    expect(cases.map((one) => [nameOf(one), one.metrics?.steps])).toEqual([
      ['a.error.txt', 5],
      ['b.error.txt', 9],
    ])
  })

  test('a failure that several files tell of is one', async () => {
    const cases = await casesOf({
      'error.txt': text(20, '15.10'),
      'train.log': `Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n[rank0]: ${text(20, '15.10')}\n`,
      'truth.json': JSON.stringify({ error: text(20, '15.10') }),
    })
    expect(cases.map(nameOf)).toEqual(['error.txt'])
  })

  test('two ranks that fail alike are two', async () => {
    const cases = await casesOf({ 'train.log': `[rank0]: ${text(20, '15.10')}\n[rank1]: ${text(20, '15.10')}\n` })
    expect(cases.map(nameOf)).toEqual(['train.log:1', 'train.log:2'])
  })

  test('the text of a failure that the snapshot shows to have been caught makes no failure of the run', async () => {
    const caught = heldOutGrowth['a batch size that was too large is caught and halved']?.snapshot() ?? null
    const files = { 'snapshot.pickle': writePickle(caught, { protocol: 4 }) }
    const alone = await casesOf({ ...files, 'train.log': text(32, '1.10') })
    expect(alone.map((one) => [nameOf(one), one.diagnosis.verdict.label])).toEqual([['snapshot.pickle', 'healthy']])
    const other = await casesOf({ ...files, 'train.log': `${text(32, '1.10')}\n\n${text(700, '1.20')}` })
    expect(other.map(({ diagnosis }) => diagnosis.situation.isFailure)).toEqual([true])
  })
})

test('half of a cap asked for at once is fragmentation where so much lay free in pieces', async () => {
  const run = new HeldOutRun()
  // Two share a segment of 20 MiB; one of each pair stays.
  const made = Array.from({ length: 80 }, () => run.make(9.5 * MiB, [own('crop', 'main.py', 9)]))
  run.free(made.filter((_, at) => at % 2 === 0))
  const value = run.fail(420 * MiB, [own('crop', 'main.py', 9)]).snapshot()
  const [only] = await casesOf({
    'snapshot.pickle': writePickle(value, { protocol: 4 }),
    'error.txt':
      'CUDA out of memory. Tried to allocate 420.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 60.00 GiB is free. 860.00 MiB allowed; Of the allocated memory 420.00 MiB is allocated by PyTorch, and 380.00 MiB is reserved by PyTorch but unallocated.',
  })
  expect(only?.diagnosis.situation).toMatchObject({ reason: 'no_contiguous_block', limitBytes: 860 * MiB })
  expect(only?.diagnosis.verdict.label).toBe('fragmentation')
})

test('a folder of ten thousands of logs and metrics is paired in one pass', () => {
  const files = Array.from({ length: 30_000 }, (_, at) => `/logs/job_${at}.error.txt`)
  const metrics = files.map((file) => ({ file: file.replace('error.txt', 'metrics.jsonl') }))
  const started = performance.now()
  const pairedWith = pairing(metrics, files)
  expect(files.every((file, at) => pairedWith(file).own[0] === metrics[at])).toBe(true)
  expect(performance.now() - started).toBeLessThan(10_000)
})
