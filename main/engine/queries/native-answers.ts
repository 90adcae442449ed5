// Asks the functions of the native library, and what their answers have in common.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SqlParameter } from '../index-store.ts'
import { decodeBatch, type NativeBatch } from '../native-batch.ts'
import type { OpenCapture } from '../open-capture.ts'
import type { CheckedInput } from './query.ts'
import { textOrNull } from './row.ts'

/** The batch that `SELECT f(…)` answers with. Errors: as the function reports. */
export async function batchOf(capture: OpenCapture, sql: string, parameters: readonly SqlParameter[]): Promise<Result<NativeBatch>> {
  const blob = await capture.store.blob(sql, parameters)
  return blob.ok ? decodeBatch(blob.value) : blob
}

/** What the JSON says that `SELECT f(…) AS answer` answers with, its keys in camel case as in the contract; null for NULL. Errors: as the function reports. */
export async function jsonOf(capture: OpenCapture, sql: string, parameters: readonly SqlParameter[]): Promise<Result<unknown>> {
  const row = await capture.store.get(sql, parameters)
  if (!row.ok) return row
  const text = row.value ? textOrNull(row.value, 'answer') : null
  return ok(text === null ? null : camelCased(JSON.parse(text)))
}

const camelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [camelCase(key), camelCased(each)]))
}

/** The first arguments of the functions that answer per pixel column. */
export const viewportOf = ({ device, axis, x0, x1, columns }: CheckedInput<'timeline.curves'>): SqlParameter[] => [
  device,
  axis,
  x0,
  x1,
  columns,
]

/** Which events the columns of a batch show. */
export const frameOf = (batch: NativeBatch) => ({
  repEvent: batch.f64('rep_event'),
  firstEvent: batch.f64('first_event'),
  lastEvent: batch.f64('last_event'),
  repTimeNs: batch.f64('rep_time_ns'),
})

/** One curve of a batch, by the name that the library gives it. */
export const curveOf = (batch: NativeBatch, name: string) => ({
  min: batch.f64(`${name}_min`),
  max: batch.f64(`${name}_max`),
  rep: batch.f64(`${name}_rep`),
})
