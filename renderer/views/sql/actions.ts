// What the user does with the console.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { Result } from '../../../preload/contract/errors.ts'
import type { SqlCells } from '../../../preload/contract/queries.ts'
import { askShell } from '../../app/bridge.ts'
import { baseName, tellSaved } from '../../app/save-table.ts'
import { engine } from '../../data/engine-client.ts'
import { counted, formatCount } from '../../i18n/format.ts'
import { copyText } from '../../state/copy-text.ts'
import { showMessage } from '../../state/shell.ts'
import { announce } from '../../widgets/announce.ts'
import { type ExampleId, examples } from './examples.ts'
import { patchSql, type SqlResult, sqlState, withStatement } from './sql-state.ts'
import { sqlViewText as t } from './texts.ts'

const running = new Map<string, AbortController>()

/** Runs what the editor holds; what ran before is stopped. */
export async function runStatement({ captureId }: CaptureSummary): Promise<void> {
  const { text, timeLimitMs, history } = sqlState(captureId).getState()
  const statement = text.trim()
  if (statement === '') return
  running.get(captureId)?.abort()
  const own = new AbortController()
  running.set(captureId, own)
  patchSql(captureId, { running: statement, history: withStatement(history, statement) })
  const answer = await ask(captureId, statement, timeLimitMs, own.signal)
  if (running.get(captureId) !== own) return
  running.delete(captureId)
  if (answer.ok) {
    patchSql(captureId, { running: undefined, failure: undefined, result: answer.value })
    announce(rowsText(answer.value))
  } else patchSql(captureId, { running: undefined, failure: { statement, error: answer.error } })
}

async function ask(captureId: string, sql: string, timeLimitMs: number, signal: AbortSignal): Promise<Result<SqlResult>> {
  const first = await engine.call('sql.run', { captureId, sql, timeLimitMs }, { signal })
  if (!first.ok) return first
  const { answerId, columns, rowCount, more, elapsedMs } = first.value
  const rows: SqlCells[] = [...first.value.rows]
  while (rows.length < rowCount) {
    const page = await engine.call('sql.rows', { captureId, answerId, offset: rows.length }, { signal })
    if (!page.ok) return page
    rows.push(...page.value.rows)
  }
  return { ok: true, value: { statement: sql, columns, rows, more, elapsedMs } }
}

export const isRunning = ({ captureId }: CaptureSummary): boolean => sqlState(captureId).getState().running !== undefined

/** Stops the statement that runs. */
export function stopStatement({ captureId }: CaptureSummary): void {
  running.get(captureId)?.abort()
}

/** Reads the relations, once a capture. */
export async function readRelations({ captureId }: CaptureSummary): Promise<void> {
  if (sqlState(captureId).getState().relations) return
  const answer = await engine.call('sql.schema', { captureId })
  if (answer.ok) patchSql(captureId, { relations: answer.value.relations })
}

/** How many rows a result has, and whether there are more. */
export function rowsText({ rows, more }: SqlResult): string {
  const formatted = formatCount(rows.length)
  if (more === null) return t('result.rows', { count: rows.length, formatted })
  return t(more === 'rows' ? 'result.firstRows' : 'result.firstBytes', { formatted })
}

/** Puts an example in the place of the text. */
export const showExample = ({ captureId }: CaptureSummary, id: ExampleId): void => patchSql(captureId, { text: examples[id].sql })

/** Asks where to write all rows of the result's statement, and says how it went. */
export async function saveResultCsv(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const { result, text } = sqlState(captureId).getState()
  const sql = result?.statement ?? text.trim()
  if (sql === '') return showMessage(t('result.none'), 'error')
  const saved = await askShell('export.saveSqlCsv', { captureId, sql, suggestedName: `${baseName(capture)}-sql.csv` })
  tellSaved(saved)
}

/** Puts cells on the clipboard and says so. */
export async function copyCells(text: string, count: number): Promise<void> {
  if (await copyText(text)) announce(t('result.copied', counted(count)))
}
