// Answers the questions in SQL. They do not wait for those of the views, nor the views for them.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { EngineMethod, EngineOutput } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import type { CheckedInput, SqlMethod } from '../queries/query.ts'

type SqlHandler<M extends SqlMethod> = (
  capture: OpenCapture,
  input: CheckedInput<M>,
  signal: AbortSignal,
) => Promise<Result<EngineOutput<M>>> | Result<EngineOutput<M>>

export const sqlHandlers: { readonly [M in SqlMethod]: SqlHandler<M> } = {
  'sql.run': ({ console }, input, signal) => console.run(signal, input),
  'sql.rows': ({ console }, input) => console.rows(input),
  'sql.schema': async ({ console, summary }) => {
    const schema = await console.schema(summary.kind)
    return schema.ok ? ok(schema.value) : schema
  },
}

export const isSqlMethod = (method: EngineMethod): method is SqlMethod => Object.hasOwn(sqlHandlers, method)
