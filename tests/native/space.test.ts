// The layout of memory after any event against the slow reference: shipped samples, random programs, and the corpus when it is here.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { readLarge } from '../reference/read-large.ts'
import { replay } from '../reference/replay.ts'
import { type RefSnapshot, readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { type CorpusSnapshot, corpusFolder, corpusSnapshots } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { sampleNames, samplePath } from '../support/paths.ts'
import { someEvents } from '../support/random.ts'
import { devicesOf } from './agree.ts'
import { expectLaws, expectSpace } from './space-agree.ts'

/** Compares at `count` random events of every device whose replay is exact; answers how many events that were. */
async function agreeOnLayout(index: IndexFile, file: RefSnapshot, count: number): Promise<number> {
  let compared = 0
  for (const device of devicesOf(file)) {
    const run = replay(file, device)
    if (!run.exact) continue
    const events = someEvents(device + 1, run.eventCount, count)
    await expectSpace(index, file, run, events)
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
