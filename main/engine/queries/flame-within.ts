// Within which annotations of the program what has no stack was made: the backward pass has no frames, but may lie in a record_function.
import { ok } from '../../../preload/contract/errors.ts'
import type { FlameMeasure } from '../../../preload/contract/queries.ts'
import { checkFilter, rowCondition } from './allocation-filter.ts'
import type { QueryHandler } from './query.ts'
import { numberOf, numberOrNull, textOf } from './row.ts'

/** More allocations than a node of a picture is asked about; then nothing is said. */
const mostAllocations = 200_000
const mostNames = 5

export interface Span {
  readonly name: string
  readonly startNs: number
  readonly endNs: number // Infinity = not in the capture
}

export interface Made {
  readonly timeNs: number
  readonly bytes: number
}

/** What was made within each annotation, largest first; of several that are open the one that began last counts. Both in order of their times. */
export function madeWithin(spans: readonly Span[], made: readonly Made[]): { name: string; count: number; bytes: number }[] {
  const sums = new Map<string, { name: string; count: number; bytes: number }>()
  const open: Span[] = []
  let next = 0
  for (const { timeNs, bytes } of made) {
    for (let span = spans[next]; span !== undefined && span.startNs <= timeNs; span = spans[next]) {
      open.push(span)
      next++
    }
    while ((open.at(-1)?.endNs ?? Number.POSITIVE_INFINITY) <= timeNs) open.pop()
    const span = open.at(-1)
    if (!span) continue
    const sum = sums.get(span.name) ?? { name: span.name, count: 0, bytes: 0 }
    sums.set(span.name, { name: span.name, count: sum.count + 1, bytes: sum.bytes + bytes })
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes)
}

/** Which allocations a measure is about, by ?2 and ?3 = its events: of two moments those after the second. */
const conditions: Readonly<Record<Exclude<FlameMeasure, 'profile'>, string>> = {
  alive: 'coalesce(alloc_event, -1) <= ?2 AND (free_requested_event IS NULL OR free_requested_event > ?2)',
  diff: 'coalesce(alloc_event, -1) <= ?3 AND (free_requested_event IS NULL OR free_requested_event > ?3)',
  growth: 'coalesce(alloc_event, -1) <= ?3 AND (free_requested_event IS NULL OR free_requested_event > ?3)',
  allocated: 'alloc_event >= ?2 AND alloc_event < ?3',
  area: 'coalesce(alloc_event, -1) < ?3 AND (free_requested_event IS NULL OR free_requested_event > ?2)',
}

export const flameWithin: QueryHandler<'flame.within'> = async ({ store }, { device, category, measure, fromEvent, toEvent, filter }) => {
  const none = ok({ bytes: 0, annotations: [] })
  if (measure === 'profile') return none
  const sound = await checkFilter(store, device, filter)
  if (!sound.ok) return sound
  const spans = await store.all(
    'SELECT name, start_ns, end_ns FROM annotation WHERE device = ? AND start_ns IS NOT NULL ORDER BY start_ns, end_ns DESC',
    [device],
  )
  if (!spans.ok) return spans
  if (spans.value.length === 0) return none
  const passing = rowCondition(filter)
  const made = await store.all(
    `SELECT alloc_time_ns, size_bytes FROM allocation
     WHERE device = ?1 AND ?2 IS NOT NULL AND ?3 IS NOT NULL AND ${conditions[measure]}
       AND allocation_id IN (SELECT allocation_id FROM allocation_category(?1) WHERE category = ?4)
       AND NOT EXISTS (SELECT 1 FROM stack_frame f WHERE f.stack_id = allocation.stack_id) AND ${passing.sql}
     ORDER BY alloc_time_ns LIMIT ${mostAllocations + 1}`,
    [device, fromEvent, toEvent, category, ...passing.parameters],
  )
  if (!made.ok) return made
  if (made.value.length > mostAllocations) return none
  const timed = made.value.flatMap((row) => {
    const timeNs = numberOrNull(row, 'alloc_time_ns')
    return timeNs === null ? [] : [{ timeNs, bytes: numberOf(row, 'size_bytes') }]
  })
  const annotations = madeWithin(
    spans.value.map((row) => ({
      name: textOf(row, 'name'),
      startNs: numberOf(row, 'start_ns'),
      endNs: numberOrNull(row, 'end_ns') ?? Number.POSITIVE_INFINITY,
    })),
    timed,
  )
  return ok({ bytes: made.value.reduce((sum, row) => sum + numberOf(row, 'size_bytes'), 0), annotations: annotations.slice(0, mostNames) })
}
