// Whatever the file: a code from the closed list or data with findings; no crash, no hang, memory that follows the file.
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../preload/contract/errors.ts'
import { cutFiles, type Damaged, flippedFiles, opcodeFiles, randomFiles } from '../fixtures/damage.ts'
import { type Hostile, hostiles } from '../fixtures/hostile.ts'
import { runProgram, snapshotOf } from '../fixtures/programs.ts'
import { ordinary } from '../fixtures/variants.ts'
import { scratchFolder } from '../support/paths.ts'
import { ingestFiles, type Outcome } from './ingest-files.ts'

const scratch = scratchFolder('bad-input')
afterAll(() => scratch.remove())

/** Node, SQLite and the library take about 60 MiB; the largest files claim or inflate to far more than they may then use. */
const memoryLimitKib = 400 * 1024
const damageMemoryLimitKib = 160 * 1024

const knownCodes: readonly string[] = errorCodes

const describeOutcome = (outcome: Outcome) => `${outcome.name}: ${outcome.kind} ${outcome.code ?? ''} ${outcome.message ?? ''}`

/** What no file may cause. */
function unacceptable(outcomes: readonly Outcome[]): string[] {
  const bad = outcomes.filter(
    ({ kind, code }) => kind === 'crashed' || kind === 'hung' || (kind === 'refused' && !knownCodes.includes(code ?? '')),
  )
  return bad.map(describeOutcome)
}

/** Codes that say that our code is wrong, not the file. */
const faults = (outcomes: readonly Outcome[]) => outcomes.filter(({ code }) => code === 'engine/internal').map(describeOutcome)

const mostMemory = (outcomes: readonly Outcome[]) => Math.max(...outcomes.map(({ maxRssKib }) => maxRssKib ?? 0))

describe('hostile files', () => {
  const answers = new Map<string, Promise<Outcome[]>>()
  const answerTo = (hostile: Hostile) => {
    const known =
      answers.get(hostile.name) ?? ingestFiles(join(scratch.path, hostile.name), [{ name: hostile.name, bytes: hostile.bytes() }])
    answers.set(hostile.name, known)
    return known
  }

  test.each(hostiles.map((hostile) => [hostile.name, hostile] as const))('%s', async (_, hostile) => {
    const [outcome] = await answerTo(hostile)
    expect(unacceptable(outcome === undefined ? [] : [outcome])).toEqual([])
    const answer = outcome?.kind === 'loaded' ? 'loads' : outcome?.code
    expect(hostile.codes, outcome && describeOutcome(outcome)).toContain(answer)
    expect(outcome?.maxRssKib).toBeLessThan(memoryLimitKib)
  })

  test('a refused opcode is named, with what it refers to', async () => {
    const hostile = hostiles.find(({ name }) => name === 'stack_global_and_reduce') as Hostile
    const [outcome] = await answerTo(hostile)
    expect(outcome?.message).toMatch(/STACK_GLOBAL|REDUCE/)
    expect(outcome?.message).toMatch(/posix.*system/)
  })
})

const program = snapshotOf(
  runProgram({
    options: {},
    commands: Array.from({ length: 40 }, (_, step) =>
      step % 3 === 2
        ? { do: 'free' as const, which: step * 7, deferred: step % 2 === 0 }
        : { do: 'alloc' as const, bytes: (step + 1) * 30_000, stream: step % 2, site: step % 6 },
    ),
  }),
)

const damages: readonly (readonly [string, () => Damaged[]])[] = [
  ['cut at many offsets', () => [...cutFiles(ordinary(), 150), ...cutFiles(program, 100)]],
  ['with flipped bits', () => [...flippedFiles(ordinary(), 150, 1), ...flippedFiles(program, 150, 2)]],
  ['of random bytes', () => randomFiles(400, 3)],
  ['of random opcodes', () => opcodeFiles(600, 4)],
]

test.each(damages)('files %s', async (what, files) => {
  const outcomes = await ingestFiles(join(scratch.path, what), files())
  expect(unacceptable(outcomes)).toEqual([])
  expect(faults(outcomes)).toEqual([])
  expect(mostMemory(outcomes)).toBeLessThan(damageMemoryLimitKib)
})

test('a file cut in its history still gives its segments or its first events', async () => {
  const outcomes = await ingestFiles(join(scratch.path, 'kept'), cutFiles(program, 60))
  const loaded = outcomes.filter(({ kind }) => kind === 'loaded')
  expect(loaded.length).toBeGreaterThan(outcomes.length / 2)
  for (const outcome of loaded) expect(outcome.findings, outcome.name).toContain('snapshot/truncated')
})
