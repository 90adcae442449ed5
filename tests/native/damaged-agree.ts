// Holds the curves of a device against its layout where the history contradicts the file: everything that is said of a moment must agree.
import { expect } from 'vitest'
import { type BlockRow, type SegmentRow, spaceTotals } from '../reference/playback.ts'
import { rulesOf } from '../reference/rules.ts'
import type { RefSnapshot } from '../reference/snapshot.ts'
import { f64, readBatch } from '../support/batch.ts'
import type { IndexFile, Row } from '../support/index-file.ts'
import { expectReport } from './space-agree.ts'

const heldOf = { inactive: 'free', active_allocated: 'allocated', active_pending_free: 'pending' } as const

/** The segments that block_map tells of, with the blocks in them; fails where these do not tile a segment of segment_map. */
async function segmentsOf(index: IndexFile, device: number, event: number): Promise<SegmentRow[]> {
  const blocks = await index.all('SELECT * FROM block_map(?, ?)', [device, event])
  const bySegment = groupBy(blocks, (block) => String(block.segment_address))
  const segments = await index.all('SELECT * FROM segment_map(?, ?)', [device, event])
  expect(bySegment.size).toBe(segments.length)
  return segments.map((row) => {
    const segment = segmentRow(row, (bySegment.get(String(row.address)) ?? []).map(blockRow))
    let next = segment.address
    for (const { address, size } of segment.blocks) {
      expect(address, `device ${device} after event ${event}`).toBe(next)
      next += BigInt(size)
    }
    expect(next, `end of a segment, device ${device} after event ${event}`).toBe(segment.address + BigInt(segment.size))
    return segment
  })
}

function groupBy<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

const segmentRow = (row: Row, blocks: BlockRow[]): SegmentRow => ({
  address: BigInt(String(row.address)),
  size: Number(row.total_bytes),
  stream: 0n,
  pool: null,
  small: row.segment_type === 'small',
  expandable: row.is_expandable === 1,
  blocks,
})

const blockRow = (row: Row): BlockRow => ({
  address: BigInt(String(row.address)),
  size: Number(row.size_bytes),
  requested: Number(row.requested_bytes),
  held: heldOf[row.state as keyof typeof heldOf],
  allocation: row.allocation_id === null ? null : Number(row.allocation_id),
})

/** What is said of each of `events` (−1 = before the first) by curves, layout, live allocations and the report. */
export async function expectOneStory(index: IndexFile, device: number, events: readonly number[]): Promise<void> {
  for (const event of events) {
    const where = `device ${device} after event ${event}`
    const segments = await segmentsOf(index, device, event)
    const totals = spaceTotals(segments)
    expect(await curveAt(index, device, event), where).toEqual(totals)
    await expectReport(index, device, event)
    await expectWhole(index, device, event)
    if (event < 0) continue
    const [alive] = await index.column('SELECT coalesce(sum(size_bytes), 0) FROM live_allocation(?, ?)', [device, event])
    expect(alive, `alive, ${where}`).toBe(totals.allocated)
  }
}

const columnsOf = (name: (curve: string) => string) =>
  `${name('allocated_bytes')} AS allocated, ${name('active_bytes')} AS active, ${name('reserved_bytes')} AS reserved, ${name('requested_bytes')} AS requested,
   ${name('inactive_split_bytes')} AS inactiveSplit, ${name('largest_free_bytes')} AS largestFree, ${name('returnable_bytes')} AS returnable,
   ${name('free_block_count')} AS freeBlocks`

async function curveAt(index: IndexFile, device: number, event: number): Promise<Row | undefined> {
  const ofStart = `SELECT ${columnsOf((curve) => `start_${curve}`)} FROM device WHERE device = ?`
  const ofEvent = `SELECT ${columnsOf((curve) => curve)} FROM memory_curve WHERE device = ? AND event = ?`
  const [row] = event < 0 ? await index.all(ofStart, [device]) : await index.all(ofEvent, [device, event])
  return row
}

