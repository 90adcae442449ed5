// Main's own line to the engine: which files the user chose, new ports to serve, and work that main does on the user's behalf.
import { z } from 'zod'
import { failureSchema } from './errors.ts'
import { filter } from './parts.ts'
import { sqlText } from './sql.ts'
import { traceTableSchema } from './trace.ts'

export const mainToEngineSchema = z.discriminatedUnion('type', [
  /** The window may open `path` by `token`. */
  z.object({ type: z.literal('grant'), token: z.string(), path: z.string() }),
  /** The message carries one port: serve it. */
  z.object({ type: z.literal('serve') }),
  /** Write the allocations that pass the filter as CSV to `path`: those alive after `event` (−1 = before the first), or with null all. */
  z.object({
    type: z.literal('liveCsv'),
    id: z.number(),
    captureId: z.string(),
    device: z.number(),
    event: z.number().nullable(),
    filter,
    path: z.string(),
  }),
  /** Write a table of a trace as CSV to `path`. */
  z.object({ type: z.literal('traceCsv'), id: z.number(), captureId: z.string(), table: traceTableSchema, path: z.string() }),
  /** Write all rows of a statement as CSV to `path`. */
  z.object({ type: z.literal('sqlCsv'), id: z.number(), captureId: z.string(), sql: sqlText, path: z.string() }),
])
export type MainToEngine = z.infer<typeof mainToEngineSchema>

export const engineToMainSchema = z.discriminatedUnion('type', [
  /** The engine is up and listens. */
  z.object({ type: z.literal('ready') }),
  /** In a folder that the user chose there is a file which the window may open by `token`, also when another engine runs. */
  z.object({ type: z.literal('found'), token: z.string(), path: z.string() }),
  /** Answer to the message with that id; error absent = done. */
  z.object({ type: z.literal('done'), id: z.number(), error: failureSchema.optional() }),
  /** It cannot work at all (native library missing); it exits after this. */
  z.object({ type: z.literal('unable'), error: failureSchema }),
])
export type EngineToMain = z.infer<typeof engineToMainSchema>
