// Whatever the profile: a code from the closed list or data with findings; no crash, no hang, memory that follows the file.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../preload/contract/errors.ts'
import { cut, type Damaged, flipped } from '../fixtures/damage.ts'
import { heapProfile, profileFixtures, speedscope } from '../fixtures/profiles.ts'
import { scratchFolder } from '../support/paths.ts'
import { ingestFiles, type Outcome } from './ingest-files.ts'

const scratch = scratchFolder('bad-profiles')
afterAll(() => scratch.remove())

/** Node, SQLite and the library take about 60 MiB; the largest files have a few million parts. */
const memoryLimitKib = 700 * 1024
const damageMemoryLimitKib = 200 * 1024

const knownCodes: readonly string[] = errorCodes
const isFault = (code: string) => !knownCodes.includes(code) || code === 'engine/internal' || code.startsWith('query/')

const unacceptable = (outcomes: readonly Outcome[]): string[] =>
  outcomes
    .filter(({ kind, code }) => kind === 'crashed' || kind === 'hung' || (kind === 'refused' && isFault(code ?? '')))
    .map(({ name, kind, code, message }) => `${name}: ${kind} ${code ?? ''} ${message ?? ''}`)

const opened = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'O', frame: at % 2, at }))
const evented = (events: unknown) => JSON.stringify({ ...speedscope, profiles: [{ type: 'evented', name: '', unit: 'none', events }] })
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))])
const typeOnly = [0x0a, 0x04, 0x08, 0x01, 0x10, 0x02]

const hostile: readonly Damaged[] = [
  { name: 'a bracket a byte', bytes: Buffer.from(`{"name":"a","value":1,"children":${'['.repeat(3_000_000)}`) },
  { name: 'a tree of one chain that is never closed', bytes: Buffer.from('{"name":"a","value":1,"children":['.repeat(500_000)) },
  { name: 'frames that are opened and never closed', bytes: Buffer.from(evented(opened(100_000))) },
  {
    name: 'frames that are closed and were never opened',
    bytes: Buffer.from(evented([...opened(3000), ...opened(50_000).map(({ at }) => ({ type: 'C', frame: 5, at: 3000 + at }))])),
  },
  { name: 'a line of a million frames', bytes: Buffer.from(`${'a;'.repeat(1_000_000)}b 1\na;b 1\n`) },
  { name: 'a line without an end', bytes: Buffer.from(`a;b 1\na;c 2\n${'x'.repeat(20_000_000)}`) },
  { name: 'a length beyond the file', bytes: Buffer.from([...typeOnly, 0x12, ...varint(2 ** 40), 1, 2, 3]) },
  { name: 'a length of 64 bits', bytes: Buffer.from([...typeOnly, 0x12, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 7]) },
  { name: 'a number that does not end', bytes: Buffer.from([...typeOnly, 0x48, ...Array.from({ length: 20 }, () => 255)]) },
  { name: 'a million sample types', bytes: Buffer.from(Array.from({ length: 1_000_000 }, () => typeOnly).flat()) },
  {
    name: 'a hundred megabytes of nothing, packed',
    bytes: gzipSync(Buffer.concat([Buffer.from('a;b 1\n'), Buffer.alloc(100_000_000, 10)])),
  },
  { name: 'values beyond every number', bytes: Buffer.from('a;b 1e999\na;c 1e300\na;d 1e29\na;d -1e29\na;e 5\n') },
]

describe('hostile profiles', () => {
  test.each(hostile)('$name', async ({ name, bytes }) => {
    const outcomes = await ingestFiles(join(scratch.path, name), [{ name, bytes }], 'ingest_profile')
    expect(unacceptable(outcomes)).toEqual([])
    expect(outcomes[0]?.maxRssKib).toBeLessThan(memoryLimitKib)
  })
})

describe('damaged profiles', () => {
  const subjects = async () => [...profileFixtures(), { name: 'heapprofile', bytes: Buffer.from((await heapProfile()).slice(0, 20_000)) }]
  const damages: readonly (readonly [string, (files: readonly Damaged[]) => Damaged[]])[] = [
    ['cut at many offsets', (files) => cut(files, 80)],
    ['with flipped bits', (files) => flipped(files, 80, 31)],
  ]
  test.each(damages)('%s', async (name, damage) => {
    const files = damage(await subjects())
    const outcomes = await ingestFiles(join(scratch.path, name), files, 'ingest_profile')
    expect(outcomes.length).toBe(files.length)
    expect(unacceptable(outcomes)).toEqual([])
    expect(outcomes.filter(({ kind }) => kind === 'loaded').length).toBeGreaterThan(files.length / 4)
    expect(Math.max(...outcomes.map(({ maxRssKib = 0 }) => maxRssKib))).toBeLessThan(damageMemoryLimitKib)
  })
})
