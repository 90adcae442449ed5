// Holds the layout of memory in an index against the slow reference: every column of the relations of space after an event.
import { expect } from 'vitest'
import { type BlockRow, Playback, returnableBytes, type SegmentRow, spaceTotals } from '../reference/playback.ts'
import type { RefReplay } from '../reference/replay.ts'
import type { RefSnapshot } from '../reference/snapshot.ts'
import type { IndexFile, Row } from '../support/index-file.ts'
import { randomIntegers } from '../support/random.ts'

/** Of a layout with more blocks than this, the blocks of some segments only are compared one by one. */
const mostBlocks = 20_000

const hex = (address: bigint) => `0x${address.toString(16)}`
const stateOf = { free: 'inactive', allocated: 'active_allocated', pending: 'active_pending_free' } as const

/** Compares memory_curve, block_map and segment_map after each of `events` (ascending, −1 = before the first). */
export async function expectSpace(index: IndexFile, file: RefSnapshot, run: RefReplay, events: readonly number[]): Promise<void> {
  const playback = new Playback(file, run)
  const [first = 0] = await index.column('SELECT first_allocation_id FROM device WHERE device = ?', [run.device])
  for (const event of events) {
    const segments = playback.after(event)
    const where = `device ${run.device} after event ${event}`
    await expectCurveRow(index, run.device, event, segments, where)
    const chosen = someSegments(segments, event)
    expectRows(await blockRows(index, run.device, event, chosen), wantedBlocks(chosen, Number(first)), where)
    expectRows(await segmentRows(index, run.device, event), segments.map(wantedSegment), where)
    if (chosen === segments) await expectStacks(index, run.device, event, where)
  }
}

const blockCount = (segments: readonly SegmentRow[]) => segments.reduce((sum, { blocks }) => sum + blocks.length, 0)

/** All segments, or where they have too many blocks the first ones from a random place on that have few enough. */
function someSegments(segments: readonly SegmentRow[], seed: number): readonly SegmentRow[] {
  if (blockCount(segments) <= mostBlocks) return segments
  const from = randomIntegers(seed)(segments.length)
  const following = segments.slice(from)
  const fitting = following.filter((_, place) => blockCount(following.slice(0, place + 1)) <= mostBlocks)
  return fitting.length > 0 ? fitting : following.slice(0, 1)
}

/** Equality that names the first difference. */
function expectRows(found: readonly Row[], wanted: readonly Row[], where: string): void {
  const differs = (row: Row, place: number) => Object.keys(row).some((key) => row[key] !== found[place]?.[key])
  const at = wanted.findIndex(differs)
  if (at >= 0) expect({ row: at, ...found[at] }, where).toEqual({ row: at, ...wanted[at] })
  expect(found.length, where).toBe(wanted.length)
}

async function expectCurveRow(index: IndexFile, device: number, event: number, segments: readonly SegmentRow[], where: string) {
  const totals = spaceTotals(segments)
  const found = await index.all(
    `SELECT allocated_bytes, active_bytes, reserved_bytes, requested_bytes, inactive_split_bytes, largest_free_bytes, returnable_bytes,
       free_block_count FROM memory_curve WHERE device = ? AND event = ?`,
    [device, event],
  )
  const wanted = {
    allocated_bytes: totals.allocated,
    active_bytes: totals.active,
    reserved_bytes: totals.reserved,
    requested_bytes: totals.requested,
    inactive_split_bytes: totals.inactiveSplit,
    largest_free_bytes: totals.largestFree,
    returnable_bytes: totals.returnable,
    free_block_count: totals.freeBlocks,
  }
  expect(found, where).toEqual(event < 0 ? [] : [wanted])
}

const blockRows = (index: IndexFile, device: number, event: number, segments: readonly SegmentRow[]): Promise<Row[]> =>
  index.all(
    `SELECT address, size_bytes, requested_bytes, state, allocation_id, segment_address, CAST(stream AS TEXT) AS stream, pool,
       segment_type, is_expandable FROM block_map(?, ?) WHERE segment_address IN (SELECT value FROM json_each(?))`,
    [device, event, JSON.stringify(segments.map(({ address }) => hex(address)))],
  )

const wantedBlocks = (segments: readonly SegmentRow[], firstId: number): Row[] =>
  segments.flatMap((segment) => segment.blocks.map((block) => ({ ...wantedBlock(block, firstId), ...placeOf(segment) })))

const wantedBlock = ({ address, size, requested, held, allocation }: BlockRow, firstId: number): Row => ({
  address: hex(address),
  size_bytes: size,
  requested_bytes: requested,
  state: stateOf[held],
  allocation_id: allocation === null ? null : firstId + allocation,
})

