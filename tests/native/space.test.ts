// The layout of memory after any event against the slow reference: shipped samples, random programs, and the corpus when it is here.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { type Command, programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { baseAddress, block, event, segment, snapshot } from '../fixtures/snapshots.ts'
import { readLarge } from '../reference/read-large.ts'
import { replay } from '../reference/replay.ts'
import { type RefSnapshot, readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { f64, readBatch } from '../support/batch.ts'
import { type CorpusSnapshot, corpusFolder, corpusSnapshots } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { sampleNames, samplePath } from '../support/paths.ts'
import { someEvents } from '../support/random.ts'
import { devicesOf } from './agree.ts'
import { expectLaws, expectReport, expectSpace } from './space-agree.ts'

/** Compares at `count` random events of every device whose replay is exact; answers how many events that were. */
async function agreeOnLayout(index: IndexFile, file: RefSnapshot, count: number): Promise<number> {
  let compared = 0
  for (const device of devicesOf(file)) {
    const run = replay(file, device)
    if (!run.exact) continue
    const events = someEvents(device + 1, run.eventCount, count)
    await expectSpace(index, file, run, events)
    for (const event of [-1, ...events.slice(0, 2)]) await expectReport(index, device, event)
    compared += events.length
  }
  return compared
}

test.each(sampleNames)('the shipped sample %s', async (name) => {
  const index = await IndexFile.of(samplePath(name))
  await expectLaws(index)
  expect(await agreeOnLayout(index, readReference(samplePath(name)), 100)).toBeGreaterThan(80)
  await index.close()
})

/** Answers on how many events, and how many devices there are. */
async function agreeOnProgram(bytes: Buffer): Promise<{ events: number; devices: number }> {
  const index = await IndexFile.ofBytes('space', bytes)
  try {
    const file = toSnapshot(unpickle(bytes))
    return { events: await agreeOnLayout(index, file, 6), devices: devicesOf(file).length }
  } finally {
    await index.close()
  }
}

const MiB = 1 << 20

/** Pages that serve a private pool beside others, until the cache is emptied; no event names a pool. */
test.each([
  ['in the pool of what lasts', 1],
  ['in another pool than all that lasts', 2],
])('a block over pages that were mapped one by one, %s', async (_, pool) => {
  const options = { expandable: true, namesPools: false }
  const commands: Command[] = [
    { do: 'alloc', bytes: 12 * MiB, stream: 0, pool: 1, site: 0 },
    { do: 'alloc', bytes: 2 * MiB, stream: 0, pool: 0, site: 0 },
    { do: 'alloc', bytes: 12 * MiB, stream: 0, pool, site: 0 },
    { do: 'alloc', bytes: 24 * MiB, stream: 0, pool, site: 0 },
    { do: 'free', which: 3, deferred: false },
    ...(pool === 1 ? [] : ([{ do: 'free', which: 2, deferred: false }] as const)),
    { do: 'empty' },
  ]
  const file = snapshotOf(runProgram({ options, commands }), options)
  const bytes = writePickle(file, { protocol: 4 })
  const index = await IndexFile.ofBytes('seam', bytes)
  const snapshot = toSnapshot(unpickle(bytes))
  const run = replay(snapshot, 0)
  expect(run.exact).toBe(true)
  const events = Array.from({ length: run.eventCount + 1 }, (_, place) => place - 1)
  await expectSpace(index, snapshot, run, events)
  const cut = await index.all(
    `SELECT b.address FROM device d, event e, block_map(d.device, e.event) b JOIN allocation a ON a.allocation_id = b.allocation_id
       WHERE b.size_bytes <> a.size_bytes`,
  )
  expect(cut).toEqual([])
  await index.close()
})

test('what was pending before the first event is told from a block of its size that the first event gives back', async () => {
  const at = (block: number) => ({ addr: baseAddress + BigInt(block * 2 * MiB), size: 2 * MiB })
  const trace = [
    event('free_requested', at(1).addr, at(1).size),
    event('free_completed', at(0).addr, at(0).size),
    event('free_completed', at(1).addr, at(1).size),
  ]
  const segments = [segment(baseAddress, [block(baseAddress, 20 * MiB)])]
  const index = await IndexFile.ofBytes('pending', writePickle(snapshot(segments, [trace]), { protocol: 4 }))
  const states = await index.column('SELECT state FROM block_map(0, -1)')
  expect(states).toEqual(['active_pending_free', 'active_allocated', 'inactive'])
  await index.close()
})

test('of more than 5,000 segments the first in the order asked for are answered, and how many are left out is said', async () => {
  const count = 5003
  const segments = Array.from({ length: count }, (_, place) => {
    const address = baseAddress + BigInt(place * 20 * MiB)
    return segment(address, [block(address, place === count - 1 ? 20 * MiB : 2 * MiB)])
  })
  const index = await IndexFile.ofBytes('many-segments', writePickle(snapshot(segments, [[]]), { protocol: 4 }))
  const ask = async (order: string) => readBatch((await index.column('SELECT block_segments(0, -1, ?)', [order]))[0])
  const byAddress = await ask('address')
  expect(JSON.parse(String(byAddress.get('meta')))).toEqual({ segments: count, left_out: 3 })
  expect(JSON.parse(String(byAddress.get('addresses'))).length).toBe(5000)
  expect(f64(byAddress, 'total').length).toBe(5000)
  expect(f64(await ask('size'), 'total')[0]).toBe(20 * MiB)
  await expectReport(index, 0, -1)
  await index.close()
})

test('random programs, recorded from the start', async () => {
  await fc.assert(
    fc.asyncProperty(programs(120), async (program) => {
      const { events, devices } = await agreeOnProgram(writePickle(snapshotOf(runProgram(program), program.options), { protocol: 4 }))
      expect(events > 0).toBe(devices > 0)
    }),
    { numRuns: 150 },
  )
})

test('random programs of which a ring buffer lost the beginning', async () => {
  await fc.assert(
    fc.asyncProperty(programs(120), fc.integer({ min: 1, max: 60 }), async (program, kept) => {
      await agreeOnProgram(writePickle(snapshotOf(runProgram(program), program.options, kept), { protocol: 4 }))
    }),
    { numRuns: 100 },
  )
})

const large = 100_000_000

/** A layout of 300,000 blocks takes a second to ask. */
function eventsFor({ bytes, name }: CorpusSnapshot): number {
  if (bytes > large) return 40
  if (name.includes('/oom_meta_')) return 2
  return bytes > 1_000_000 ? 16 : 8
}

const snapshots = corpusSnapshots()

// Said in the report, not passed over in silence.
if (snapshots.length === 0) test.skip(`no corpus at ${corpusFolder}: layouts of real captures are not compared`, () => undefined)

describe.skipIf(snapshots.length === 0)('real captures', () => {
  test.each(snapshots.map((snapshot) => [snapshot.name, snapshot] as const))('%s', { timeout: 300_000 }, async (_, snapshot) => {
    const file = snapshot.bytes > large ? readLarge(snapshot.path) : readReference(snapshot.path)
    const index = await IndexFile.of(snapshot.path)
    try {
      await expectLaws(index)
      expect(await agreeOnLayout(index, file, eventsFor(snapshot))).toBeGreaterThan(0)
    } finally {
      await index.close()
    }
  })
})
