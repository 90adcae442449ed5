// Compares the index of a healthy trace with the reference, slice by slice.
import { expect } from 'vitest'
import type { ReferenceSlice, ReferenceTrace } from '../reference/trace.ts'
import { memoryOf, type ReferenceDevice } from '../reference/trace-memory.ts'
import { type Nested, nest, rowsOf } from '../reference/trace-nesting.ts'
import type { IndexFile, Row } from '../support/index-file.ts'

const threadSlices = `SELECT s.slice_id, s.track_id, t.pid, t.tid, s.name, s.category, s.start_ns, s.dur_ns, s.depth, s.parent_id, s.is_unfinished,
    s.external_id, s.correlation, l.is_spill FROM slice s JOIN track t USING (track_id)
    JOIN lane l ON l.track_id = s.track_id AND s.slice_id >= l.first_slice AND s.slice_id < l.first_slice + l.slice_count WHERE t.kind IN ('thread', 'stream') ORDER BY slice_id`

const lineOf = (parts: readonly unknown[]) => parts.map((part) => String(part ?? '∅')).join(' | ')
const bare = (key: string) => (key === 'none' ? '' : key.replace(/^(?:number|text) /, ''))

/** The file's time of the index's zero: by the earliest slice. */
export function originNs(trace: ReferenceTrace, rows: readonly Row[]): bigint {
  const [earliest = 0n] = trace.slices.map(({ startNs }) => startNs).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return earliest - BigInt(Math.min(...rows.map((row) => Number(row.start_ns))))
}

const referenceLine = ({ slice, startNs, endNs }: Nested, origin: bigint) =>
  lineOf([
    bare(slice.pid),
    bare(slice.tid),
    slice.name,
    slice.category,
    startNs - origin,
    endNs - startNs,
    slice.isUnfinished ? 1 : 0,
    slice.externalId,
    slice.correlation,
  ])

const indexLine = (row: Row) =>
  lineOf([
    row.pid ?? '',
    row.tid ?? '',
    row.name,
    row.category ?? '',
    row.start_ns,
    row.dur_ns,
    row.is_unfinished,
    row.external_id,
    row.correlation,
  ])

/** Lanes hold no two slices at one time, and every parent contains its child on the same track. */
async function expectSoundLanes(index: IndexFile, rows: readonly Row[]): Promise<void> {
  const lanes = await index.all('SELECT first_slice, slice_count FROM lane ORDER BY lane_id')
  expect(lanes.reduce((sum, lane) => sum + Number(lane.slice_count), 0)).toBe(Number((await index.column('SELECT count(*) FROM slice'))[0]))
  const overlapping = await index.all(
    `SELECT s.slice_id FROM (SELECT slice_id, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY lane_id ORDER BY slice_id) AS before_ns
       FROM slice JOIN lane ON slice_id >= first_slice AND slice_id < first_slice + slice_count) s WHERE s.start_ns < s.before_ns LIMIT 5`,
  )
  expect(overlapping).toEqual([])
  const byId = new Map(rows.map((row) => [row.slice_id, row]))
  const end = (row: Row) => Number(row.start_ns) + Number(row.dur_ns)
  const wrong = rows.filter((row) => {
    const parent = row.parent_id === null ? undefined : byId.get(row.parent_id)
    if (row.parent_id === null) return false
    return (
      parent === undefined || parent.track_id !== row.track_id || Number(parent.start_ns) > Number(row.start_ns) || end(parent) < end(row)
    )
  })
  expect(wrong.slice(0, 5)).toEqual([])
}

/** Every slice's parent, and the depth of all that are not in spill lanes. */
function expectParents(nested: readonly Nested[], rows: readonly Row[], origin: bigint): void {
  const shape = (name: string, startNs: unknown, durNs: unknown) => `${name} ${startNs} ${durNs}`
  const wanted = nested.map(({ slice, startNs, endNs, parent, depth }) =>
    lineOf([
      shape(slice.name, startNs - origin, endNs - startNs),
      depth,
      parent === null ? null : shape(parent.slice.name, parent.startNs - origin, parent.endNs - parent.startNs),
    ]),
  )
  const byId = new Map(rows.map((row) => [row.slice_id, row]))
  const found = rows.map((row) => {
    const parent = row.parent_id === null ? undefined : byId.get(row.parent_id)
    const of = (each: Row) => shape(String(each.name), each.start_ns, each.dur_ns)
    return lineOf([of(row), row.is_spill === 1 ? null : row.depth, parent === undefined ? null : of(parent)])
  })
  expect(found.sort()).toEqual(wanted.sort())
}

