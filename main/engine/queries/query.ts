// What a query handler is.

import type { z } from 'zod'
import type { Result } from '../../../preload/contract/errors.ts'
import type { EngineMethod, EngineOutput, engineMethods } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'

/** Methods that manage captures rather than ask one. */
export type CaptureMethod = 'capture.open' | 'capture.close'
/** Methods that ask two captures. */
export type JoinMethod = Extract<EngineMethod, `join.${string}`>
/** Methods that run a statement of the user's. */
export type SqlMethod = Extract<EngineMethod, `sql.${string}`>
/** Methods about failures, which need more than one capture: its log, its metrics, or a folder of them. */
export type DiagnosisMethod = Extract<EngineMethod, `diagnosis.${string}` | `failures.${string}`>
export type QueryMethod = Exclude<EngineMethod, CaptureMethod | JoinMethod | SqlMethod | DiagnosisMethod>

/** The input as it is after the check (defaults filled in). */
export type CheckedInput<M extends EngineMethod> = z.output<(typeof engineMethods)[M]['input']>

export type QueryHandler<M extends QueryMethod> = (capture: OpenCapture, input: CheckedInput<M>) => Promise<Result<EngineOutput<M>>>
