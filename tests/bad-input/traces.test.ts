// Whatever the trace: a code from the closed list or data with findings; no crash, no hang, memory that follows the file.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../preload/contract/errors.ts'
import { cut, type Damaged, flipped } from '../fixtures/damage.ts'
import type { Hostile } from '../fixtures/hostile.ts'
import { hostileTraces } from '../fixtures/traces/hostile.ts'
import { traceFixtures } from '../fixtures/traces/index.ts'
import { appendix } from '../fixtures/traces/memory.ts'
import { randomTraces, traceText } from '../fixtures/traces/random-traces.ts'
import { scratchFolder } from '../support/paths.ts'
import { ingestFiles, type Outcome } from './ingest-files.ts'

const scratch = scratchFolder('bad-traces')
afterAll(() => scratch.remove())

/** Node, SQLite and the library take about 60 MiB; one event may take 64 MiB, and the largest files hold 200,000 events or 70 MiB. */
const memoryLimitKib = 420 * 1024
const damageMemoryLimitKib = 200 * 1024

const knownCodes: readonly string[] = errorCodes
const describeOutcome = (outcome: Outcome) => `${outcome.name}: ${outcome.kind} ${outcome.code ?? ''} ${outcome.message ?? ''}`

/** Codes that say that our code is wrong, not the file. */
const isFault = (code: string) => !knownCodes.includes(code) || code === 'engine/internal' || code.startsWith('query/')

function unacceptable(outcomes: readonly Outcome[]): string[] {
  const bad = outcomes.filter(({ kind, code }) => kind === 'crashed' || kind === 'hung' || (kind === 'refused' && isFault(code ?? '')))
  return bad.map(describeOutcome).slice(0, 10)
}

describe('hostile traces', () => {
  test.each(hostileTraces.map((hostile) => [hostile.name, hostile] as const))('%s', async (name, hostile: Hostile) => {
    const [outcome] = await ingestFiles(join(scratch.path, name), [{ name, bytes: hostile.bytes() }], 'ingest_trace')
    expect(unacceptable(outcome === undefined ? [] : [outcome])).toEqual([])
    expect(hostile.codes, outcome && describeOutcome(outcome)).toContain(outcome?.kind === 'loaded' ? 'loads' : outcome?.code)
    expect(outcome?.maxRssKib).toBeLessThan(memoryLimitKib)
  })
})

const [random] = fc.sample(randomTraces, { seed: 11, numRuns: 1 })
const randomText = Buffer.from(random === undefined ? '' : traceText(random))

const subjects: readonly Damaged[] = [
  { name: 'the example', bytes: appendix.bytes() },
  { name: 'the example, packed', bytes: gzipSync(appendix.bytes()) },
  { name: 'a random trace', bytes: randomText },
]

const damages: readonly (readonly [string, () => Damaged[]])[] = [
  ['cut at many offsets', () => cut(subjects, 200)],
  ['with flipped bits', () => flipped(subjects, 200, 21)],
  [
    'of every variant, cut and flipped',
    () =>
      traceFixtures.flatMap(({ name, bytes }) => {
        const files = [{ name, bytes: bytes() }]
        return [...cut(files, 4), ...flipped(files, 4, 22)]
      }),
  ],
]

test.each(damages)('traces %s', async (what, files) => {
  const outcomes = await ingestFiles(join(scratch.path, what), files(), 'ingest_trace')
  expect(unacceptable(outcomes)).toEqual([])
  expect(Math.max(...outcomes.map(({ maxRssKib }) => maxRssKib ?? 0))).toBeLessThan(damageMemoryLimitKib)
})

test('a trace cut anywhere keeps every event before the cut', async () => {
  const text = appendix.bytes().subarray(0, -1) // without its last line's end the document is still whole
  const complete = (end: number) =>
    text
      .toString('latin1', 0, end)
      .split('\n')
      .filter((line) => /^\{"ph":"X".*\},$/.test(line)).length
  const files = cut([{ name: 'the example', bytes: text }], 80)
  const outcomes = await ingestFiles(join(scratch.path, 'kept'), files, 'ingest_trace')
  const slices = outcomes.map(({ slices: found }) => found ?? 0)
  const least = files.map(({ bytes }) => complete(bytes.length))
  const lost = outcomes.filter((_, index) => (slices[index] ?? 0) < (least[index] ?? 0))
  expect(lost.map(describeOutcome).slice(0, 10)).toEqual([])
  const loaded = outcomes.filter(({ kind }) => kind === 'loaded')
  expect(loaded.length).toBeGreaterThan(outcomes.length / 2)
  for (const outcome of loaded) expect(outcome.findings, outcome.name).toContain('trace/truncated')
})
