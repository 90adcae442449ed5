// A snapshot and a trace of one run, both open: how well they match, the same allocation and the same moment in the other, through the port.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationRow, JoinedOp, JoinMatch } from '../../preload/contract/queries.ts'
import { pairFiles } from '../native/join-pairs.ts'
import { corpusFile } from '../support/corpus.ts'
import { samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'
import { memoryEvents } from './trace-truth.ts'

const scratch = scratchFolder('join')
/** Without the run that the shipped pair is of. */
const known = pairFiles.slice(1).flatMap(([name, snapshot, trace, device]) => {
  const paths = [corpusFile(snapshot), corpusFile(trace)] as const
  return paths[0] && paths[1] ? [{ name, snapshot: paths[0], trace: paths[1], device }] : []
})
const files: Record<string, string> = {
  snapshot: samplePath('trace_lora'),
  trace: traceSamplePath,
  otherRun: samplePath('ft_lora'),
  otherDevices: samplePath('two_devices'),
  ...Object.fromEntries(
    known.flatMap(({ name, snapshot, trace }) => [[`${name} snapshot`, snapshot] as const, [`${name} trace`, trace] as const]),
  ),
  ...Object.fromEntries(
    (
      [
        'healthy/trace_full_nostack/snapshot.pickle',
        'healthy/trace_full_nostack/trace.json.gz',
        'healthy/trace_cpu_only/trace.json',
      ] as const
    ).flatMap((name) => {
      const path = corpusFile(name)
      return path ? [[name, path] as const] : []
    }),
  ),
}
let engine: EngineClient
let snapshot: CaptureSummary
let trace: CaptureSummary
let other: CaptureSummary

beforeAll(async () => {
  engine = new EngineClient(capturesIn(scratch.path), files)
  snapshot = await engine.open('snapshot')
  trace = await engine.open('trace')
  other = await engine.open('otherRun')
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const pairIds = () => ({ captureId: snapshot.captureId, partnerId: trace.captureId })
const backIds = () => ({ captureId: trace.captureId, partnerId: snapshot.captureId })
const match = (own = snapshot, partner = trace, device = 0): Promise<JoinMatch> =>
  engine.value('join.match', { snapshotId: own.captureId, traceId: partner.captureId, device })

/** Rows alive right after an event, those that this event made first. */
const madeBy = async (capture: CaptureSummary, event: number): Promise<AllocationRow | undefined> => {
  const { rows } = await engine.value('allocation.live', {
    ...{ captureId: capture.captureId, device: 0, event, sort: 'allocEvent', descending: true, offset: 0, limit: 1 },
  })
  return rows.find(({ allocEvent }) => allocEvent === event)
}

/** Events of a capture that made an allocation, with it, evenly spread. */
async function someAllocations(capture: CaptureSummary, count: number): Promise<AllocationRow[]> {
  const events = capture.devices.find(({ device }) => device === 0)?.eventCount ?? 0
  const found: AllocationRow[] = []
  for (let step = 0; step < count; step++) {
    for (let event = Math.floor((step * events) / count); event < events; event++) {
      const made = await madeBy(capture, event)
      if (!made) continue
      found.push(made)
      break
    }
  }
  return found
}

describe('join.candidates', () => {
  test('names the captures of the other kind that recorded the same device at the same time', async () => {
    const of = async ({ captureId }: CaptureSummary) => (await engine.value('join.candidates', { captureId })).candidates
    const [device] = trace.devices.filter((each) => each.device === 0)
    const length = (device?.lastTimeNs ?? 0) - (device?.firstTimeNs ?? 0)
    const [found, ...more] = await of(snapshot)
    expect(found).toMatchObject({ captureId: trace.captureId, kind: 'chrome_trace', sourceName: 'trace_lora.json.gz', devices: [0] })
    expect(Math.abs((found?.overlapNs ?? 0) - length)).toBeLessThan(1e6)
    expect(more).toEqual([])
    expect((await of(trace)).map(({ captureId }) => captureId)).toEqual([snapshot.captureId])
    expect(await of(other)).toEqual([])
  })

  test('leaves out what another window opened', async () => {
    const second = new EngineClient(engine.captures, files)
    const own = await second.open('snapshot')
    expect((await second.value('join.candidates', { captureId: own.captureId })).candidates).toEqual([])
    expect((await engine.value('join.candidates', { captureId: trace.captureId })).candidates).toHaveLength(1)
    await second.value('capture.close', { captureId: own.captureId })
  })
})

describe('join.match', () => {
  test('finds every allocation of the trace in the snapshot of the same run', async () => {
    const allocations = memoryEvents(1).filter(({ Bytes }) => Bytes > 0).length
    const found = await match()
    expect(found).toMatchObject({ verdict: 'same_run', reason: null, share: 1, matched: allocations, traceAllocations: allocations })
    expect(found.snapshotAllocations).toBe(allocations)
    expect(found.equalSizes).toBe(allocations)
    expect(found.spreadNs).toBeLessThan(5000)
    expect(Math.abs(found.clockDifferenceNs ?? 1e9)).toBeLessThan(5000)
    const { snapshotFromNs = 0, traceFromNs = 0, snapshotToNs = 0, traceToNs = 0 } = found.overlap ?? {}
    expect(snapshotFromNs).toBeCloseTo(traceFromNs + (found.offsetNs ?? 0), 3)
    expect(snapshotToNs).toBeCloseTo(traceToNs + (found.offsetNs ?? 0), 3)
    expect(snapshotToNs).toBeGreaterThan(snapshotFromNs)
  })

  test('says that captures of other times are of other runs', async () => {
    expect(await match(other)).toMatchObject({ verdict: 'other_run', reason: 'no_overlap', matched: 0, overlap: null })
  })

  test('says what cannot be compared', async () => {
    expect(await match(snapshot, trace, 7)).toMatchObject({ verdict: 'unknown', reason: 'no_memory', offsetNs: null })
    expect(await match(snapshot, trace, -1)).toMatchObject({ verdict: 'unknown', reason: 'no_memory' })
  })

  test('refuses two captures of one kind, and a trace in place of a snapshot', async () => {
    const ask = (own: CaptureSummary, partner: CaptureSummary) =>
      engine.ask('join.match', { snapshotId: own.captureId, traceId: partner.captureId, device: 0 }).answer
    expect(codeOf(await ask(snapshot, other))).toBe('query/bad_argument')
    expect(codeOf(await ask(trace, snapshot))).toBe('query/bad_argument')
    expect(codeOf(await ask(snapshot, { ...trace, captureId: 'gone' }))).toBe('query/unknown_capture')
  })
})

const sliceOf = (sliceId: number) => engine.value('trace.slice', { captureId: trace.captureId, sliceId })

/** The slices that are said to enclose an allocation do. */
async function expectAround({ name, op, innermost, step, annotations }: JoinedOp, timeNs: number): Promise<void> {
  const named = await Promise.all([step, ...annotations].flatMap((each) => (each ? [sliceOf(each.sliceId)] : [])))
  for (const slice of [op, innermost, ...named]) {
    if (!slice) continue
    expect(slice.startNs).toBeLessThanOrEqual(timeNs)
    expect(slice.startNs + slice.durNs).toBeGreaterThanOrEqual(timeNs)
  }
  if (op) expect(op.name).toBe(name)
  expect(name).not.toMatch(/^aten::empty/)
  if (step) expect(step.name).toMatch(/^ProfilerStep#\d+$/)
}

/** What launched the kernels of an op lies inside it. */
async function expectLaunched({ op, kernels, kernelCount }: JoinedOp): Promise<void> {
  expect(kernels).toHaveLength(Math.min(10, kernelCount ?? 0))
  for (const { sliceId } of kernels) {
    const { launch } = await sliceOf(sliceId)
    const { ancestors } = await sliceOf(launch?.sliceId ?? -1)
    expect(ancestors.map((each) => each.sliceId)).toContain(op?.sliceId)
  }
}

describe('join.allocation', () => {
  test('an allocation of the trace has rounded and requested bytes, segment and stack in the snapshot, and leads back', async () => {
    const rows = await someAllocations(trace, 25)
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      const { partner, op } = await engine.value('join.allocation', { ...backIds(), allocationId: row.allocationId })
      if (!partner) throw new Error(`allocation ${row.allocationId} has no partner`)
      expect([partner.address, partner.sizeBytes]).toEqual([row.address, row.sizeBytes])
      expect(partner.requestedBytes).toBeLessThanOrEqual(partner.sizeBytes)
      expect(partner.segmentBytes).toBeGreaterThanOrEqual(partner.sizeBytes)
      expect(op).toBeNull()
      const back = await engine.value('join.allocation', { ...pairIds(), allocationId: partner.allocationId })
      expect(back.partner?.allocationId).toBe(row.allocationId)
    }
  })

  test('an allocation of the snapshot has its op, step, annotations and kernels in the trace', async () => {
    const rows = await someAllocations(trace, 60)
    const ops: JoinedOp[] = []
    for (const row of rows) {
      const { partner } = await engine.value('join.allocation', { ...backIds(), allocationId: row.allocationId })
      const { op } = await engine.value('join.allocation', { ...pairIds(), allocationId: partner?.allocationId ?? -1 })
      if (!op) throw new Error('the trace is the partner: there is an op')
      await expectAround(op, row.allocTimeNs ?? Number.NaN)
      await expectLaunched(op)
      ops.push(op)
    }
    const share = (passes: (op: JoinedOp) => boolean) => ops.filter(passes).length / ops.length
    expect(share(({ op }) => op !== null)).toBeGreaterThan(0.8)
    expect(share(({ step }) => step !== null)).toBeGreaterThan(0.9)
    expect(share(({ kernels }) => kernels.length > 0)).toBeGreaterThan(0.5)
  })

  test('what the trace did not record has no partner; what is of another run neither', async () => {
    const [before] = await someAllocations(snapshot, 1)
    expect(await engine.value('join.allocation', { ...pairIds(), allocationId: before?.allocationId ?? -1 })).toEqual({
      partner: null,
      op: null,
    })
    const made = await madeBy(trace, 0)
    const question = { captureId: trace.captureId, partnerId: other.captureId, allocationId: made?.allocationId ?? 0 }
    expect(await engine.value('join.allocation', question)).toEqual({ partner: null, op: null })
    expect(codeOf(await engine.ask('join.allocation', { ...pairIds(), allocationId: 10_000_000 }).answer)).toBe('query/bad_argument')
  })

  test('questions from both sides at once do not wait for each other forever', async () => {
    const made = await madeBy(trace, 0)
    const there = { ...backIds(), allocationId: made?.allocationId ?? 0 }
    const { partner } = await engine.value('join.allocation', there)
    const here = { ...pairIds(), allocationId: partner?.allocationId ?? 0 }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? engine.value('join.allocation', here) : engine.value('join.allocation', there))),
    )
    expect(answers.filter(({ partner: found }) => found === null)).toEqual([])
  })
})

