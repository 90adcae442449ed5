// What the index says of other settings, against the allocator simulated once more, slowly, and against the recordings themselves.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { histories } from '../fixtures/histories.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { type Command, programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { snapshot } from '../fixtures/snapshots.ts'
import type { Value } from '../fixtures/values.ts'
import { variants } from '../fixtures/variants.ts'
import { type SimulatedSettings, simulateRecording } from '../reference/simulator.ts'
import { type RefSnapshot, readReference, toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { IndexFile } from '../support/index-file.ts'
import { sampleNames, samplePath } from '../support/paths.ts'
import { randomIntegers } from '../support/random.ts'
import { type WhatIfAnswer, whatIf } from './whatif-runs.ts'

const MiB = 1 << 20

/** As one number, or as the list that PyTorch reads: each class by its size in MiB, the last as all that follow. */
function divisionsText(divisions: SimulatedSettings['divisions']): string[] {
  if (typeof divisions === 'number') return divisions > 0 ? [`roundup_power2_divisions:${divisions}`] : []
  const items = divisions.map((each, power) => (power === divisions.length - 1 ? `>:${each}` : `${2 ** power}:${each}`))
  return [`roundup_power2_divisions:[${items.join(', ')}]`]
}

const settingsText = ({ expandable, maxSplit, divisions, gcThreshold, waste, largeSegment }: SimulatedSettings): string =>
  [
    'default',
    `expandable_segments:${expandable ? 'True' : 'False'}`,
    ...(maxSplit < 0 ? [] : [`max_split_size_mb:${maxSplit / MiB}`]),
    ...divisionsText(divisions),
    ...(waste === undefined ? [] : [`max_non_split_rounding_mb:${waste / MiB}`]),
    ...(largeSegment === undefined ? [] : [`large_segment_size_mb:${largeSegment / MiB}`]),
    ...(gcThreshold > 0 ? [`garbage_collection_threshold:${gcThreshold}`] : []),
  ].join(',')

/** PyTorch refuses segments that are larger than what may be split, or may be wasted. */
const isAllowed = ({ maxSplit, waste, largeSegment = 0 }: SimulatedSettings): boolean =>
  (maxSplit < 0 || maxSplit >= largeSegment) && (waste === undefined || waste >= largeSegment)

const anySettings: fc.Arbitrary<SimulatedSettings> = fc
  .record({
    expandable: fc.boolean(),
    maxSplit: fc.constantFrom(-1, 24 * MiB, 40 * MiB, 128 * MiB),
    divisions: fc.oneof(
      fc.constantFrom(0, 0, 4, 8),
      fc
        .array(fc.constantFrom(0, 1, 2, 4, 16), { minLength: 5, maxLength: 5 })
        .map((list) => [...list, ...Array<number>(11).fill(list.at(-1) ?? 0)]),
    ),
    gcThreshold: fc.constantFrom(0, 0, 0.3, 0.6),
    waste: fc.constantFrom(undefined, 21 * MiB, 64 * MiB),
    largeSegment: fc.constantFrom(undefined, undefined, 12 * MiB, 32 * MiB, 40 * MiB),
    capacity: fc.constantFrom(60 * MiB, 90 * MiB, 120 * MiB, 160 * MiB, 200 * MiB, 2 ** 41),
  })
  .filter(isAllowed)

const comparable = (answer: WhatIfAnswer) => ({
  reservedPeak: answer.reserved_peak_bytes,
  allocatedPeak: answer.allocated_peak_bytes,
  largestFree: answer.largest_free_bytes,
  retries: answer.retries,
  failingEvent: answer.failing_event,
})

/** What the slow allocator says where the failed requests ask for other bytes that are rounded to as much. */
function otherwise(file: RefSnapshot, settings: SimulatedSettings) {
  const own = simulateRecording(file, settings)
  const others = (['least', 'most'] as const).map((failed) => simulateRecording(file, settings, failed))
  const peaks = [own, ...others].map(({ reservedPeak }) => reservedPeak)
  const differs = others.some(({ failingEvent }) => failingEvent !== own.failingEvent)
  return {
    depends_on: differs ? ['request'] : [],
    least_reserved_peak_bytes: Math.min(...peaks),
    most_reserved_peak_bytes: Math.max(...peaks),
  }
}

test('random programs meet under random settings what the slow allocator meets', async () => {
  const met = { failures: 0, retries: 0, runs: 0 }
  await fc.assert(
    fc.asyncProperty(programs(80), fc.constantFrom(0, 4), anySettings, async (program, divisions, settings) => {
      const options = { ...program.options, divisions, namesPools: true }
      const pickle = writePickle(snapshotOf(runProgram({ ...program, options }), options), { protocol: 4 })
      const index = await IndexFile.ofBytes('whatif', pickle)
      try {
        fc.pre((await index.all('SELECT 1 FROM event LIMIT 1')).length > 0)
        const answer = await whatIf(index, settingsText(settings), settings.capacity)
        expect(comparable(answer)).toEqual(simulateRecording(toSnapshot(unpickle(pickle)), settings))
        expect(answer.reserved_bytes - answer.free_bytes).toBeGreaterThanOrEqual(answer.allocated_bytes)
        met.runs += 1
        met.failures += answer.fails ? 1 : 0
        met.retries += answer.retries > (answer.fails ? 1 : 0) ? 1 : 0
      } finally {
        await index.close()
      }
    }),
    { numRuns: 400 },
  )
  expect(Math.min(met.failures, met.runs - met.failures)).toBeGreaterThan(12)
  expect(met.retries).toBeGreaterThan(2)
})

/** Of few large requests, many of which fail. */
const largeRequests: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('alloc' as const),
        bytes: fc.integer({ min: MiB, max: 64 * MiB }),
        stream: fc.constant(0),
        site: fc.nat(5),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('free' as const), which: fc.nat(100), deferred: fc.constant(false) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), bytes: fc.integer({ min: 8 * MiB, max: 64 * MiB }) }) },
  ),
  { minLength: 3, maxLength: 12 },
)

