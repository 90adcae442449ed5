// Failures of file system calls as coded values.
import type { ErrorCode, Failure } from '../../preload/contract/errors.ts'

/** The system's name of an error (ENOENT, …), empty when it has none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What the system says of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Why a file that the user named cannot be read: `file/not_found` or `file/unreadable`. */
export function readFailure(error: unknown): Failure {
  const code: ErrorCode = ['ENOENT', 'ENOTDIR'].includes(systemCode(error)) ? 'file/not_found' : 'file/unreadable'
  return { code, message: messageOf(error) }
}

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Why the cache folder cannot be written: `index/disk_full` or `index/cache_unusable`. */
export function cacheFailure(error: unknown): Failure {
  return { code: fullCodes.includes(systemCode(error)) ? 'index/disk_full' : 'index/cache_unusable', message: messageOf(error) }
}
