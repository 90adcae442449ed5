// Tables of a trace as CSV files: the slices and the instants of a selection, memory by op, steps.
import type { Result } from '../../preload/contract/errors.ts'
import { maxOpRows, type TraceTable } from '../../preload/contract/queries.ts'
import { type CsvFile, type CsvRecord, must, pageRows, writeCsv } from './csv-file.ts'
import type { IndexStore, SqlParameter, SqlRow } from './index-store.ts'
import type { NativeLibrary } from './native-library.ts'
import type { OpenCapture } from './open-capture.ts'
import { cutText } from './queries/row.ts'
import { argumentsOfInstants, instantsInRange } from './queries/trace-details.ts'
import { argumentsOfRange, slicesInRange } from './queries/trace-slices.ts'

/** A column of a file: its name and the SQL that it is read by. */
type Columns = Readonly<Record<string, string>>

const processOf = `coalesce(${cutText('process.name')}, track.pid, '')`

const sliceColumns: Columns = {
  slice_id: 'slice.slice_id',
  process: processOf,
  track: cutText('track.name'),
  depth: 'slice.depth',
  name: cutText('slice.name'),
  category: cutText('slice.category'),
  start_ns: 'slice.start_ns',
  dur_ns: 'slice.dur_ns',
  is_unfinished: 'slice.is_unfinished', // 1 = its end is not in the file: dur_ns goes on to the end of its track
  parent_id: 'slice.parent_id',
  external_id: 'slice.external_id',
  correlation: 'slice.correlation',
}

const instantColumns: Columns = {
  instant_id: 'instant.instant_id',
  process: processOf,
  track: cutText('track.name'),
  name: cutText('instant.name'),
  category: cutText('instant.category'),
  time_ns: 'instant.time_ns',
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

interface Events {
  readonly relation: 'slice' | 'instant'
  readonly columns: Columns
  readonly found: string // SQL of their ids, in the order of the file
}

const slices: Events = { relation: 'slice', columns: sliceColumns, found: `slice_id FROM ${slicesInRange} ORDER BY start_ns, slice_id` }
const instants: Events = {
  relation: 'instant',
  columns: instantColumns,
  found: `instant_id FROM ${instantsInRange} ORDER BY time_ns, instant_id`,
}

/** Slices or instants in order of time: sorted once into a temporary table and read page by page, so memory does not grow with the trace. */
async function* eventRecords(
  store: IndexStore,
  { relation, columns, found }: Events,
  range: readonly SqlParameter[],
): AsyncGenerator<CsvRecord> {
  await must(store.exec('CREATE TEMP TABLE page(id INTEGER NOT NULL)'))
  await must(store.all(`INSERT INTO page SELECT ${found}`, range))
  for (let last = 0; ; last += pageRows) {
    const rows = await must(
      store.all(
        `SELECT ${selectOf(columns)} FROM (SELECT rowid AS place, id FROM page WHERE rowid > ? ORDER BY rowid LIMIT ?) AS wanted
         CROSS JOIN ${relation} ON ${relation}.${relation}_id = wanted.id JOIN track USING (track_id)
         LEFT JOIN process ON process.process_id = track.process_id ORDER BY place`,
        [last, pageRows],
      ),
    )
    yield* rows.map((row) => recordOf(columns, row))
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
    return { ok: true, value: { columns: Object.keys(sliceColumns), records: (store) => eventRecords(store, slices, range.value) } }
  }
  if (table.table === 'instants') {
    const range = argumentsOfInstants(table)
    if (!range.ok) return range
    return { ok: true, value: { columns: Object.keys(instantColumns), records: (store) => eventRecords(store, instants, range.value) } }
  }
  if (table.table === 'steps') {
    const records = (store: IndexStore) => answerRecords(store, stepColumns, 'json_each(trace_steps(?))', [table.device])
    return { ok: true, value: { columns: Object.keys(stepColumns), records } }
  }
  const { device, fromEvent, toEvent } = table
  const records = (store: IndexStore) =>
    answerRecords(store, opColumns, "json_each(op_memory(?, ?, ?, ?), '$.rows')", [device, fromEvent, toEvent, maxOpRows])
  return { ok: true, value: { columns: Object.keys(opColumns), records } }
}

/** Errors: `export/write_failed`, `query/bad_argument`, those of the store. */
export async function writeTraceCsv(library: NativeLibrary, capture: OpenCapture, table: TraceTable, path: string): Promise<Result<void>> {
  const file = await fileOf(capture, table)
  return file.ok ? writeCsv(library, capture, { path, ...file.value }) : file
}
