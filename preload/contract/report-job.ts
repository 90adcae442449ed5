// What a report is asked to be: by the command line of a hidden window, and by the window's own dialog of main.
import { z } from 'zod'
import { languages } from './language.ts'

/** Views whose pictures a report knows how to explain, in the order in which it shows them. */
export const reportViewSchema = z.enum(['timeline', 'flame', 'fragmentation', 'blocks', 'lifetimes', 'trace'])
export type ReportView = z.infer<typeof reportViewSchema>

export const reportFormatSchema = z.enum(['html', 'pdf'])
export type ReportFormat = z.infer<typeof reportFormatSchema>

const maxNoteLength = 100_000

export const reportJobSchema = z.object({
  token: z.string(),
  format: reportFormatSchema,
  views: z.array(reportViewSchema).nullable(), // null = every one that has something to show
  device: z.number().nullable(), // null = the device with the most events
  theme: z.enum(['light', 'dark']), // of the pictures
  language: z.enum(languages),
  shortPaths: z.boolean(),
  notes: z.array(z.string().max(maxNoteLength)).max(100),
  madeAtMs: z.number().nullable(), // null = now
})
export type ReportJob = z.infer<typeof reportJobSchema>