async function expectSums(index: IndexFile, slices: readonly ReferenceSlice[]): Promise<void> {
  const sums = new Map<string, [number, bigint]>()
  for (const { category, durNs } of slices) {
    const [count, total] = sums.get(category) ?? [0, 0n]
    sums.set(category, [count + 1, total + durNs])
  }
  const rows = await index.all(
    `SELECT coalesce(category, '') AS category, count(*) AS n, sum(dur_ns) AS total FROM slice JOIN track USING (track_id)
     WHERE kind IN ('thread', 'stream') GROUP BY 1`,
  )
  expect(new Map(rows.map((row) => [row.category, [row.n, BigInt(row.total as number)]]))).toEqual(sums)
}

/** Slices, nesting, sums. Answers the number of overlaps. */
export async function expectTraceAgreement(index: IndexFile, trace: ReferenceTrace): Promise<number> {
  const rows = await index.all(threadSlices)
  const origin = originNs(trace, rows)
  const nestedRows = [...rowsOf(trace.slices)].map(([key, row]) => [key, nest(row)] as const)
  const wanted = nestedRows.flatMap(([, row]) => row).map((nested) => referenceLine(nested, origin))
  expect(rows.map(indexLine).sort()).toEqual(wanted.sort())
  expect(await index.column('SELECT event_count FROM capture')).toEqual([trace.eventCount])
  await expectSoundLanes(index, rows)
  if (!trace.slices.some(({ isUnfinished }) => isUnfinished)) await expectSums(index, trace.slices)
  for (const [, row] of nestedRows) {
    const [{ slice } = { slice: undefined }] = row
    const track = rows.filter((each) => (each.pid ?? '') === bare(slice?.pid ?? '') && (each.tid ?? '') === bare(slice?.tid ?? ''))
    expectParents(row, track, origin)
  }
  return nestedRows.flatMap(([, row]) => row).filter(({ depth }) => depth === null).length
}

const deviceNumber = ({ deviceType, deviceId }: ReferenceDevice) => (deviceType === 0 ? -1 : deviceId)

/** Floors, curves, lives and peaks of every device. */
export async function expectMemoryAgreement(index: IndexFile, trace: ReferenceTrace): Promise<readonly ReferenceDevice[]> {
  const devices = memoryOf(trace.memory)
  for (const device of devices) {
    const number = deviceNumber(device)
    const curve = await index.all('SELECT allocated_bytes, reserved_bytes FROM memory_curve WHERE device = ? ORDER BY event', [number])
    expect(curve.map((row) => row.allocated_bytes)).toEqual(device.allocated)
    expect(curve.map((row) => row.reserved_bytes)).toEqual(device.reserved)
    const lives = await index.all(
      'SELECT address, size_bytes, alloc_event, free_event FROM trace_allocation WHERE device = ? AND alloc_event IS NOT NULL ORDER BY alloc_event',
      [number],
    )
    expect(lives.map((row) => Object.values(row))).toEqual(
      device.lives.map(({ address, bytes, allocEvent, freeEvent }) => [`0x${address.toString(16)}`, bytes, allocEvent, freeEvent]),
    )
    const [row] = await index.all('SELECT event_count, peak_allocated_bytes, start_allocated_bytes, exact FROM device WHERE device = ?', [
      number,
    ])
    expect(row).toEqual({
      event_count: device.allocated.length,
      peak_allocated_bytes: device.peakBytes,
      start_allocated_bytes: device.floorBytes,
      exact: device.addsUp ? 1 : 0,
    })
  }
  const held = devices.filter(({ allocated }) => allocated.length > 0).map(deviceNumber)
  expect(await index.column('SELECT device FROM device ORDER BY device')).toEqual([...held].sort((a, b) => a - b))
  return devices
}
