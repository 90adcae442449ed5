// The closed list of expected failures. Each has a title, a cause and a next step in every language (renderer/i18n); a test walks the list.
import { z } from 'zod'

export const errorCodes = [
  'file/not_found',
  'file/unreadable',
  'file/empty',
  'file/truncated',
  'file/unknown_format',
  'file/unsupported_container',
  'file/too_deep',
  'file/too_much',
  'snapshot/forbidden_opcode',
  'snapshot/malformed',
  'snapshot/truncated',
  'snapshot/not_a_snapshot',
  'snapshot/no_history',
  'snapshot/integer_too_large',
  'trace/not_a_trace',
  'trace/truncated',
  'trace/source_changed',
  'profile/not_a_profile',
  'index/disk_full',
  'index/write_failed',
  'index/not_an_index',
  'index/cache_unusable',
  'query/cancelled',
  'query/bad_argument',
  'query/failed',
  'query/read_only',
  'query/timed_out',
  'query/unknown_capture',
  'categories/broken_rules',
  'templates/broken_template',
  'export/write_failed',
  'window/no_display',
  'engine/crashed',
  'engine/out_of_memory',
  'engine/internal',
] as const

export const errorCodeSchema = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof errorCodeSchema>

/** An expected failure as it crosses processes: what happened (English), and the byte offset in the inflated file where known. */
export const failureSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  offset: z.number().optional(),
})
export type Failure = z.infer<typeof failureSchema>

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const fail = (code: ErrorCode, message: string, offset?: number): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error: offset === undefined ? { code, message } : { code, message, offset },
})
