// The native replay against the independent reference: shipped samples, generated histories, random programs, and the corpus when it is here.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { histories } from '../fixtures/histories.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { variants } from '../fixtures/variants.ts'
import { readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { corpusSnapshots } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { sampleNames, samplePath } from '../support/paths.ts'
import { expectAgreement } from './agree.ts'
import { expectFlames, flameSubjects } from './flame-agree.ts'

async function agreeOnFile(path: string) {
  const index = await IndexFile.of(path)
  try {
    const file = readReference(path)
    const replays = await expectAgreement(index, file)
    for (const subject of await flameSubjects(index, file, replays)) await expectFlames(subject, { moments: 3, questions: 6 })
    return replays
  } finally {
    await index.close()
  }
}

async function agreeOnBytes(name: string, bytes: Buffer) {
  const index = await IndexFile.ofBytes(name, bytes)
  try {
    return await expectAgreement(index, toSnapshot(unpickle(bytes)))
  } finally {
    await index.close()
  }
}

test.each(sampleNames)('the shipped sample %s', async (name) => {
  const replays = await agreeOnFile(samplePath(name))
  expect(replays.every((run) => run.exact)).toBe(true)
})

const isPickle = (bytes: Buffer) => bytes[0] === 0x80 || bytes[0] === 0x28

test.each([...variants, ...histories].map((variant) => [variant.name, variant] as const))('the generated %s', async (name, variant) => {
  const bytes = variant.bytes()
  if (isPickle(bytes)) await agreeOnBytes(name, bytes)
  else if (bytes[0] === 0x7b || bytes[0] === 0x5b) expect(name).toContain('json')
})

test('random programs, recorded from the start', async () => {
  await fc.assert(
    fc.asyncProperty(programs(150), async (program) => {
      const allocator = runProgram(program)
      const [run] = await agreeOnBytes('program', writePickle(snapshotOf(allocator, program.options), { protocol: 4 }))
      expect(run?.exact ?? true).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('random programs of which a ring buffer lost the beginning', async () => {
  await fc.assert(
    fc.asyncProperty(programs(150), fc.integer({ min: 1, max: 60 }), async (program, kept) => {
      const allocator = runProgram(program)
      await agreeOnBytes('ring', writePickle(snapshotOf(allocator, program.options, kept), { protocol: 4 }))
    }),
    { numRuns: 150 },
  )
})

const small = corpusSnapshots().filter((snapshot) => snapshot.bytes < 6_000_000)

describe.skipIf(small.length === 0)('real captures', () => {
  test.each(small.map((snapshot) => [snapshot.name, snapshot.path] as const))('%s', async (_, path) => {
    await agreeOnFile(path)
  })
})
