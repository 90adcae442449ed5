// The allocations alive after an event, or another table, as a CSV file: for a spreadsheet, so one row each and the whole stack in one cell.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { type Failure, fail, ok, type Result } from '../../preload/contract/errors.ts'
import { type CsvRows, type CsvTable, csvTables } from './csv-tables.ts'
import { IndexStore, type SqlRow } from './index-store.ts'
import type { NativeLibrary } from './native-library.ts'
import type { OpenCapture } from './open-capture.ts'
import { type RowCondition, rowCondition } from './queries/allocation-filter.ts'
import { placeOf, titleOf } from './queries/frames.ts'
import { DamagedIndex, numberOf } from './queries/row.ts'
import { readFrames } from './queries/stack-titles.ts'
import { removeAbandonedBeside, temporaryBeside } from './temporary-files.ts'

/** Rows read at a time: few enough that making their text never holds up other work for long. */
const pageRows = 1000

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

/** Carries a failure through a stream, whose only way to report is an exception. */
class StreamFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

async function must<T>(answer: Promise<Result<T>>): Promise<T> {
  const result = await answer
  if (result.ok) return result.value
  throw new StreamFailure(result.error)
}

/** The rows in their order. They are sorted once into a temporary table and read page by page, so memory does not grow with the capture. */
async function* recordsIn(
  store: IndexStore,
  { columns, select, from, none, order }: CsvRows,
  { device, event }: LiveCsvRequest,
  { sql, parameters }: RowCondition,
): AsyncGenerator<readonly (string | number)[]> {
  await must(store.exec(`CREATE TEMP TABLE page AS SELECT ${select} FROM ${none} LIMIT 0`))
  await must(store.all(`INSERT INTO page SELECT ${select} FROM ${from} WHERE ${sql} ORDER BY ${order}`, [device, event, ...parameters]))
  for (let last = 0; ; last += pageRows) {
    const rows = await must(store.all('SELECT * FROM page WHERE rowid > ? ORDER BY rowid LIMIT ?', [last, pageRows]))
    yield* await recordsOf(store, columns, rows)
    if (rows.length < pageRows) return
  }
}

async function recordsOf(store: IndexStore, columns: readonly string[], rows: readonly SqlRow[]): Promise<(string | number)[][]> {
  const stackIds = [...new Set(rows.map((row) => numberOf(row, 'stack_id')))].filter((stackId) => stackId >= 0)
  const frames = await must(readFrames(store, stackIds))
  const textsByStack = new Map(
    stackIds.map((stackId) => {
      const stack = frames.get(stackId) ?? []
      return [stackId, { ...titleOf(stack), stack: stack.map((frame) => `${frame.name} (${placeOf(frame) || '?'})`).join('\n') }]
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

/**
 * Writes the file under a temporary name and renames it. Reads on a connection of its own, so views are not held up.
 * Errors: `export/write_failed`, `query/bad_argument` (the filter), those of the store.
 */
export async function writeLiveCsv(library: NativeLibrary, capture: OpenCapture, request: LiveCsvRequest): Promise<Result<void>> {
  const rows = csvTables[request.table ?? 'live']
  const condition = rowCondition(request.filter ?? '')
  if (!condition.ok) return condition
  const store = await IndexStore.open(capture.indexPath, capture.store.mode, library.path)
  if (!store.ok) return store
  const temporary = temporaryBeside(request.path)
  await removeAbandonedBeside(request.path)
  try {
    // A cell that starts like a formula is quoted as text, since names in a capture come from strangers.
    const csv = stringify({ header: true, columns: [...rows.columns], escape_formulas: true })
    await pipeline(Readable.from(recordsIn(store.value, rows, request, condition.value)), csv, createWriteStream(temporary))
    await rename(temporary, request.path)
    return ok(undefined)
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof StreamFailure) return { ok: false, error: error.failure }
    if (error instanceof DamagedIndex) return fail('index/not_an_index', error.message)
    return fail('export/write_failed', error instanceof Error ? error.message : String(error))
  } finally {
    await store.value.close()
  }
}
