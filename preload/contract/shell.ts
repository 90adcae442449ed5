// What the window may ask of the main process, and what main tells it: the whole surface of the system in one readable file.
// The window never names a path: main hands out tokens for files that the user chose.
import { z } from 'zod'
import { errorCodeSchema, failureSchema } from './errors.ts'
import { languages } from './language.ts'
import { filter } from './parts.ts'
import { axisSchema, categorySchema, colorBySchema, maxSidePx, profileFormatSchema, sqlText, traceTableSchema } from './queries.ts'
import { reportFormatSchema, reportJobSchema } from './report-job.ts'
import { sessionDocumentSchema, sessionRoutes } from './session.ts'

/** Views in the order of their keys. The window shows those that it has. */
export const viewIdSchema = z.enum([
  'timeline',
  'lifetimes',
  'blocks',
  'fragmentation',
  'flame',
  'trace',
  'allocations',
  'sql',
  'diagnosis',
])
export type ViewId = z.infer<typeof viewIdSchema>

export const themeSchema = z.enum(['system', 'light', 'dark'])
export const languageSchema = z.enum(['system', ...languages])
/** What a picture can be saved as. */
export const pictureFormatSchema = z.enum(['png', 'svg', 'pdf'])
export type PictureFormat = z.infer<typeof pictureFormatSchema>

const lastExportSchema = z.object({
  format: pictureFormatSchema,
  width: z.number(),
  height: z.number(),
  theme: z.enum(['light', 'dark']),
})
/** What the command line says of a picture that is not quite what was asked for: heatMap = too many allocations for bars, which alone have colors. */
export const pictureNoteSchema = z.enum(['heatMap'])
export type PictureNote = z.infer<typeof pictureNoteSchema>
/** Characters that the text of a filter may have. */
export const mostFilterText = 2000
/** A filter under a name: its text, and the chips that are on. */
const savedFilterSchema = z.object({
  name: z.string().min(1).max(100),
  text: z.string().max(mostFilterText),
  category: categorySchema.optional(), // of older versions; now a term of the text
  minBytes: z.number().optional(),
  mostEvents: z.number().optional(),
  neverFreed: z.boolean().optional(),
})
export type SavedFilter = z.infer<typeof savedFilterSchema>
const savedFilters = z.array(savedFilterSchema).max(200).optional()
export const settingsSchema = z.object({
  theme: themeSchema.default('system'),
  language: languageSchema.default('system'),
  lastExport: lastExportSchema.optional(),
  keepSessions: z.boolean().default(true), // views, filters and notes of a capture come back when it is opened again
  filters: savedFilters,
})
export type Settings = z.infer<typeof settingsSchema>
/** Not settingsSchema.partial(): its defaults would reset what a change leaves out. */
export const settingsChangeSchema = z.object({
  theme: themeSchema.optional(),
  language: languageSchema.optional(),
  lastExport: lastExportSchema.optional(),
  keepSessions: z.boolean().optional(),
  filters: savedFilters,
})
export type SettingsChange = z.infer<typeof settingsChangeSchema>

export const recentSchema = z.object({
  id: z.string(),
  name: z.string(),
  folder: z.string(),
  sizeBytes: z.number(),
  openedAtMs: z.number(),
  missing: z.boolean(),
  isFolder: z.boolean(),
})
export type Recent = z.infer<typeof recentSchema>

export const sampleNames = ['ft_lora', 'oom', 'two_devices', 'trace_lora'] as const
const savedSchema = z.object({ savedName: z.string().nullable() }) // null = the user cancelled the dialog

/** Characters of a pasted text. */
export const mostPastedText = 20_000_000

const side = z.number().int().min(1).max(maxSidePx)

