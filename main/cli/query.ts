// `tidemark query`: any SQL on an index, read-only, in constant memory.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { type Failure, fail, ok, type Result } from '../../preload/contract/errors.ts'
import { IndexStore, type SqlRow } from '../engine/index-store.ts'
import { connectSource } from '../engine/trace-source.ts'
import { ExactRows, type Row } from './exact-rows.ts'
import { reportFailure } from './failure.ts'
import { type Format, formats, type Printer, printers } from './row-printers.ts'
import { startSession, withProgress } from './session.ts'
import { UsageError } from './usage.ts'

/** Rows are printed together as long as that keeps nobody waiting. */
const pageRows = 500
const pageMs = 200

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
  if (bareText(sql).trim() === '') throw new UsageError('SQL is empty')
  if (!format) throw new UsageError(`--format is one of ${formats.join(', ')}`)
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, file)
  const found = await withProgress((options) => session.value.captures.indexes.find(file, options))
  if (!found.ok) return reportFailure(found.error, file)
  await found.value.store.close()
  // A connection of its own: who asks the index of a stranger may wait for an answer as long as they like.
  const store = await IndexStore.open(found.value.path, 'read', session.value.library.path)
  if (!store.ok) return reportFailure(store.error, file)
  await connectSource(store.value, found.value)
  // Ctrl+C ends the process here as it ends any program that prints: there is nothing to tidy, and a handler could not run while a reader such
  // as a pager holds the writing up.
  const done = await printRows(store.value, sql, format)
  await store.value.close()
  return done.ok ? 0 : reportFailure(withReason(done.error, sql), file)
}

/** The statement without texts, comments and names. */
const bareText = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g, (piece) => (/^[-/]/.test(piece) ? ' ' : 'x'))

const relationsOfEvent = /\b(block_map|segment_map|live_allocation)\b/gi

/** SQLite says of a relation without its arguments no more than that there is no way to read it. */
function withReason(failure: Failure, sql: string): Failure {
  const names = [...new Set(bareText(sql).match(relationsOfEvent))]
  if (names.length === 0 || !failure.message.includes('no query solution')) return failure
  return {
    ...failure,
    message: `${names.join(' and ')} ${names.length === 1 ? 'needs' : 'need'} (device, event), such as ${names[0]}(0, 100)`,
  }
}

/** Behind a semicolon nothing may follow. */
const holdsSeveral = (sql: string): boolean => /;\s*[^\s;]/.test(bareText(sql))

const isSelect = (sql: string): boolean => /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values)\b/i.test(sql)

async function printRows(store: IndexStore, sql: string, format: Format): Promise<Result<void>> {
  if (holdsSeveral(sql)) return fail('query/bad_argument', 'Only one statement can be run')
  if (!isSelect(sql)) {
    const rows = await store.all(sql)
    return rows.ok ? printPages(Object.keys(rows.value[0] ?? {}), [rows.value], format) : rows
  }
  // A view tells the names of the columns, also when there are no rows, and makes those that come twice distinct; nothing runs for it.
  const kept = await store.exec(`CREATE TEMP VIEW answer AS ${sql}`)
  if (!kept.ok) return kept
  const named = await store.all("SELECT name FROM pragma_table_info('answer', 'temp')")
  if (!named.ok) return named
  const columns = named.value.map((row) => String(row.name))
  const read = new ExactRows(columns)
  return printPages(columns, pagesOf(store.rows(read.sql), read), format)
}

/** Rows as they come, some at a time. Throws a RowsFailure. */
async function* pagesOf(rows: AsyncIterable<Result<SqlRow>>, read: ExactRows): AsyncGenerator<readonly Row[]> {
  let page: Row[] = []
  let startedAt = performance.now()
  for await (const row of rows) {
    if (!row.ok) throw new RowsFailure(row.error)
    page.push(read.restore(row.value))
    if (page.length < pageRows && performance.now() - startedAt < pageMs) continue
    yield page
    page = []
    startedAt = performance.now()
  }
  yield page
}

/** Carries a failure through an iteration, whose only way to report is an exception. */
class RowsFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

async function printPages(
  columns: readonly string[],
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  format: Format,
): Promise<Result<void>> {
  let printer: Printer | undefined
  let printed = 0
  try {
    for await (const page of pages) {
      if (!printer) {
        printer = printers[format](columns, page)
        await write(printer.head)
      }
      await write(printer.rows(page, printed))
      printed += page.length
    }
    await write(printer?.tail(printed) ?? '')
    return ok(undefined)
  } catch (error) {
    if (error instanceof RowsFailure) return { ok: false, error: error.failure }
    throw error
  }
}

/** Waits while the reader is slow. */
async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}
