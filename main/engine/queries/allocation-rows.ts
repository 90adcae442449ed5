// Rows of the relation `allocation` as the contract's objects.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { type AllocationRow, categorySchema } from '../../../preload/contract/queries.ts'
import type { IndexStore, SqlParameter, SqlRow } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { cutText, numberOf, numberOrNull, textOf, textOrNull } from './row.ts'

/** Stream handles are 64-bit, so they leave SQLite as text. A trace knows no streams and pools, and no address of its floor: these are ''. */
export const allocationColumns = `allocation_id, device, coalesce(address, '') AS address, version, requested_bytes, size_bytes,
  coalesce(CAST(stream AS TEXT), '') AS stream, coalesce(${cutText('pool')}, '') AS pool,
  segment_address, alloc_event, free_requested_event, free_completed_event, alloc_time_ns, free_time_ns, coalesce(stack_id, -1) AS stack_id,
  slot, free_request_unseen, stack_is_of_free, category_of(device, allocation_id) AS category`

/** Rows with the titles of their stacks, in the order given. Errors: as the store. */
export async function toAllocations(capture: OpenCapture, rows: readonly SqlRow[]): Promise<Result<AllocationRow[]>> {
  const titles = await capture.titles.of(rows.map((row) => numberOf(row, 'stack_id')))
  if (!titles.ok) return titles
  return ok(
    rows.map((row) => {
      const stackId = numberOf(row, 'stack_id')
      return {
        allocationId: numberOf(row, 'allocation_id'),
        address: textOf(row, 'address'),
        version: numberOf(row, 'version'),
        requestedBytes: numberOf(row, 'requested_bytes'),
        sizeBytes: numberOf(row, 'size_bytes'),
        stream: textOf(row, 'stream'),
        pool: textOf(row, 'pool'),
        segmentAddress: textOrNull(row, 'segment_address'),
        allocEvent: numberOrNull(row, 'alloc_event'),
        freeRequestedEvent: numberOrNull(row, 'free_requested_event'),
        freeCompletedEvent: numberOrNull(row, 'free_completed_event'),
        allocTimeNs: numberOrNull(row, 'alloc_time_ns'),
        freeTimeNs: numberOrNull(row, 'free_time_ns'),
        stackId,
        slot: numberOf(row, 'slot'),
        categoryName: categorySchema.parse(row.category),
        ...titles.value(stackId),
      }
    }),
  )
}

/** The first row that `where` finds. Errors: as the store. */
export const findRow = (store: IndexStore, where: string, parameters: readonly SqlParameter[]): Promise<Result<SqlRow | undefined>> =>
  store.get(`SELECT ${allocationColumns} FROM allocation WHERE ${where} LIMIT 1`, parameters)

/** The first allocation that `where` finds, or null. Errors: as the store. */
export async function findAllocation(
  capture: OpenCapture,
  where: string,
  parameters: readonly SqlParameter[],
): Promise<Result<{ allocation: AllocationRow | null }>> {
  const row = await findRow(capture.store, where, parameters)
  if (!row.ok) return row
  const allocations = await toAllocations(capture, row.value ? [row.value] : [])
  return allocations.ok ? ok({ allocation: allocations.value[0] ?? null }) : allocations
}

/** The allocation of that id, or null. Errors: as the store. */
export const readAllocation = (capture: OpenCapture, allocationId: number): Promise<Result<{ allocation: AllocationRow | null }>> =>
  findAllocation(capture, 'allocation_id = ?', [allocationId])

/** The allocations of these ids, in no order; ids without one are left out. Errors: as the store. */
export async function readAllocations(capture: OpenCapture, allocationIds: readonly number[]): Promise<Result<AllocationRow[]>> {
  // The cross join asks the relation id by id instead of reading all of it.
  const rows = await capture.store.all(
    `SELECT ${allocationColumns} FROM json_each(?) AS wanted CROSS JOIN allocation ON allocation_id = wanted.value`,
    [JSON.stringify(allocationIds)],
  )
  return rows.ok ? toAllocations(capture, rows.value) : rows
}