/** No block of the layout is shorter than its allocation. That none is missing, the active bytes of the curve tell. */
async function expectWhole(index: IndexFile, device: number, event: number): Promise<void> {
  const cut = await index.all(
    'SELECT b.address, b.size_bytes FROM block_map(?, ?) b JOIN allocation a ON a.allocation_id = b.allocation_id WHERE a.size_bytes <> b.size_bytes',
    [device, event],
  )
  expect(cut, `device ${device} after event ${event}`).toEqual([])
}

/** The bytes of a heat map's columns, one an event, are the allocated curve. */
export async function expectHeatMap(index: IndexFile, device: number, from: number, to: number): Promise<void> {
  for (const order of ['address', 'allocation']) {
    const [space] = await index.column('SELECT lifetime_space(?, ?)', [device, order])
    if (JSON.parse(String(space)).y1 === 0) continue // nothing was ever reserved
    const [blob] = await index.column("SELECT lifetime_raster(?, 'event', ?, ?, ?, 64, ?, 0, ?, 'bytes', 'linear', '')", [
      device,
      from,
      to,
      to - from,
      order,
      JSON.parse(String(space)).y1,
    ])
    const curve = await index.column('SELECT allocated_bytes FROM memory_curve WHERE device = ? AND event >= ? AND event < ?', [
      device,
      from,
      to,
    ])
    const found = f64(readBatch(blob), 'column_total')
    curve.forEach((bytes, at) => {
      expect(Math.abs((found[at] ?? 0) - Number(bytes)), `${order}, event ${from + at}`).toBeLessThanOrEqual(1e-9 * Number(bytes))
    })
  }
}

/**
 * An allocation that is smaller than its block at the end, or than the allocator would have made it, ends where something else begins or
 * ends in its life; none is larger.
 */
export async function expectReasons(index: IndexFile, device: number, file: RefSnapshot): Promise<void> {
  const rules = rulesOf(file.settings)
  const blocks = file.segments.filter((segment) => segment.device === device).flatMap((segment) => segment.blocks)
  const left = new Map(blocks.filter(({ state }) => state !== 'inactive').map(({ address, size }) => [address, size]))
  const wholeSize = (row: Row): number =>
    (row.free_completed_event === null ? left.get(BigInt(String(row.address))) : undefined) ?? rules.round(Number(row.requested_bytes))
  const rows = await index.all(
    'SELECT allocation_id AS id, address, requested_bytes, size_bytes, alloc_event, free_completed_event FROM allocation WHERE device = ?',
    [device],
  )
  const starts = groupBy(rows, ({ address }) => BigInt(String(address)))
  const reservations = await index.all('SELECT address, size_bytes FROM reservation WHERE device = ?', [device])
  const edges = new Set(
    reservations.flatMap(({ address, size_bytes }) => [BigInt(String(address)), BigInt(String(address)) + BigInt(Number(size_bytes))]),
  )
  for (const row of rows) {
    expect(Number(row.size_bytes), `allocation ${row.id}`).toBeLessThanOrEqual(wholeSize(row))
    if (Number(row.size_bytes) === wholeSize(row)) continue
    const end = BigInt(String(row.address)) + BigInt(Number(row.size_bytes))
    const other = (starts.get(end) ?? []).some((each) => each.id !== row.id && meet(each, row))
    expect(other || edges.has(end), `allocation ${row.id} ends at ${end.toString(16)} for a reason`).toBe(true)
  }
}

/** Whether two allocations may have been there at one time; what no event made may have come at any. */
const meet = (a: Row, b: Row): boolean => begin(a) < end(b) && begin(b) < end(a)
const begin = (row: Row): number => Number(row.alloc_event ?? -1)
const end = (row: Row): number => Number(row.free_completed_event ?? Number.POSITIVE_INFINITY)
