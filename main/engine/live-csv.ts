// The allocations alive after an event, or another table, as a CSV file: for a spreadsheet, so one row each and the whole stack in one cell.
import type { CaptureKind } from '../../preload/contract/capture.ts'
import type { Result } from '../../preload/contract/errors.ts'
import { type CsvRecord, must, pageRows, writeCsv } from './csv-file.ts'
import { type CsvRows, type CsvTable, csvTables } from './csv-tables.ts'
import type { IndexStore, SqlRow } from './index-store.ts'
import type { NativeLibrary } from './native-library.ts'
import type { OpenCapture } from './open-capture.ts'
import { checkFilter, type RowCondition, rowCondition } from './queries/allocation-filter.ts'
import { placeOf, titleOf } from './queries/frames.ts'
import { numberOf } from './queries/row.ts'
import { readFrames } from './queries/stack-titles.ts'

export interface LiveCsvRequest {
  /** Absent: the allocations alive. */
  readonly table?: CsvTable
  readonly device: number
  /** State after this event; −1 = before the first. */
  readonly event: number
  /** Of allocations, as in the contract; absent or '' = all. */
  readonly filter?: string
  readonly path: string
}

/** The rows in their order. They are sorted once into a temporary table and read page by page, so memory does not grow with the capture. */
async function* recordsIn(
  store: IndexStore,
  kind: CaptureKind,
  { columns, select, from, none, order }: CsvRows,
  { device, event }: LiveCsvRequest,
  { sql, parameters }: RowCondition,
): AsyncGenerator<CsvRecord> {
  await must(store.exec(`CREATE TEMP TABLE page AS SELECT ${select} FROM ${none} LIMIT 0`))
  await must(store.all(`INSERT INTO page SELECT ${select} FROM ${from} WHERE ${sql} ORDER BY ${order}`, [device, event, ...parameters]))
  for (let last = 0; ; last += pageRows) {
    const rows = await must(store.all('SELECT * FROM page WHERE rowid > ? ORDER BY rowid LIMIT ?', [last, pageRows]))
    yield* await recordsOf(store, kind, columns, rows)
    if (rows.length < pageRows) return
  }
}

async function recordsOf(store: IndexStore, kind: CaptureKind, columns: readonly string[], rows: readonly SqlRow[]): Promise<CsvRecord[]> {
  const stackIds = [...new Set(rows.map((row) => numberOf(row, 'stack_id')))].filter((stackId) => stackId >= 0)
  const frames = await must(readFrames(store, stackIds))
  const textsByStack = new Map(
    stackIds.map((stackId) => {
      const stack = frames.get(stackId) ?? []
      return [stackId, { ...titleOf(stack, kind), stack: stack.map((frame) => `${frame.name} (${placeOf(frame) || '?'})`).join('\n') }]
    }),
  )
  return rows.map((row) => {
    const values: SqlRow = { ...row, ...textsByStack.get(numberOf(row, 'stack_id')) }
    return columns.map((column) => {
      const value = values[column]
      return typeof value === 'number' || typeof value === 'string' ? value : ''
    })
  })
}

/** Errors: `export/write_failed`, `query/bad_argument` (the filter), those of the store. */
export async function writeLiveCsv(library: NativeLibrary, capture: OpenCapture, request: LiveCsvRequest): Promise<Result<void>> {
  const rows = csvTables[request.table ?? 'live']
  const { filter = '' } = request
  const sound = await checkFilter(capture.store, request.device, filter)
  if (!sound.ok) return sound
  const condition = rowCondition(filter)
  const { kind } = capture.summary
  const records = (store: IndexStore) => recordsIn(store, kind, rows, request, condition)
  return writeCsv(library, capture, { path: request.path, columns: rows.columns, records })
}
