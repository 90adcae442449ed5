// Questions in SQL: one statement that only reads, answered in pages. The window shows at most `maxSqlRows` rows; a CSV file has all.
import { z } from 'zod'
import { captureId } from './parts.ts'

/** Rows that an answer holds at most. */
export const maxSqlRows = 10_000
/** What a statement may take, in milliseconds; the second unless another is chosen. */
export const sqlTimeLimitsMs = [5_000, 15_000, 60_000, 300_000] as const

export const sqlText = z.string().min(1).max(100_000)

/**
 * A value: what is no JavaScript number comes as its digits, of a BLOB only its size in bytes, of a long text the beginning and its length in
 * characters.
 */
export const sqlCellSchema = z.union([
  z.null(),
  z.number(),
  z.string(),
  z.object({ kind: z.literal('number'), text: z.string() }),
  z.object({ kind: z.literal('blob'), bytes: z.number() }),
  z.object({ kind: z.literal('text'), text: z.string(), length: z.number() }),
])
export type SqlCell = z.infer<typeof sqlCellSchema>
export type SqlCells = readonly SqlCell[]

const rows = z.array(z.array(sqlCellSchema)) // cells in the order of the columns

export const sqlRelationSchema = z.object({
  name: z.string(),
  arguments: z.array(z.string()), // of a table-valued one: live_allocation(device, event)
  columns: z.array(z.object({ name: z.string(), type: z.string() })), // type as declared, '' where it is not
})
export type SqlRelation = z.infer<typeof sqlRelationSchema>

export const sqlMethods = {
  /** Runs a statement on a connection of its own, so that views are not held up; a later call stops an earlier one. */
  'sql.run': {
    input: z.object({
      captureId,
      sql: sqlText,
      limit: z.number().int().min(1).max(maxSqlRows).default(maxSqlRows),
      timeLimitMs: z.number().int().min(1).max(300_000).default(15_000),
    }),
    output: z.object({
      answerId: z.number(),
      columns: z.array(z.string()), // distinct
      rows, // the first of them: the others come by `sql.rows`
      rowCount: z.number(), // rows held
      more: z.enum(['rows', 'bytes']).nullable(), // what cut the answer short; null = these are all rows
      elapsedMs: z.number(),
    }),
  },
  /** More rows of the answer given last; as many as a message takes. Errors: `query/bad_argument` when there is another answer by now. */
  'sql.rows': {
    input: z.object({ captureId, answerId: z.number(), offset: z.number().int().nonnegative() }),
    output: z.object({ rows }),
  },
  /** The relations that a capture of this kind has. */
  'sql.schema': { input: z.object({ captureId }), output: z.object({ relations: z.array(sqlRelationSchema) }) },
} as const
