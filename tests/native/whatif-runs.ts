// Asks the simulator of an index.
import type { IndexFile } from '../support/index-file.ts'

export interface WhatIfAnswer {
  readonly reserved_peak_bytes: number
  readonly allocated_peak_bytes: number
  readonly largest_free_bytes: number
  readonly retries: number
  readonly fails: boolean
  readonly failing_event: number | null
  readonly is_certain: boolean
  readonly depends_on: readonly ('capacity' | 'request')[]
  readonly least_reserved_peak_bytes: number
  readonly most_reserved_peak_bytes: number
  readonly reserved_bytes: number
  readonly allocated_bytes: number
  readonly free_bytes: number
  readonly last_event: number
  readonly same_layout: boolean
  readonly first_difference: number | null
  readonly capacity: { readonly source: string; readonly bytes: number | null }
  readonly failed_request: { readonly bytes: number; readonly least_bytes: number; readonly most_bytes: number } | null
}

/** The recording of a device under these settings; capacity in bytes, null = what the recording tells. */
export async function whatIf(index: IndexFile, settings: string, capacity: number | null, device = 0): Promise<WhatIfAnswer> {
  const [text] = await index.column(`SELECT what_if(?, ?, ${capacity === null ? 'NULL' : capacity})`, [device, settings])
  return JSON.parse(String(text)) as WhatIfAnswer
}
