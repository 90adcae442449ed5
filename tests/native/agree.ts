// Holds an index against the independent reference, event by event and allocation by allocation.
import { expect } from 'vitest'
import { curveNames, type RefAllocation, type RefReplay, replay } from '../reference/replay.ts'
import { rulesOf } from '../reference/rules.ts'
import type { RefEvent, RefSnapshot } from '../reference/snapshot.ts'
import type { IndexFile, Row } from '../support/index-file.ts'
import { someEvents } from '../support/random.ts'
import { expectOneStory } from './damaged-agree.ts'

/** Devices that a file says anything about. */
export function devicesOf(file: RefSnapshot): number[] {
  const traced = file.traces.flatMap((events, device) => (events.length > 0 ? [device] : []))
  return [...new Set([...traced, ...file.segments.map((segment) => segment.device)])].sort((a, b) => a - b)
}

/** Compares everything that the index says of every device. Answers the reference's replays. */
export async function expectAgreement(index: IndexFile, file: RefSnapshot): Promise<RefReplay[]> {
  const startUs = Number((await index.column('SELECT start_unix_us FROM capture'))[0] ?? 0)
  const replays = devicesOf(file).map((device) => replay(file, device))
  for (const run of replays) {
    expectEqual(await eventRows(index, run.device), wantedEvents(file.traces[run.device] ?? [], startUs))
    const rows = await allocationRows(index, run)
    expectEqual(rows, run.exact ? wantedAllocations(run) : endedEarlier(wantedAllocations(run), rows, file, run))
    if (run.exact) await expectCurves(index, run)
    else await expectOneStory(index, run.device, someEvents(run.device, run.eventCount, 4))
    await expectConservation(index, run)
    await expectDevice(index, file, run)
  }
  return replays
}

/** Equality that names the first difference: a diff of 100,000 rows helps nobody. */
function expectEqual(found: readonly unknown[], wanted: readonly unknown[]): void {
  const texts = found.map((row) => JSON.stringify(row))
  const at = wanted.findIndex((row, place) => JSON.stringify(row) !== texts[place])
  if (at >= 0) expect({ row: at, ...(found[at] as object) }).toEqual({ row: at, ...(wanted[at] as object) })
  expect(found.length).toBe(wanted.length)
}

const hex = (address: bigint) => `0x${address.toString(16)}`

const eventRows = (index: IndexFile, device: number): Promise<Row[]> =>
  index.all(
    'SELECT event, action, address, size_bytes, CAST(stream AS TEXT) AS stream, time_ns, device_free_bytes FROM event WHERE device = ? ORDER BY event',
    [device],
  )

/** Times that go back are shown as the latest so far. */
function wantedEvents(events: readonly RefEvent[], startUs: number): unknown[] {
  let latest = Number.NEGATIVE_INFINITY
  return events.map((event, place) => {
    latest = Math.max(latest, event.timeUs ?? latest)
    return {
      event: place,
      action: event.action,
      address: event.address === 0n ? null : hex(event.address), // an oom names none
      size_bytes: event.size,
      stream: String(event.stream),
      time_ns: event.timeUs === null ? null : (latest - startUs) * 1000,
      device_free_bytes: event.deviceFree,
    }
  })
}

/** Sizes that a replay could not settle are left out on both sides. */
async function allocationRows(index: IndexFile, run: RefReplay): Promise<Row[]> {
  const rows = await index.all(
    `SELECT address, version, requested_bytes, size_bytes, alloc_event, free_requested_event, free_completed_event, alloc_known,
       free_request_unseen
     FROM allocation WHERE device = ? ORDER BY allocation_id`,
    [run.device],
  )
  return run.exact ? rows : rows.map(({ size_bytes, ...rest }) => rest)
}

const isKnown = ({ allocEvent, isUnseen }: RefAllocation) => allocEvent >= 0 && !isUnseen

function wantedAllocations(run: RefReplay): Row[] {
  return run.allocations.map((allocation) => ({
    address: hex(allocation.address),
    version: allocation.version,
    requested_bytes: allocation.requested,
    ...(run.exact ? { size_bytes: allocation.size } : {}),
    alloc_event: isKnown(allocation) ? allocation.allocEvent : null,
    free_requested_event: allocation.pendingAtStart || allocation.isUnseen ? null : allocation.freeRequested,
    free_completed_event: allocation.freeCompleted,
    alloc_known: isKnown(allocation) ? 1 : 0,
    free_request_unseen: allocation.pendingAtStart || (allocation.isUnseen && allocation.freeRequested !== null) ? 1 : 0,
  }))
}

