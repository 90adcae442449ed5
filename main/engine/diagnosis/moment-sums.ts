// Sums over what is held at the moment of a diagnosis: by category, as the views count it, and by age.
import type { Category } from '../../../preload/contract/queries.ts'
import type { Instant } from './places.ts'
import type { Reading } from './reading.ts'

/** Rounded bytes, which add up to the allocated ones. */
export interface CategorySum {
  readonly category: Category
  readonly bytes: number
  readonly count: number
}

export const ages = ['before_history', 'older_half', 'newer_half', 'last_tenth'] as const

/** Rounded bytes by the part of the history in which they were made; the last tenth is part of the newer half. */
export type AgeSums = Readonly<Record<(typeof ages)[number], number>>

/** What each category holds after an event. */
export async function categoriesAt(reading: Reading, { device, event }: Instant): Promise<CategorySum[]> {
  const totals = await reading.json<CategorySum[]>('SELECT category_totals(?, ?) AS value', [device, event])
  return (totals ?? []).map(({ category, bytes, count }) => ({ category, bytes, count }))
}

/** What is held after an event by when it was made, in parts of the history up to it. */
export async function agesAt(reading: Reading, { device, event }: Instant): Promise<AgeSums> {
  const row = await reading.row(
    `SELECT total(size_bytes) FILTER (WHERE alloc_event IS NULL) AS before_history, total(size_bytes) FILTER (WHERE alloc_event < ?3) AS older_half,
       total(size_bytes) FILTER (WHERE alloc_event >= ?3) AS newer_half, total(size_bytes) FILTER (WHERE alloc_event >= ?4) AS last_tenth
      FROM live_allocation(?1, ?2)`,
    [device, event, event / 2, 0.9 * event],
  )
  const bytes = (age: (typeof ages)[number]): number => Number(row?.[age] ?? 0)
  return {
    before_history: bytes('before_history'),
    older_half: bytes('older_half'),
    newer_half: bytes('newer_half'),
    last_tenth: bytes('last_tenth'),
  }
}
