// Captures that lost a part of their events: sizes are guesses then, but curves, layout and lifetimes tell one story.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, runProgram, snapshotOf } from '../fixtures/programs.ts'
import type { Value } from '../fixtures/values.ts'
import { toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { corpusFolder } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath } from '../support/paths.ts'
import { randomIntegers, someEvents } from '../support/random.ts'
import { expectHeatMap, expectOneStory, expectReasons } from './damaged-agree.ts'
import { expectLaws } from './space-agree.ts'

/** Of every thousand events of the file so many are left out, the same in every run. */
function withoutSome(bytes: Buffer, perThousand: number, seed: number): Buffer {
  const file = unpickle(bytes) as Record<string, unknown> | Map<string, unknown>
  const get = (key: string) => (file instanceof Map ? file.get(key) : file[key])
  const random = randomIntegers(seed)
  const traces = (get('device_traces') as Value[][]).map((trace) => trace.filter(() => random(1000) >= perThousand))
  const whole = file instanceof Map ? Object.fromEntries(file) : file
  return writePickle({ ...whole, device_traces: traces } as Value, { protocol: 4 })
}

/** What must hold of every device, at `count` of its events. Answers the devices whose replay is not exact. */
async function expectSound(index: IndexFile, count: number): Promise<number[]> {
  await expectLaws(index)
  const devices = await index.all('SELECT device, event_count, exact FROM device')
  for (const { device, event_count: events } of devices) {
    await expectOneStory(index, Number(device), someEvents(Number(device) + 7, Number(events), count))
    const from = Math.floor(Number(events) / 3)
    if (Number(events) > 0) await expectHeatMap(index, Number(device), from, Math.min(Number(events), from + 200))
  }
  return devices.filter(({ exact }) => exact === 0).map(({ device }) => Number(device))
}

async function damaged(bytes: Buffer, count: number): Promise<number> {
  const index = await IndexFile.ofBytes('damaged', bytes)
  try {
    const devices = await expectSound(index, count)
    const file = toSnapshot(unpickle(bytes))
    for (const device of devices) await expectReasons(index, device, file)
    return devices.length
  } finally {
    await index.close()
  }
}

test.each([
  ['ft_lora', 10, 1],
  ['ft_lora', 200, 2],
  ['oom', 10, 3],
  ['oom', 200, 4],
  ['two_devices', 10, 5],
  ['two_devices', 200, 6],
] as const)('the shipped sample %s without %i of 1,000 events (%i)', async (name, perThousand, seed) => {
  expect(await damaged(withoutSome(readFileSync(samplePath(name)), perThousand, seed), 60)).toBeGreaterThan(0)
})

test('random programs of which events are missing', async () => {
  let inexact = 0
  await fc.assert(
    fc.asyncProperty(programs(120), fc.integer({ min: 1, max: 400 }), fc.nat(1000), async (program, perThousand, seed) => {
      const whole = writePickle(snapshotOf(runProgram(program), program.options), { protocol: 4 })
      inexact += await damaged(withoutSome(whole, perThousand, seed), 12)
    }),
    { numRuns: 120 },
  )
  expect(inexact).toBeGreaterThan(20)
})

test('what is reserved and held after the last event is what the file says, whatever is missing before', async () => {
  const index = await IndexFile.ofBytes('final', withoutSome(readFileSync(samplePath('ft_lora')), 10, 9))
  const [end] = await index.all(
    'SELECT c.reserved_bytes, d.reserved_bytes AS wanted FROM memory_curve c JOIN device d USING (device) WHERE c.event = d.event_count - 1',
  )
  expect(end?.reserved_bytes).toBe(end?.wanted)
  await index.close()
})

const real = join(corpusFolder, 'healthy', 'ft_lora', 'snapshot.pickle')

describe.skipIf(!existsSync(real))('a real capture', () => {
  test.each([450_000, 900_000])('of which the first %i bytes are there', async (bytes) => {
    const index = await IndexFile.ofBytes('cut', readFileSync(real).subarray(0, bytes))
    await expectSound(index, 40)
    await index.close()
  })

  test('of which 10 of 1,000 events are missing', async () => {
    expect(await damaged(withoutSome(readFileSync(real), 10, 11), 40)).toBe(1)
  })
})
