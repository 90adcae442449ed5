// `tidemark query`: any SQL on an index, read-only, in constant memory.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { type Failure, ok, type Result } from '../../preload/contract/errors.ts'
import type { IndexStore } from '../engine/index-store.ts'
import { type Answer, answerOf } from '../engine/sql/answer.ts'
import { openReadingOnly } from '../engine/sql/connection.ts'
import { bareText, readingStatement, withReason } from '../engine/sql/statement.ts'
import { reportFailure } from './failure.ts'
import { type Format, formats, type Printer, printers, type Row } from './row-printers.ts'
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
  const rules = await session.value.ruleFiles.read()
  const store = rules.ok ? await openReadingOnly(session.value.library, found.value, rules.value) : rules
  if (!store.ok) return reportFailure(store.error, file)
  // Ctrl+C ends the process here as it ends any program that prints: there is nothing to tidy, and a handler could not run while a reader such
  // as a pager holds the writing up.
  const done = await printRows(store.value, sql, format)
  await store.value.close()
  return done.ok ? 0 : reportFailure(withReason(done.error, sql), file)
}

async function printRows(store: IndexStore, sql: string, format: Format): Promise<Result<void>> {
  const sound = readingStatement(sql)
  if (!sound.ok) return sound
  const answer = await answerOf(store, sql)
  if (!answer.ok) return answer
  const { columns, rows } = answer.value
  return printPages(columns, pagesOf(columns, rows), format)
}

/** Rows as they come, some at a time. Throws a RowsFailure. */
async function* pagesOf(columns: readonly string[], rows: Answer['rows']): AsyncGenerator<readonly Row[]> {
  let page: Row[] = []
  let startedAt = performance.now()
  for await (const row of rows) {
    if (!row.ok) throw new RowsFailure(row.error)
    page.push(Object.fromEntries(columns.map((column, at) => [column, row.value[at] ?? null])))
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
