// What the command line asks of a hidden window, through files.
import { z } from 'zod'
import { failureSchema } from './errors.ts'
import { exportJobSchema } from './shell.ts'

export const exportOrderSchema = z.object({
  source: z.string(), // absolute path of the capture or index
  out: z.string(), // absolute path of the picture
  outcomeFile: z.string(), // where the outcome goes
  job: exportJobSchema.omit({ token: true }),
})
export type ExportOrder = z.infer<typeof exportOrderSchema>

/** error absent = the picture is written. */
export const exportOutcomeSchema = z.object({ error: failureSchema.optional() })
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>