describe('join.time', () => {
  test('an event that both recorded is the same event, there and back', async () => {
    for (const row of await someAllocations(trace, 15)) {
      const there = await engine.value('join.time', { ...backIds(), device: 0, event: row.allocEvent, timeNs: null })
      const { partner } = await engine.value('join.allocation', { ...backIds(), allocationId: row.allocationId })
      expect(there.moment).toEqual({ event: partner?.allocEvent, timeNs: partner?.allocTimeNs, isSameEvent: true, isInside: true })
      const back = await engine.value('join.time', { ...pairIds(), device: 0, event: there.moment?.event ?? 0, timeNs: null })
      expect(back.moment).toMatchObject({ event: row.allocEvent, timeNs: row.allocTimeNs, isSameEvent: true })
    }
  })

  test('events between keep their order', async () => {
    const events = trace.devices.find(({ device }) => device === 0)?.eventCount ?? 0
    let last = -1
    for (let event = 0; event < events; event += 7) {
      const { moment } = await engine.value('join.time', { ...backIds(), device: 0, event, timeNs: null })
      expect(moment?.event).toBeGreaterThanOrEqual(last)
      last = moment?.event ?? last
    }
  })

  test('a time is that time by the clock of the other; outside of what it recorded it says so', async () => {
    const { offsetNs } = await match()
    const [device] = snapshot.devices
    const late = (device?.lastTimeNs ?? 0) - 1e6
    const inside = await engine.value('join.time', { ...pairIds(), device: 0, event: null, timeNs: late })
    expect(inside.moment).toMatchObject({ timeNs: late - (offsetNs ?? 0), isInside: true, isSameEvent: false })
    const outside = await engine.value('join.time', { ...pairIds(), device: 0, event: null, timeNs: 0 })
    expect(outside.moment).toMatchObject({ event: -1, isInside: false })
  })

  test('captures of two runs have no moment in common', async () => {
    const question = { captureId: trace.captureId, partnerId: other.captureId, device: 0, event: 3, timeNs: null }
    expect(await engine.value('join.time', question)).toEqual({ moment: null })
  })

  test('wants an event or a time, not both', async () => {
    for (const [event, timeNs] of [
      [1, 1],
      [null, null],
    ])
      expect(codeOf(await engine.ask('join.time', { ...pairIds(), device: 0, event, timeNs }).answer)).toBe('query/bad_argument')
  })
})

