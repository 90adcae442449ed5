// A CSV file of many rows: written as they come, under a temporary name, on a connection of its own so that views are not held up.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { type Failure, fail, ok, type Result } from '../../preload/contract/errors.ts'
import { IndexStore } from './index-store.ts'
import type { NativeLibrary } from './native-library.ts'
import type { OpenCapture } from './open-capture.ts'
import { DamagedIndex } from './queries/row.ts'
import { removeAbandonedBeside, temporaryBeside } from './temporary-files.ts'

/** Rows read at a time: few enough that making their text never holds up other work for long. */
export const pageRows = 1000

export type CsvRecord = readonly (string | number)[]

/** Carries a failure through a stream, whose only way to report is an exception. */
class StreamFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The value of an answer, inside the records of `writeCsv` only: a failure ends the writing and is its answer. */
export async function must<T>(answer: Promise<Result<T>>): Promise<T> {
  const result = await answer
  if (result.ok) return result.value
  throw new StreamFailure(result.error)
}

interface CsvRecords {
  readonly path: string
  readonly columns: readonly string[]
  readonly records: AsyncIterable<CsvRecord>
}

export interface CsvFile extends Omit<CsvRecords, 'records'> {
  /** The rows, read from the connection given. */
  readonly records: (store: IndexStore) => AsyncGenerator<CsvRecord>
}

/** Writes the file and renames it when complete. Errors: `export/write_failed`, `index/not_an_index`, those of the records. */
export async function writeCsv(library: NativeLibrary, capture: OpenCapture, { path, columns, records }: CsvFile): Promise<Result<void>> {
  const store = await IndexStore.open(capture.indexPath, capture.store.mode, library.path)
  if (!store.ok) return store
  const ruled = await capture.rules.applyTo(store.value)
  const written = ruled.ok ? await writeRecords({ path, columns, records: records(store.value) }) : ruled
  await store.value.close()
  return written
}

/** As `writeCsv`, of rows that are there. */
export async function writeRecords({ path, columns, records }: CsvRecords): Promise<Result<void>> {
  const temporary = temporaryBeside(path)
  await removeAbandonedBeside(path)
  try {
    // A cell that starts like a formula is quoted as text, since names in a capture come from strangers.
    const csv = stringify({ header: true, columns: [...columns], escape_formulas: true })
    await pipeline(Readable.from(records), csv, createWriteStream(temporary))
    await rename(temporary, path)
    return ok(undefined)
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof StreamFailure) return { ok: false, error: error.failure }
    if (error instanceof DamagedIndex) return fail('index/not_an_index', error.message)
    return fail('export/write_failed', error instanceof Error ? error.message : String(error))
  }
}
