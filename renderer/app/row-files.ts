// From a row of a table of failures to the snapshot behind it.
import type { FailureRow, Failures } from '../../preload/contract/diagnosis.ts'
import type { OpenRequest } from '../state/captures.ts'
import type { LoadOptions } from './load-tab.ts'

interface RowFiles {
  readonly request: OpenRequest
  readonly options: LoadOptions
}

/** How the snapshot of a row is opened: in its diagnosis, with the files that were read with it. Undefined: it has none. */
export function filesOfRow({ captureToken, name, sourceTokens }: FailureRow): RowFiles | undefined {
  if (captureToken === null) return undefined
  const parts = name.split(/[\\/]/)
  const request = { token: captureToken, name: parts.at(-1) ?? name, folder: parts.at(-2) ?? '', sizeBytes: 0 }
  return { request, options: { view: 'diagnosis', sources: sourceTokens, isCapture: true } }
}

/** The snapshot that is all there is to a table of failures: a table of it would be a detour. */
export function snapshotOf({ rows, total, unreadable }: Failures): RowFiles | undefined {
  const [row] = rows
  return total === 1 && unreadable.length === 0 && row ? filesOfRow(row) : undefined
}
