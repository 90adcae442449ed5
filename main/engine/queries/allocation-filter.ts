// The shared filter of allocations as a condition on rows: the same meaning as in the native library (native/README.md, Filters).
import { z } from 'zod'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { SqlParameter } from '../index-store.ts'

const count = z.number().int().nonnegative()
const filterSchema = z.strictObject({
  min_bytes: count.optional(),
  most_events: count.optional(),
  never_freed: z.boolean().optional(),
  stacks: z.array(z.number().int()).optional(),
})

export interface RowCondition {
  readonly sql: string // about the columns of `allocation`; holds for every row when there is no filter
  readonly parameters: readonly SqlParameter[]
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What an allocation must be to pass; '' lets everything pass. Errors: `query/bad_argument`. */
export function rowCondition(json: string): Result<RowCondition> {
  const read = filterSchema.safeParse(json === '' ? {} : parsed(json))
  if (!read.success) return fail('query/bad_argument', 'The filter is no object of known keys and fitting values.')
  const { min_bytes, most_events, never_freed, stacks } = read.data
  const parts: (readonly [sql: string, ...parameters: SqlParameter[]])[] = [
    ...(min_bytes === undefined ? [] : [['size_bytes >= ?', min_bytes] as const]),
    // NULL, made before the first event or never freed, fails the comparison.
    ...(most_events === undefined ? [] : [['free_requested_event - alloc_event <= ?', most_events] as const]),
    ...(never_freed ? [['free_requested_event IS NULL AND free_request_unseen = 0'] as const] : []),
    ...(stacks === undefined ? [] : [['coalesce(stack_id, -1) IN (SELECT value FROM json_each(?))', JSON.stringify(stacks)] as const]),
  ]
  return ok({
    sql: parts.length === 0 ? 'true' : parts.map(([sql]) => sql).join(' AND '),
    parameters: parts.flatMap(([, ...parameters]) => parameters),
  })
}