export const shellRoutes = {
  'files.openDialog': { input: z.object({ kind: z.enum(['files', 'folders']) }), output: z.object({}) }, // they arrive as event open.requested
  'files.openSample': { input: z.object({ name: z.enum(sampleNames) }), output: z.object({}) },
  'files.recent': { input: z.object({}), output: z.object({ recent: z.array(recentSchema) }) },
  'files.openRecent': { input: z.object({ id: z.string() }), output: z.object({}) },
  'files.clearRecent': { input: z.object({}), output: z.object({}) },
  /** The text of the clipboard; of a longer one its end, where a program says why it failed. */
  'clipboard.readText': { input: z.object({}), output: z.object({ text: z.string().max(mostPastedText) }) },
  /** Asks where, then writes. data: PNG bytes or SVG text made by the window; of a PDF the SVG text, with its size in CSS pixels. */
  'export.saveImage': {
    input: z.object({
      format: pictureFormatSchema,
      width: side,
      height: side,
      suggestedName: z.string(),
      data: z.union([z.instanceof(Uint8Array), z.string()]),
    }),
    output: savedSchema,
  },
  /** Asks where, then writes a table made by the window as CSV. */
  'export.saveTable': { input: z.object({ suggestedName: z.string(), text: z.string() }), output: savedSchema },
  /** Asks where, then writes a flame graph as the file of another tool. */
  'export.saveProfile': {
    input: z.object({ format: profileFormatSchema, suggestedName: z.string(), data: z.instanceof(Uint8Array) }),
    output: savedSchema,
  },
  /** Asks where, then the engine writes the allocations that pass the filter as CSV: those alive after `event`, or with null all. */
  'export.saveLiveCsv': {
    input: z.object({ captureId: z.string(), device: z.number(), event: z.number().nullable(), filter, suggestedName: z.string() }),
    output: savedSchema,
  },
  /** Asks where, then the engine writes a table of a trace as CSV. */
  'export.saveTraceCsv': {
    input: z.object({ captureId: z.string(), table: traceTableSchema, suggestedName: z.string() }),
    output: savedSchema,
  },
  /** Asks where, then writes a report that the window composed. page: the HTML, which the main process prints where a PDF is wanted. */
  'export.saveReport': {
    input: z.object({ format: reportFormatSchema, suggestedName: z.string(), page: z.string() }),
    output: savedSchema,
  },
  /** Asks where, then the engine writes all rows of a statement as CSV. */
  'export.saveSqlCsv': { input: z.object({ captureId: z.string(), sql: sqlText, suggestedName: z.string() }), output: savedSchema },
  'settings.get': { input: z.object({}), output: settingsSchema },
  'settings.set': { input: settingsChangeSchema, output: settingsSchema },
  ...sessionRoutes,
  'app.info': {
    input: z.object({}),
    output: z.object({ version: z.string(), electron: z.string(), platform: z.string(), systemLanguage: z.string() }),
  },
  'app.setTitle': { input: z.object({ title: z.string(), progress: z.number().min(-1).max(2) }), output: z.object({}) }, // progress −1 none, 0…1, 2 indeterminate
  'app.quit': { input: z.object({}), output: z.object({}) },
  'app.toggleFullScreen': { input: z.object({}), output: z.object({}) },
  'engine.restart': { input: z.object({}), output: z.object({}) },
  /** Command line export (hidden window): the finished picture or report, or why not. */
  'export.jobDone': {
    input: z.object({
      data: z.union([z.instanceof(Uint8Array), z.string()]).optional(),
      error: z.object({ code: errorCodeSchema, message: z.string() }).optional(),
      notes: z.array(pictureNoteSchema).optional(),
    }),
    output: z.object({}),
  },
} as const
export type ShellRoute = keyof typeof shellRoutes
export type ShellInput<R extends ShellRoute> = z.input<(typeof shellRoutes)[R]['input']>
export type ShellOutput<R extends ShellRoute> = z.output<(typeof shellRoutes)[R]['output']>

export const exportJobSchema = z.object({
  token: z.string(),
  view: viewIdSchema,
  format: pictureFormatSchema,
  width: side,
  height: side,
  theme: z.enum(['light', 'dark']),
  language: z.enum(languages),
  device: z.number().nullable(), // null = the device with the most events
  axis: axisSchema.nullable(),
  colorBy: colorBySchema.nullable(),
  range: z.tuple([z.number(), z.number()]).nullable(), // in the axis' unit
  filter: z.string().max(mostFilterText),
  look: z.record(z.string(), z.unknown()), // of what the view alone knows, as its sessions keep it
  at: z.union([z.enum(['peak', 'end']), z.object({ event: z.number() }), z.object({ timeNs: z.number() })]).nullable(), // where the cursor is drawn
})
export type ExportJob = z.infer<typeof exportJobSchema>

/** A file or folder to open. folder: name of the folder that it lies in, to tell files of one name apart; sizeBytes: 0 of a folder. */
export const openFileSchema = z.object({
  token: z.string(),
  name: z.string(),
  folder: z.string(),
  sizeBytes: z.number(),
  isFolder: z.boolean(),
})

export const shellEvents = {
  /** Files and folders that came in together, in their order. mayAttach: the user handed them to the window, so a log may go to what it shows. */
  'open.requested': z.object({ files: z.array(openFileSchema), mayAttach: z.boolean() }),
  'open.refused': z.object({ name: z.string(), code: errorCodeSchema, message: z.string() }),
  /** restarts: a new port follows by itself; else (it failed too often, or cannot work here) only after `engine.restart`. */
  'engine.stopped': z.object({ reason: z.string(), restarts: z.boolean() }),
  'menu.command': z.object({ id: z.string() }),
  /** The file of a session was dropped on the window. document null: it is none that can be read. */
  'session.opened': z.object({ name: z.string(), document: sessionDocumentSchema.nullable() }),
  /** The settings file could not be read, so the defaults hold. keptAs: name under which the broken file was kept; null = it stays where it is. */
  'settings.reset': z.object({ keptAs: z.string().nullable() }),
  'export.job': exportJobSchema,
  'report.job': reportJobSchema,
} as const
export type ShellEvent = keyof typeof shellEvents
export type ShellEventData<E extends ShellEvent> = z.output<(typeof shellEvents)[E]>

/** What comes back from a route; `value` is then checked against the route's output. */
export const shellAnswerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: failureSchema }),
])

/** window.tidemark: all that the preload script exposes; what comes over it is for the window to check. The engine's port arrives by window.postMessage({tidemark: 'engine-port'}, '*', [port]). */
export interface TidemarkBridge {
  /** Answers what `shellAnswerSchema` describes. */
  invoke<R extends ShellRoute>(route: R, input: ShellInput<R>): Promise<unknown>
  /** Files dropped on the window: the preload script finds their paths and hands them to main. */
  openDropped(files: File[]): void
  on(event: ShellEvent, listener: (data: unknown) => void): () => void
  /** Tells main that the window listens: queued open requests and the engine's port follow. */
  ready(): void
}
