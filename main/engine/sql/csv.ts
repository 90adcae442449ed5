// All rows of a statement as a CSV file, as they come.
import type { Result } from '../../../preload/contract/errors.ts'
import { type CsvRecord, must, writeRecords } from '../csv-file.ts'
import type { OpenCapture } from '../open-capture.ts'
import { type Answer, answerOf, Stopper } from './answer.ts'
import type { CellValue } from './exact-rows.ts'
import { readingStatement, withReason } from './statement.ts'

/** A statement without end must not fill the disk for ever. */
const timeLimitMs = 300_000

const cellOf = (value: CellValue): string | number => {
  if (value === null) return ''
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value === 'object') return value.text
  return typeof value === 'bigint' ? String(value) : value
}

async function* recordsOf({ rows }: Answer, sql: string, stopper: Stopper): AsyncGenerator<CsvRecord> {
  for await (const row of rows) {
    const stopped = stopper.reason()
    const cells = await must(Promise.resolve(stopped ?? (row.ok ? row : { ok: false as const, error: withReason(row.error, sql) })))
    yield cells.map(cellOf)
  }
}

/** Writes the file and renames it when complete; BLOBs as hexadecimal digits. Errors: as `SqlConsole.run`, `export/write_failed`. */
export async function writeSqlCsv(capture: OpenCapture, sql: string, path: string): Promise<Result<void>> {
  const sound = readingStatement(sql)
  if (!sound.ok) return sound
  const store = await capture.connect()
  if (!store.ok) return store
  const stopper = new Stopper(store.value, capture.closed, timeLimitMs)
  try {
    const answer = await answerOf(store.value, sql)
    if (!answer.ok) return stopper.reason() ?? { ok: false, error: withReason(answer.error, sql) }
    const { value } = answer
    return await writeRecords({ path, columns: value.columns, records: recordsOf(value, sql, stopper) })
  } finally {
    stopper.end()
    await store.value.close()
  }
}
