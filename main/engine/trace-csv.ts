// Tables of a trace as CSV files: the slices of a selection, memory by op, steps.
import type { Result } from '../../preload/contract/errors.ts'
import type { TraceTable } from '../../preload/contract/queries.ts'
import { type CsvFile, type CsvRecord, must, pageRows, writeCsv } from './csv-file.ts'
import type { IndexStore, SqlParameter, SqlRow } from './index-store.ts'
import type { NativeLibrary } from './native-library.ts'
import type { OpenCapture } from './open-capture.ts'
import { cutText } from './queries/row.ts'
import { argumentsOfRange, slicesInRange } from './queries/trace-slices.ts'

/** A column of a file: its name and the SQL that it is read by. */
type Columns = Readonly<Record<string, string>>

const sliceColumns: Columns = {
  slice_id: 'slice.slice_id',
  process: `coalesce(${cutText('process.name')}, track.pid, '')`,
  track: cutText('track.name'),
  depth: 'slice.depth',
  name: cutText('slice.name'),
  category: cutText('slice.category'),
  start_ns: 'slice.start_ns',
  dur_ns: 'slice.dur_ns',
  parent_id: 'slice.parent_id',
  external_id: 'slice.external_id',
  correlation: 'slice.correlation',
}

const fields = (names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, `json_extract(value, '$.${name}')`]))

const opColumns = fields(['op', 'calls', 'allocations', 'self_bytes', 'total_bytes', 'freed_inside_bytes', 'kept_bytes', 'largest_bytes'])
const stepColumns = fields([
  'name',
  'start_ns',
  'end_ns',
  'start_event',
  'end_event',
  'peak_bytes',
  'allocated_bytes',
  'freed_bytes',
  'growth_bytes',
])
/** Most ops that the native library tells: more than any program has. */
const mostOps = 10_000

const selectOf = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')

function recordOf(columns: Columns, row: SqlRow): CsvRecord {
  return Object.keys(columns).map((name) => {
    const value = row[name]
    return typeof value === 'number' || typeof value === 'string' ? value : ''
  })
}

/** The slices in order of their start: sorted once into a temporary table and read page by page, so memory does not grow with the trace. */
async function* sliceRecords(store: IndexStore, range: readonly SqlParameter[]): AsyncGenerator<CsvRecord> {
  await must(store.exec('CREATE TEMP TABLE page(slice_id INTEGER NOT NULL)'))
  await must(store.all(`INSERT INTO page SELECT slice_id FROM ${slicesInRange} ORDER BY start_ns, slice_id`, range))
  for (let last = 0; ; last += pageRows) {
    const rows = await must(
      store.all(
        `SELECT ${selectOf(sliceColumns)} FROM (SELECT rowid AS place, slice_id FROM page WHERE rowid > ? ORDER BY rowid LIMIT ?) AS wanted
         CROSS JOIN slice ON slice.slice_id = wanted.slice_id JOIN track USING (track_id) LEFT JOIN process ON process.process_id = track.process_id
         ORDER BY place`,
        [last, pageRows],
      ),
    )
    yield* rows.map((row) => recordOf(sliceColumns, row))
    if (rows.length < pageRows) return
  }
}

async function* answerRecords(store: IndexStore, columns: Columns, from: string, parameters: readonly SqlParameter[]) {
  const rows = await must(store.all(`SELECT ${selectOf(columns)} FROM ${from}`, parameters))
  yield* rows.map((row) => recordOf(columns, row))
}

async function fileOf(capture: OpenCapture, table: TraceTable): Promise<Result<Omit<CsvFile, 'path'>>> {
  if (table.table === 'slices') {
    const range = await argumentsOfRange(capture, table)
    if (!range.ok) return range
    return { ok: true, value: { columns: Object.keys(sliceColumns), records: (store) => sliceRecords(store, range.value) } }
  }
  if (table.table === 'steps') {
    const records = (store: IndexStore) => answerRecords(store, stepColumns, 'json_each(trace_steps(?))', [table.device])
    return { ok: true, value: { columns: Object.keys(stepColumns), records } }
  }
  const { device, fromEvent, toEvent } = table
  const records = (store: IndexStore) =>
    answerRecords(store, opColumns, "json_each(op_memory(?, ?, ?, ?), '$.rows')", [device, fromEvent, toEvent, mostOps])
  return { ok: true, value: { columns: Object.keys(opColumns), records } }
}

/** Errors: `export/write_failed`, `query/bad_argument`, those of the store. */
export async function writeTraceCsv(library: NativeLibrary, capture: OpenCapture, table: TraceTable, path: string): Promise<Result<void>> {
  const file = await fileOf(capture, table)
  return file.ok ? writeCsv(library, capture, { path, ...file.value }) : file
}
