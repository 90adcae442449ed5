// The reference itself must be right before anything is held against it: against the simulator's truth and against PyTorch's counters.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { corpusFile, corpusSnapshots } from '../support/corpus.ts'
import { sampleNames, samplePath } from '../support/paths.ts'
import { curveNames, type RefReplay, replay } from './replay.ts'
import { readReference, toSnapshot } from './snapshot.ts'
import { unpickle } from './unpickle.ts'

const atEnd = (run: RefReplay) => Object.fromEntries(curveNames.map((name) => [name, run.curves[name].at(-1) ?? run.start[name]]))
const peakOf = (run: RefReplay) => run.curves.allocated.reduce((peak, value) => Math.max(peak, value), run.start.allocated)

test('the reference knows what the simulated allocator did', () => {
  fc.assert(
    fc.property(programs(120), (program) => {
      const allocator = runProgram(program)
      const run = replay(toSnapshot(unpickle(writePickle(snapshotOf(allocator, program.options), { protocol: 4 }))), 0)
      expect(run.exact).toBe(true)
      expect(run.start).toEqual({ allocated: 0, active: 0, reserved: 0, requested: 0 })
      for (const name of curveNames) expect([...run.curves[name]]).toEqual(allocator.truth.map((sums) => sums[name]))
      const lives = run.allocations.map(({ address, requested, size, allocEvent, freeRequested, freeCompleted }) => ({
        address,
        requested,
        size,
        allocEvent,
        freeRequested,
        freeCompleted,
      }))
      expect(lives).toEqual(allocator.allocations.map(({ arena, ...life }) => life))
    }),
    { numRuns: 150 },
  )
})

test.each(sampleNames)('the reference replays the shipped sample %s to the file’s own end', (name) => {
  const snapshot = readReference(samplePath(name))
  for (const device of new Set(snapshot.segments.map((segment) => segment.device))) expect(replay(snapshot, device).exact).toBe(true)
})

const small = corpusSnapshots().filter((snapshot) => snapshot.bytes < 3_000_000 && snapshot.stats.size > 0)

describe.skipIf(small.length === 0)('real captures', () => {
  test.each(small.map((snapshot) => [snapshot.name, snapshot] as const))('%s ends where memory_stats ended', (_, { path, stats }) => {
    const file = readReference(path)
    for (const [device, numbers] of stats) {
      const run = replay(file, device)
      expect(run.exact).toBe(true)
      expect(atEnd(run)).toEqual({
        allocated: numbers['allocated_bytes.all.current'],
        active: numbers['active_bytes.all.current'],
        reserved: numbers['reserved_bytes.all.current'],
        requested: numbers['requested_bytes.all.current'],
      })
    }
  })

  test('the peak of a run recorded from its start is PyTorch’s', () => {
    const path = corpusFile('healthy/ft_lora/snapshot.pickle') ?? ''
    expect(peakOf(replay(readReference(path), 0))).toBe(1_234_779_648)
  })
})