/**
 * The wanted rows of a device that is not exact. The reference ends an allocation without a free at the next use of its address, or with
 * the trace; the index may end it earlier, where its memory is used again or given back.
 */
function endedEarlier(wanted: readonly Row[], found: readonly Row[], file: RefSnapshot, run: RefReplay): Row[] {
  const events = file.traces[run.device] ?? []
  const rules = rulesOf(file.settings)
  const touches = ({ action, address, size }: RefEvent, row: Row) => {
    const bytes = action === 'alloc' ? rules.round(size) : action.startsWith('segment_') ? size : 0
    const start = BigInt(String(row.address))
    return address < start + BigInt(rules.round(Number(row.requested_bytes))) && start < address + BigInt(bytes)
  }
  const isFree = ({ action, address }: RefEvent, row: Row) => /^free(_completed)?$/.test(action) && hex(address) === row.address
  return wanted.map((row, place) => {
    const late = row.free_completed_event
    const early = found[place]?.free_completed_event
    if (typeof late !== 'number' || typeof early !== 'number' || early >= late) return row
    const [closing, reason] = [events[late], events[early]]
    if (closing === undefined || reason === undefined || isFree(closing, row) || !touches(reason, row)) return row
    const requested = row.free_requested_event
    return { ...row, free_completed_event: early, free_requested_event: typeof requested === 'number' ? Math.min(requested, early) : null }
  })
}

async function expectCurves(index: IndexFile, run: RefReplay): Promise<void> {
  const columns = curveNames.map((name) => `${name}_bytes`).join(', ')
  const found = await index.all(`SELECT ${columns} FROM memory_curve WHERE device = ? ORDER BY event`, [run.device])
  const wanted = Array.from({ length: run.eventCount }, (_, event) =>
    Object.fromEntries(curveNames.map((name) => [`${name}_bytes`, run.curves[name][event] ?? 0])),
  )
  expectEqual(found, wanted)
}

/** What is alive after an event adds up to the curve. */
async function expectConservation(index: IndexFile, { device, eventCount }: RefReplay): Promise<void> {
  for (const event of new Set([0, eventCount >> 1, eventCount - 1].filter((each) => each >= 0 && each < eventCount))) {
    const [alive] = await index.column('SELECT coalesce(sum(size_bytes), 0) FROM live_allocation(?, ?)', [device, event])
    const [curve] = await index.column('SELECT allocated_bytes FROM memory_curve WHERE device = ? AND event = ?', [device, event])
    expect(alive, `alive after event ${event}`).toBe(curve)
  }
}

/** End numbers come from the segments whatever the replay says; the peak is the largest of the start and all events, the first such. */
async function expectDevice(index: IndexFile, file: RefSnapshot, run: RefReplay): Promise<void> {
  const [found] = await index.all(
    `SELECT event_count, reserved_bytes, allocated_bytes, active_bytes, requested_bytes, exact, peak_allocated_bytes, peak_event
     FROM device WHERE device = ?`,
    [run.device],
  )
  const blocks = file.segments.filter((segment) => segment.device === run.device).flatMap((segment) => segment.blocks)
  const sum = (states: readonly string[], key: 'size' | 'requested') =>
    blocks.filter((block) => states.includes(block.state)).reduce((total, block) => total + block[key], 0)
  const active = ['active_allocated', 'active_pending_free']
  expect(found).toMatchObject({
    event_count: run.eventCount,
    reserved_bytes: file.segments.filter((segment) => segment.device === run.device).reduce((total, segment) => total + segment.size, 0),
    allocated_bytes: sum(['active_allocated'], 'size'),
    active_bytes: sum(active, 'size'),
    requested_bytes: sum(active, 'requested'),
    exact: run.exact ? 1 : 0,
    ...(run.exact ? peakOf(run) : {}),
  })
}

function peakOf(run: RefReplay) {
  let peak = { peak_allocated_bytes: run.start.allocated, peak_event: -1 }
  run.curves.allocated.forEach((bytes, event) => {
    if (bytes > peak.peak_allocated_bytes) peak = { peak_allocated_bytes: bytes, peak_event: event }
  })
  return peak
}