/** Bytes for a cap: just enough where the failed requests asked for the least, so that often it is too little for the most; or any. */
const capacities = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 50, max: 200 }).map((mib) => 2 * mib * MiB),
  },
)

test('where rounding hides what failed requests asked for, the answer says what that leaves open', async () => {
  const met = { certain: 0, open: 0 }
  await fc.assert(
    fc.asyncProperty(largeRequests, fc.constantFrom(2, 4), anySettings, capacities, async (commands, divisions, any, given) => {
      const options = { divisions, namesPools: true }
      const pickle = writePickle(snapshotOf(runProgram({ options, commands }), options), { protocol: 4 })
      const index = await IndexFile.ofBytes('whatif-rounded', pickle)
      try {
        fc.pre((await index.all('SELECT 1 FROM event LIMIT 1')).length > 0)
        const file = toSnapshot(unpickle(pickle))
        const enough = simulateRecording(file, { ...any, capacity: 2 ** 41 }, 'least').reservedPeak
        const settings = { ...any, capacity: given ?? Math.max(enough, MiB) }
        const answer = await whatIf(index, settingsText(settings), settings.capacity)
        expect(comparable(answer)).toEqual(simulateRecording(file, settings))
        expect(answer).toMatchObject(otherwise(file, settings))
        expect(answer.is_certain).toBe(answer.depends_on.length === 0)
        met[answer.is_certain ? 'certain' : 'open'] += 1
      } finally {
        await index.close()
      }
    }),
    { numRuns: 200 },
  )
  expect(Math.min(met.certain, met.open)).toBeGreaterThan(0)
})

test('under its own settings a random program ends as it was recorded', async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), async (program) => {
      const options = { ...program.options, namesPools: true }
      const commands = program.commands.filter((command) => command.do !== 'fail')
      const allocator = runProgram({ options, commands })
      fc.pre(allocator.events.length > 0)
      const index = await IndexFile.ofBytes('whatif-own', writePickle(snapshotOf(allocator, options), { protocol: 4 }))
      try {
        const answer = await whatIf(index, '', null)
        expect(answer).toMatchObject({ same_layout: true, first_difference: null, fails: false })
        expect(answer.reserved_peak_bytes).toBe(Math.max(...allocator.truth.map(({ reserved }) => reserved)))
        expect(answer.allocated_peak_bytes).toBe(Math.max(...allocator.truth.map(({ allocated }) => allocated)))
      } finally {
        await index.close()
      }
    }),
    { numRuns: 150 },
  )
})

/** Pages were mapped for a request of which only the rest is in the history: that their block is not one kept for larger requests is not told. */
function isCutInRequest(events: readonly Value[], last: number): boolean {
  const before = events.at(-last - 1)
  return typeof before === 'object' && before !== null && 'action' in before && before.action === 'segment_map'
}

