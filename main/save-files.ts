// Asks where a picture or table goes and has it written.
import { basename, join } from 'node:path'
import { app, type BrowserWindow, dialog } from 'electron'
import { ok, type Result } from '../preload/contract/errors.ts'
import { profileExtensions } from '../preload/contract/queries.ts'
import type { ReportFormat } from '../preload/contract/report-job.ts'
import type { PictureFormat, ShellInput, ShellOutput } from '../preload/contract/shell.ts'
import { writeWhole } from './atomic-write.ts'
import type { EngineHost } from './engine-host.ts'
import { type PictureSize, pdfOf, pdfOfReport } from './pdf.ts'
import type { RouteInput } from './shell-routes.ts'

type Saved = ShellOutput<'export.saveImage'>

async function askPath(window: BrowserWindow | undefined, suggestedName: string, extension: string): Promise<string | null> {
  const options: Electron.SaveDialogOptions = {
    // The name comes from the window, hence from a file: only its last part counts.
    defaultPath: join(app.getPath('documents'), basename(suggestedName)),
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
  }
  const answer = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options))
  return answer.canceled ? null : (answer.filePath ?? null)
}

const saved = (written: Result<void>, path: string): Result<Saved> => (written.ok ? ok({ savedName: basename(path) }) : written)

/** Saves a finished picture. Errors: `export/write_failed`. */
export async function saveImage(window: BrowserWindow | undefined, input: ShellInput<'export.saveImage'>): Promise<Result<Saved>> {
  const path = await askPath(window, input.suggestedName, input.format)
  if (path === null) return ok({ savedName: null })
  const data = await finished(input.format, input.data, input)
  return data.ok ? saved(await writeWhole(path, data.value), path) : data
}

/** The bytes of the file for what the window drew. */
export const finished = async (
  format: PictureFormat,
  data: Uint8Array | string,
  size: PictureSize,
): Promise<Result<Uint8Array | string>> => (format === 'pdf' && typeof data === 'string' ? pdfOf(data, size) : ok(data))

/** Saves a report that the window composed. Errors: `export/write_failed`. */
export async function saveReport(window: BrowserWindow | undefined, input: ShellInput<'export.saveReport'>): Promise<Result<Saved>> {
  const path = await askPath(window, input.suggestedName, input.format)
  if (path === null) return ok({ savedName: null })
  const data = await finishedReport(input.format, input.page)
  return data.ok ? saved(await writeWhole(path, data.value), path) : data
}

/** The bytes of the file for a report's page. */
export const finishedReport = async (format: ReportFormat, page: string): Promise<Result<Uint8Array | string>> =>
  format === 'pdf' ? pdfOfReport(page) : ok(page)

/** Saves a table that the window made. Errors: `export/write_failed`. */
export async function saveTable(window: BrowserWindow | undefined, input: ShellInput<'export.saveTable'>): Promise<Result<Saved>> {
  const path = await askPath(window, input.suggestedName, 'csv')
  return path === null ? ok({ savedName: null }) : saved(await writeWhole(path, input.text), path)
}

/** Saves a session as a file. Errors: `export/write_failed`. */
export async function saveSessionAs(window: BrowserWindow | undefined, input: RouteInput<'session.saveAs'>): Promise<Result<Saved>> {
  const path = await askPath(window, input.suggestedName, 'json')
  if (path === null) return ok({ savedName: null })
  return saved(await writeWhole(path, `${JSON.stringify(input.document, null, 2)}\n`), path)
}

/** Saves a flame graph as the file of another tool. Errors: `export/write_failed`. */
export async function saveProfile(window: BrowserWindow | undefined, input: ShellInput<'export.saveProfile'>): Promise<Result<Saved>> {
  const path = await askPath(window, input.suggestedName, profileExtensions[input.format])
  return path === null ? ok({ savedName: null }) : saved(await writeWhole(path, input.data), path)
}

/** Saves the allocations alive after an event that pass a filter as CSV. Errors: `export/write_failed`, `query/unknown_capture`, `engine/crashed`. */
export async function saveLiveCsv(
  window: BrowserWindow | undefined,
  engine: EngineHost,
  { captureId, device, event, filter = '', suggestedName }: ShellInput<'export.saveLiveCsv'>,
): Promise<Result<Saved>> {
  const path = await askPath(window, suggestedName, 'csv')
  return path === null ? ok({ savedName: null }) : saved(await engine.writeLiveCsv({ captureId, device, event, filter, path }), path)
}

/** Saves a table of a trace as CSV. Errors: as `saveLiveCsv`, `query/bad_argument`. */
export async function saveTraceCsv(
  window: BrowserWindow | undefined,
  engine: EngineHost,
  { captureId, table, suggestedName }: RouteInput<'export.saveTraceCsv'>,
): Promise<Result<Saved>> {
  const path = await askPath(window, suggestedName, 'csv')
  return path === null ? ok({ savedName: null }) : saved(await engine.writeTraceCsv({ captureId, table, path }), path)
}

/** Saves all rows of a statement as CSV. Errors: as `saveLiveCsv`, `query/*` of the statement. */
export async function saveSqlCsv(
  window: BrowserWindow | undefined,
  engine: EngineHost,
  { captureId, sql, suggestedName }: ShellInput<'export.saveSqlCsv'>,
): Promise<Result<Saved>> {
  const path = await askPath(window, suggestedName, 'csv')
  return path === null ? ok({ savedName: null }) : saved(await engine.writeSqlCsv({ captureId, sql, path }), path)
}
