// `tidemark query`: any SQL on an index, read-only, in constant memory.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { stringify } from 'csv-stringify/sync'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { IndexStore, type SqlRow, type SqlValue } from '../engine/index-store.ts'
import { reportFailure } from './failure.ts'
import { printable } from './printable.ts'
import { startSession, withProgress } from './session.ts'
import { UsageError } from './usage.ts'

const formats = ['table', 'json', 'csv'] as const
type Format = (typeof formats)[number]

const pageRows = 5000

/** Runs one statement and prints its rows. Answers the exit status. */
export async function query(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { format: { type: 'string', default: 'table' } },
  })
  const [file, sql, ...more] = positionals
  const format = formats.find((each) => each === values.format)
  if (file === undefined || sql === undefined || more.length > 0) throw new UsageError('query wants FILE and SQL')
  if (!format) throw new UsageError(`--format is one of ${formats.join(', ')}`)
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, file)
  const found = await withProgress((options) => session.value.captures.indexes.find(file, options))
  if (!found.ok) return reportFailure(found.error, file)
  const store = await IndexStore.open(found.value.path, 'read', session.value.library.path)
  if (!store.ok) return reportFailure(store.error, file)
  const done = await withProgress(({ signal }) => {
    signal.addEventListener('abort', () => store.value.interrupt(), { once: true })
    return printRows(store.value, sql, format)
  })
  await store.value.close()
  return done.ok ? 0 : reportFailure(done.error, file)
}

/** Text, comments and names may hold a semicolon; behind another one nothing may follow. */
const holdsSeveral = (sql: string): boolean =>
  /;\s*\S/.test(sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g, ' '))

const isSelect = (sql: string): boolean => /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values)\b/i.test(sql)

async function printRows(store: IndexStore, sql: string, format: Format): Promise<Result<void>> {
  if (holdsSeveral(sql)) return fail('query/bad_argument', 'Only one statement can be run')
  if (!isSelect(sql)) {
    const rows = await store.all(sql)
    return rows.ok ? printPages(Object.keys(rows.value[0] ?? {}), async () => ok([]), format, rows.value) : rows
  }
  // The rows go to a temporary table of the connection first: it keeps the column names when there are no rows, makes those that come twice
  // distinct, and lets the pages be read one by one.
  const kept = await store.exec(`CREATE TEMP TABLE answer AS ${sql}`)
  if (!kept.ok) return kept
  const named = await store.all("SELECT name FROM pragma_table_info('answer', 'temp')")
  if (!named.ok) return named
  const columns = named.value.map((row) => String(row.name))
  const pageAfter = (rowid: number) => store.all('SELECT * FROM temp.answer WHERE rowid > ? ORDER BY rowid LIMIT ?', [rowid, pageRows])
  const first = await pageAfter(0)
  return first.ok ? printPages(columns, pageAfter, format, first.value) : first
}

async function printPages(
  columns: readonly string[],
  pageAfter: (rowid: number) => Promise<Result<SqlRow[]>>,
  format: Format,
  firstPage: readonly SqlRow[],
): Promise<Result<void>> {
  const printer = printers[format](columns, firstPage)
  await write(printer.head)
  let page = firstPage
  let printed = 0
  while (page.length > 0) {
    await write(printer.rows(page, printed))
    printed += page.length
    if (page.length < pageRows) break
    const next = await pageAfter(printed)
    if (!next.ok) return next
    page = next.value
  }
  await write(printer.tail(printed))
  return ok(undefined)
}

async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

interface Printer {
  readonly head: string
  readonly rows: (page: readonly SqlRow[], printedBefore: number) => string
  readonly tail: (printed: number) => string
}

/** A table is for eyes: a C++ name of 2,000 characters would push every other column off the screen. JSON and CSV hold all of it. */
const maxCellLength = 80

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function tablePrinter(columns: readonly string[], firstPage: readonly SqlRow[]): Printer {
  const cell = (value: SqlValue | undefined): string => {
    if (value === null || value === undefined) return ''
    const text = value instanceof Uint8Array ? `<${value.length} bytes>` : printable(String(value).replace(/\n/g, '⏎'))
    return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text
  }
  const widths = columns.map((column) => firstPage.reduce((widest, row) => Math.max(widest, cell(row[column]).length), column.length))
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()}\n`
  const align = (row: SqlRow) =>
    columns.map((column, at) => (typeof row[column] === 'number' ? cell(row[column]).padStart(widths[at] ?? 0) : cell(row[column])))
  return {
    head: columns.length > 0 ? line(columns) + line(widths.map((width) => '─'.repeat(width))) : '',
    rows: (page) => page.map((row) => line(align(row))).join(''),
    tail: () => '',
  }
}

function jsonPrinter(): Printer {
  const jsonValue = (_key: string, value: unknown): unknown => (value instanceof Uint8Array ? hex(value) : value)
  // Buffers have a toJSON of their own, so they are replaced before it is asked.
  const plain = (row: SqlRow) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, jsonValue(key, value)]))
  return {
    head: '[',
    rows: (page, before) => page.map((row, at) => `${before + at > 0 ? ',' : ''}\n  ${JSON.stringify(plain(row))}`).join(''),
    tail: (printed) => (printed > 0 ? '\n]\n' : ']\n'),
  }
}

function csvPrinter(columns: readonly string[]): Printer {
  const cells = (row: SqlRow) => columns.map((column) => (row[column] instanceof Uint8Array ? hex(row[column]) : row[column]))
  return {
    head: columns.length > 0 ? stringify([[...columns]]) : '',
    rows: (page) => stringify(page.map(cells)),
    tail: () => '',
  }
}

const printers: Record<Format, (columns: readonly string[], firstPage: readonly SqlRow[]) => Printer> = {
  table: tablePrinter,
  json: jsonPrinter,
  csv: csvPrinter,
}
