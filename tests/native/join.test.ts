// Allocations that two captures of one run both recorded: random runs against a slow reference and against what is known to be the same,
// hostile keys, and real pairs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { f64, readBatch } from '../support/batch.ts'
import { corpusFile } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, traceSamplePath } from '../support/paths.ts'
import { randomIntegers } from '../support/random.ts'
import { pairFiles } from './join-pairs.ts'
import { indexesOf, type JoinedRun, type Recorded, randomRun, referenceCount } from './join-reference.ts'

const everything = [-(2 ** 60), 2 ** 60] as const

interface Joined {
  readonly pairs: readonly (readonly [number, number])[]
  readonly events: readonly (readonly [number, number])[]
  readonly meta: Readonly<Record<string, number | null>>
}

async function join(own: IndexFile, other: IndexFile, offsetNs: number, device = 0, otherDevice = device): Promise<Joined> {
  const [keys] = await other.column('SELECT allocation_keys(?, ?, ?)', [otherDevice, ...everything])
  return match(own, keys, offsetNs, device)
}

async function match(own: IndexFile, keys: unknown, offsetNs: number, device = 0): Promise<Joined> {
  const [blob] = await own.column('SELECT match_allocations(?, ?, ?)', [device, keys as Uint8Array, offsetNs])
  const batch = readBatch(blob)
  const both = (own: string, other: string) =>
    [...f64(batch, own)].map((value, at) => [value, f64(batch, other)[at] ?? Number.NaN] as const)
  return {
    pairs: both('own_allocation', 'other_allocation'),
    events: both('own_event', 'other_event'),
    meta: JSON.parse(String(batch.get('meta'))) as Joined['meta'],
  }
}

const allocations = (index: IndexFile, device = 0) =>
  index.all(
    `SELECT allocation_id, address, size_bytes, requested_bytes, alloc_time_ns, alloc_event FROM allocation
     WHERE device = ? AND alloc_event IS NOT NULL AND alloc_time_ns IS NOT NULL ORDER BY allocation_id`,
    [device],
  )

/** Time of the first event by wall clock, in microseconds. */
const startOf = async (index: IndexFile) => Number((await index.column('SELECT start_unix_us FROM capture'))[0])

/** What the wall clocks say: time in the snapshot = time in the trace + offset. */
const offsetOf = async (snapshot: IndexFile, trace: IndexFile) => ((await startOf(trace)) - (await startOf(snapshot))) * 1000

async function withRun(run: JoinedRun, check: (snapshot: IndexFile, trace: IndexFile) => Promise<void>): Promise<void> {
  const { snapshot, trace } = await indexesOf(run)
  try {
    await check(snapshot, trace)
  } finally {
    await snapshot.close()
    await trace.close()
  }
}

const at = (timeUs: number, address: number, bytes: number): Recorded => ({ timeUs, address, bytes })

describe('allocation_keys', () => {
  test('holds the allocations that events made, those of the range of times only', async () => {
    const index = await IndexFile.of(samplePath('trace_lora'))
    const rows = await allocations(index)
    const middle = Number(rows[rows.length >> 1]?.alloc_time_ns)
    for (const [from, to] of [everything, [middle, middle + 5e7] as const]) {
      const [blob] = await index.column('SELECT allocation_keys(0, ?, ?)', [from, to])
      const batch = readBatch(blob)
      const wanted = rows.filter((row) => Number(row.alloc_time_ns) >= from && Number(row.alloc_time_ns) <= to)
      expect(wanted.length).toBeGreaterThan(0)
      for (const name of ['allocation_id', 'size_bytes', 'requested_bytes', 'alloc_time_ns', 'alloc_event', 'address'])
        expect([...f64(batch, name)]).toEqual(wanted.map((row) => Number(row[name])))
    }
    await index.close()
  })
})