const placeOf = ({ address, ...kind }: SegmentRow): Row => ({ segment_address: hex(address), ...kindOf(kind) })

const kindOf = ({ stream, pool, small, expandable }: Omit<SegmentRow, 'address'>): Row => ({
  stream: String(stream),
  pool,
  segment_type: small ? 'small' : 'large',
  is_expandable: expandable ? 1 : 0,
})

const segmentRows = (index: IndexFile, device: number, event: number): Promise<Row[]> =>
  index.all(
    `SELECT address, total_bytes, allocated_bytes, active_bytes, requested_bytes, free_bytes, largest_free_bytes, returnable_bytes,
       block_count, free_block_count, CAST(stream AS TEXT) AS stream, pool, segment_type, is_expandable FROM segment_map(?, ?)`,
    [device, event],
  )

function wantedSegment(segment: SegmentRow): Row {
  const totals = spaceTotals([segment])
  return {
    address: hex(segment.address),
    total_bytes: segment.size,
    allocated_bytes: totals.allocated,
    active_bytes: totals.active,
    requested_bytes: totals.requested,
    free_bytes: totals.reserved - totals.active,
    largest_free_bytes: totals.largestFree,
    returnable_bytes: returnableBytes(segment),
    block_count: segment.blocks.length,
    free_block_count: totals.freeBlocks,
    ...kindOf(segment),
  }
}

/** A block has the stack of its allocation, a free one has none. */
async function expectStacks(index: IndexFile, device: number, event: number, where: string): Promise<void> {
  const wrong = await index.all(
    `SELECT address FROM block_map(?, ?) b WHERE stack_id IS NOT
       CASE WHEN allocation_id IS NULL THEN NULL ELSE (SELECT a.stack_id FROM allocation a WHERE a.allocation_id = b.allocation_id) END`,
    [device, event],
  )
  expect(wrong, where).toEqual([])
}

/** What must hold after every event, whatever is known of it. */
export async function expectLaws(index: IndexFile): Promise<void> {
  const broken = await index.all(
    `SELECT * FROM memory_curve WHERE NOT (
       requested_bytes <= active_bytes AND allocated_bytes <= active_bytes AND active_bytes <= reserved_bytes
       AND largest_free_bytes <= reserved_bytes - active_bytes AND inactive_split_bytes <= reserved_bytes - active_bytes
       AND returnable_bytes <= reserved_bytes - active_bytes AND largest_free_bytes * free_block_count >= reserved_bytes - active_bytes
       AND (free_block_count = 0) = (reserved_bytes = active_bytes)) LIMIT 1`,
  )
  expect(broken).toEqual([])
}

/** The totals of the report are the sums over block_map, by pool, stream and class and over all. */
export async function expectReport(index: IndexFile, device: number, event: number): Promise<void> {
  const [answer] = await index.column('SELECT space_report(?, ?)', [device, event])
  const { totals, groups } = JSON.parse(String(answer)) as { readonly totals: Row; readonly groups: readonly Row[] }
  const sums = `count(DISTINCT segment_address) AS segments, count(DISTINCT iif(is_expandable, segment_address, NULL)) AS expandable_segments,
     coalesce(sum(size_bytes), 0) AS reserved_bytes, count(*) AS block_count, count(*) FILTER (WHERE state = 'inactive') AS free_block_count,
     coalesce(sum(size_bytes) FILTER (WHERE state = 'active_allocated'), 0) AS allocated_bytes,
     coalesce(sum(size_bytes) FILTER (WHERE state <> 'inactive'), 0) AS active_bytes, coalesce(sum(requested_bytes), 0) AS requested_bytes,
     coalesce(sum(size_bytes) FILTER (WHERE state = 'inactive'), 0) AS free_bytes,
     coalesce(max(size_bytes) FILTER (WHERE state = 'inactive'), 0) AS largest_free_bytes`
  const [all = {}] = await index.all(`SELECT ${sums} FROM block_map(?, ?)`, [device, event])
  const where = `report of device ${device} after event ${event}`
  expect(totals, where).toMatchObject(all)
  const keys = "coalesce(pool, '') AS pool, coalesce(CAST(stream AS TEXT), '') AS stream, segment_type"
  const byGroup = await index.all(`SELECT ${keys}, ${sums} FROM block_map(?, ?) GROUP BY 1, 2, 3`, [device, event])
  const named = (rows: readonly Row[]) => Object.fromEntries(rows.map((row) => [`${row.pool} ${row.stream} ${row.segment_type}`, row]))
  expect(named(groups), where).toMatchObject(named(byGroup))
  expect(groups.length, where).toBe(byGroup.length)
}