test('a random program whose history begins late ends as it was recorded', async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), fc.integer({ min: 1, max: 60 }), async (program, last) => {
      const options = { ...program.options, namesPools: true }
      const commands = program.commands.filter((command) => command.do !== 'fail')
      const allocator = runProgram({ options, commands })
      fc.pre(allocator.events.length > 0 && !isCutInRequest(allocator.events, last))
      const index = await IndexFile.ofBytes('whatif-late', writePickle(snapshotOf(allocator, options, last), { protocol: 4 }))
      try {
        fc.pre((await index.column('SELECT exact FROM device'))[0] === 1)
        const answer = await whatIf(index, '', null)
        expect(answer).toMatchObject({ same_layout: true, first_difference: null, fails: false })
      } finally {
        await index.close()
      }
    }),
    { numRuns: 150 },
  )
})

test('of histories that lost events the sums still add up, whatever the settings', async () => {
  await fc.assert(
    fc.asyncProperty(programs(80), anySettings, fc.integer(), fc.boolean(), async (program, settings, seed, isOwn) => {
      const random = randomIntegers(seed)
      const allocator = runProgram(program)
      const events = allocator.events.filter(() => random(10) > 0)
      fc.pre(events.length > 0)
      const index = await IndexFile.ofBytes('whatif-lost', writePickle(snapshot(allocator.segments(), [events]), { protocol: 4 }))
      try {
        const answer = await whatIf(index, isOwn ? '' : settingsText(settings), isOwn ? null : settings.capacity)
        expect(answer.allocated_bytes + answer.free_bytes).toBeLessThanOrEqual(answer.reserved_bytes)
        expect(answer.reserved_bytes).toBeLessThanOrEqual(answer.reserved_peak_bytes)
        expect(answer.largest_free_bytes).toBeLessThanOrEqual(answer.free_bytes)
        expect(answer.last_event).toBeLessThan(events.length)
      } finally {
        await index.close()
      }
    }),
    { numRuns: 200 },
  )
})

const oddRequests = [
  '',
  'expandable_segments:True',
  'max_split_size_mb:24,roundup_power2_divisions:4,garbage_collection_threshold:0.3',
  'default',
]

test('every variant of the format is answered, or refused where nothing was recorded', async () => {
  for (const variant of [...variants, ...histories]) {
    const index = await IndexFile.ofBytes('whatif-variant', variant.bytes())
    for (const { device, event_count } of await index.all('SELECT device, event_count FROM device')) {
      for (const settings of oddRequests) {
        for (const capacity of [null, 1, 10_000_000, Number.MAX_SAFE_INTEGER]) {
          const asked = whatIf(index, settings, capacity, Number(device))
          if (event_count === 0) await expect(asked, variant.name).rejects.toMatchObject({ code: 'query/bad_argument' })
          else expect((await asked).last_event, variant.name).toBeLessThan(Number(event_count))
        }
      }
    }
    await index.close()
  }
})

describe.each(sampleNames)('the shipped sample %s', (name) => {
  test('is reproduced under its own settings', async () => {
    const index = await IndexFile.of(samplePath(name))
    const devices = await index.all('SELECT device, peak_reserved_bytes, peak_allocated_bytes FROM device WHERE event_count > 0')
    for (const { device, peak_reserved_bytes, peak_allocated_bytes } of devices) {
      const answer = await whatIf(index, '', null, Number(device))
      expect(answer).toMatchObject({ same_layout: true, first_difference: null, fails: name === 'oom' })
      expect([answer.reserved_peak_bytes, answer.allocated_peak_bytes]).toEqual([peak_reserved_bytes, peak_allocated_bytes])
    }
    await index.close()
  })
})

test('the sample of a failure: the slow allocator agrees under other settings', async () => {
  const file = readReference(samplePath('oom'))
  const index = await IndexFile.of(samplePath('oom'))
  const { capacity } = await whatIf(index, '', null)
  for (const change of [{ expandable: true }, { maxSplit: 64 * MiB }, { divisions: 8 }, { gcThreshold: 0.8 }]) {
    const settings = { expandable: false, maxSplit: -1, divisions: 0, gcThreshold: 0, capacity: capacity.bytes ?? 0, ...change }
    expect(comparable(await whatIf(index, settingsText(settings), settings.capacity))).toEqual(simulateRecording(file, settings))
  }
  await index.close()
})

test.each([
  ['expandable_segment:True', "The allocator has no setting 'expandable_segment'."],
  ['backend:cudaMallocAsync', "The simulator knows the backend native only, not 'cudaMallocAsync'."],
  ['max_split_size_mb:2', 'max_split_size_mb must be at least large_segment_size_mb, which is 20.'],
])('%s is refused with a message', async (settings, message) => {
  const index = await IndexFile.of(samplePath('oom'))
  await expect(whatIf(index, settings, null)).rejects.toMatchObject({ code: 'query/bad_argument', message })
  await index.close()
})