test('a pair is forgotten when one of its captures is closed', async () => {
  const own = await engine.open('snapshot')
  expect((await match(own)).verdict).toBe('same_run')
  await engine.value('capture.close', { captureId: own.captureId })
  const ask = engine.ask('join.match', { snapshotId: own.captureId, traceId: trace.captureId, device: 0 })
  expect(codeOf(await ask.answer)).toBe('query/unknown_capture')
  expect((await engine.value('join.candidates', { captureId: trace.captureId })).candidates).toHaveLength(1)
})

test('a cancelled comparison can be asked again', async () => {
  const own = await engine.open('snapshot')
  const first = engine.ask('join.match', { snapshotId: own.captureId, traceId: trace.captureId, device: 0 })
  engine.cancel(first.id)
  expect(['query/cancelled', 'no failure']).toContain(codeOf(await first.answer))
  expect((await match(own)).verdict).toBe('same_run')
  await engine.value('capture.close', { captureId: own.captureId })
})

describe('real runs', () => {
  test.each(known)('$name: snapshot and trace are of one run, no other is', async ({ name, device }) => {
    const [own, partner] = [await engine.open(`${name} snapshot`), await engine.open(`${name} trace`)]
    const found = await match(own, partner, device)
    expect(found).toMatchObject({ verdict: 'same_run', reason: null, share: 1 })
    expect((await engine.value('join.candidates', { captureId: own.captureId })).candidates.map(({ captureId }) => captureId)).toEqual([
      partner.captureId,
    ])
    expect((await match(own, trace)).verdict).toBe(device === 0 ? 'other_run' : 'unknown')
    expect((await match(snapshot, partner)).verdict).toBe(device === 0 ? 'other_run' : 'unknown')
    for (const { captureId } of [own, partner]) await engine.value('capture.close', { captureId })
  })

  test.runIf(files['healthy/trace_full_nostack/snapshot.pickle'])('a snapshot without history cannot be compared', async () => {
    const [own, partner] = [
      await engine.open('healthy/trace_full_nostack/snapshot.pickle'),
      await engine.open('healthy/trace_full_nostack/trace.json.gz'),
    ]
    expect(await match(own, partner)).toMatchObject({ verdict: 'unknown', reason: 'no_memory' })
  })
})
