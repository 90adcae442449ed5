// The shared filter of allocations as a condition on rows: that of the native library (native/README.md, Filters), asked row by row.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore, SqlParameter } from '../index-store.ts'

export interface RowCondition {
  readonly sql: string // about the columns of `allocation`; holds for every row when there is no filter
  readonly parameters: readonly SqlParameter[]
}

/** What an allocation must be to pass; '' lets everything pass. `checkFilter` comes first. */
export const rowCondition = (json: string): RowCondition =>
  json === '' ? { sql: 'true', parameters: [] } : { sql: 'allocation_passes(device, allocation_id, ?)', parameters: [json] }

/** Refuses what is no filter, also where there are no rows to ask about. Errors: `query/bad_argument`, as the store. */
export async function checkFilter(store: IndexStore, device: number, json: string): Promise<Result<void>> {
  const asked = json === '' ? ok(undefined) : await store.get('SELECT allocation_passes(?, NULL, ?) AS answer', [device, json])
  return asked.ok ? ok(undefined) : asked
}
