// What the command line asks of a hidden window, through files.
import { z } from 'zod'
import { failureSchema } from './errors.ts'
import { reportJobSchema } from './report-job.ts'
import { exportJobSchema, pictureNoteSchema } from './shell.ts'

export const exportOrderSchema = z.object({
  source: z.string(), // absolute path of the capture or index
  out: z.string(), // absolute path of the picture or report
  outcomeFile: z.string(), // where the outcome goes
  task: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('picture'), job: exportJobSchema.omit({ token: true }) }),
    z.object({ kind: z.literal('report'), job: reportJobSchema.omit({ token: true }) }),
  ]),
})
export type ExportOrder = z.infer<typeof exportOrderSchema>

/** error absent = it is written. */
export const exportOutcomeSchema = z.object({ error: failureSchema.optional(), notes: z.array(pictureNoteSchema).optional() })
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>