describe('match_allocations', () => {
  test('finds in random runs every allocation that both recorded, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
        const run = randomRun(randomIntegers(seed))
        await withRun(run, async (snapshot, trace) => {
          const { pairs, meta } = await join(snapshot, trace, await offsetOf(snapshot, trace))
          const [first] = (await allocations(snapshot)).map((row) => Number(row.allocation_id))
          const [firstOther] = (await allocations(trace)).map((row) => Number(row.allocation_id))
          const found = pairs.map(([own, other]) => [own - Number(first), other - Number(firstOther)])
          expect(found).toEqual(run.both)
          expect(meta.matched).toBe(run.both.length)
        })
      }),
      { numRuns: 60 },
    )
  })

  test('pairs the uses of one address as a slow reference does, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
        const random = randomIntegers(seed)
        const uses = (longest: number) => {
          let timeUs = 5_000_000
          return Array.from({ length: 1 + random(40) }, () => {
            timeUs += 1 + random(longest)
            return at(timeUs, 0x7f00_0000_0000, 512)
          })
        }
        const longest = random(2) === 0 ? 200 : 1500
        // Enough that both recorded at the same time to leave no doubt about the clocks.
        const marks = Array.from({ length: 100 }, (_, n) => at(4_000_000 + n * 5000, 0x7f00_0010_0000 + n * 4096, 2048))
        const run: JoinedRun = { snapshot: [...marks, ...uses(longest)], trace: [...marks, ...uses(longest)], both: [] }
        await withRun(run, async (snapshot, trace) => {
          const timesOf = async (index: IndexFile) => (await allocations(index)).slice(marks.length).map((row) => Number(row.alloc_time_ns))
          const { pairs, meta } = await join(snapshot, trace, await offsetOf(snapshot, trace))
          expect(meta).toMatchObject({ offset_ns: 0, matched: pairs.length })
          const [own, other] = [await timesOf(snapshot), await timesOf(trace)]
          expect(pairs).toHaveLength(marks.length + referenceCount(own, other, 75_000, 1e6))
          const partners = pairs.map(([, partner]) => partner)
          expect(partners).toEqual([...new Set(partners)].sort((a, b) => a - b))
        })
      }),
      { numRuns: 60 },
    )
  })

  test('finds the clocks that are 0.4 s apart', async () => {
    const random = randomIntegers(9)
    const run = randomRun(random, 300)
    await withRun(run, async (snapshot, trace) => {
      const expected = await offsetOf(snapshot, trace)
      const { meta, pairs } = await join(snapshot, trace, expected + 4e8)
      expect(pairs).toHaveLength(run.both.length)
      expect(Math.abs(Number(meta.offset_ns) - expected)).toBeLessThan(10_000)
    })
  })

  test('does not pair what was asked for with what is too small for it', async () => {
    const run = {
      snapshot: [at(5_000_000, 0x7f00_0000_0000, 4096), at(5_001_000, 0x7f00_0001_0000, 4096)],
      trace: [at(5_000_000, 0x7f00_0000_0000, 512), at(5_001_000, 0x7f00_0001_0000, 4096)],
      both: [],
    }
    await withRun(run, async (snapshot, trace) => {
      expect((await join(snapshot, trace, 0)).meta).toMatchObject({ matched: 1, equal_sizes: 1, own_in_overlap: 2, other_in_overlap: 2 })
    })
  })

  test('has no pair, no spread and no common time of captures that did not run together', async () => {
    const run = {
      snapshot: [at(5_000_000, 0x7f00_0000_0000, 4096)],
      trace: [at(95_000_000, 0x7f00_0000_0000, 4096)],
      both: [],
    }
    await withRun(run, async (snapshot, trace) => {
      const { meta } = await join(snapshot, trace, 90e9)
      expect(meta).toEqual({ ...meta, matched: 0, spread_ns: null, from_ns: null, to_ns: null, offset_ns: 90e9 })
    })
  })

  test('refuses keys that are no batch of keys, cut anywhere', async () => {
    const index = await IndexFile.of(samplePath('two_devices'))
    const [keys] = await index.column('SELECT allocation_keys(0, ?, ?)', everything)
    const whole = keys as Uint8Array
    const refused = (bytes: Uint8Array) => expect(match(index, bytes, 0)).rejects.toMatchObject({ code: 'query/bad_argument' })
    for (const size of [0, 3, 7, 8, 9, 47, 48, 248, whole.length - 8, whole.length - 1]) await refused(whole.slice(0, size))
    const claimed = Uint8Array.from(whole)
    new DataView(claimed.buffer).setUint32(8 + 32, 0xffffffff, true)
    await refused(claimed)
    await expect(index.column("SELECT match_allocations(0, 'no batch', 0)")).rejects.toMatchObject({ code: 'query/bad_argument' })
    await index.close()
  })

  test('pairs a capture with itself, each allocation with itself, both ways round', async () => {
    const index = await IndexFile.of(samplePath('two_devices'))
    for (const device of [0, 1]) {
      const ids = (await allocations(index, device)).map((row) => Number(row.allocation_id))
      const { pairs, meta } = await join(index, index, 0, device)
      expect(pairs).toEqual(ids.map((id) => [id, id]))
      expect(meta).toMatchObject({ offset_ns: 0, spread_ns: 0, own_in_overlap: ids.length, other_in_overlap: ids.length })
    }
    await index.close()
  })
})

const pairs = [
  ['the shipped pair', samplePath('trace_lora'), traceSamplePath, 0],
  ...pairFiles.flatMap(([name, snapshot, trace, device]) => {
    const [own, other] = [corpusFile(snapshot), corpusFile(trace)]
    return own && other ? [[name, own, other, device] as const] : []
  }),
] as const

describe('real pairs', () => {
  test.each(pairs)('%s: every allocation of the trace is in the snapshot', async (_, snapshotPath, tracePath, device) => {
    const [snapshot, trace] = [await IndexFile.of(snapshotPath), await IndexFile.ofTrace(tracePath)]
    const offset = await offsetOf(snapshot, trace)
    const { pairs: found, meta } = await join(snapshot, trace, offset, device)
    const traceRows = await allocations(trace, device)
    expect(found.map(([, other]) => other).sort((a, b) => a - b)).toEqual(traceRows.map((row) => row.allocation_id))
    expect(meta).toMatchObject({ own_in_overlap: found.length, other_in_overlap: found.length })
    expect(Number(meta.spread_ns)).toBeLessThan(5000)
    const ownRows = new Map((await allocations(snapshot, device)).map((row) => [row.allocation_id, row]))
    const otherRows = new Map(traceRows.map((row) => [row.allocation_id, row]))
    for (const [own, other] of found) expect(ownRows.get(own)?.address).toBe(otherRows.get(other)?.address)
    // The other way round the pairs are the same.
    const back = await join(trace, snapshot, -offset, device)
    expect(back.pairs.map(([a, b]) => [b, a]).sort(([a = 0], [b = 0]) => a - b)).toEqual(found)
    await snapshot.close()
    await trace.close()
  })
})
