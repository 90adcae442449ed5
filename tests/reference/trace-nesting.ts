// Who contains whom on one row of a trace, by looking at every slice in order: the rule of native/TRACES.md, without lanes.
import type { ReferenceSlice } from './trace.ts'

export interface Nested {
  readonly slice: ReferenceSlice
  readonly startNs: bigint
  readonly endNs: bigint
  /** Of the slices before it that contain it and go on after its start: the last; null = none. */
  readonly parent: Nested | null
  /** Slices that it lies in; null when it overlaps with the innermost of these, that is begins in it and ends behind it. */
  readonly depth: number | null
}

/** A row by pid and tid. */
export function rowsOf(slices: readonly ReferenceSlice[]): Map<string, ReferenceSlice[]> {
  const rows = new Map<string, ReferenceSlice[]>()
  for (const slice of slices) {
    const key = `${slice.pid}\n${slice.tid}`
    const row = rows.get(key)
    if (row === undefined) rows.set(key, [slice])
    else row.push(slice)
  }
  return rows
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** Slices of one row in order of (start, longest first, place in the file). Unfinished ones end with the row. */
export function nest(row: readonly ReferenceSlice[]): Nested[] {
  const ends = row.map(({ startNs, durNs }) => startNs + durNs)
  const rowEnd = [...ends].sort(compare).at(-1) ?? 0n
  const spans = row
    .map((slice, index) => ({ slice, startNs: slice.startNs, endNs: slice.isUnfinished ? rowEnd : (ends[index] ?? rowEnd) }))
    .sort((a, b) => compare(a.startNs, b.startNs) || compare(b.endNs, a.endNs) || a.slice.order - b.slice.order)
  const begun: Nested[] = []
  const levels: bigint[] = []
  return spans.map((span) => {
    const { startNs, endNs } = span
    while ((levels.at(-1) ?? startNs + 1n) <= startNs) levels.pop()
    const depth = endNs > (levels.at(-1) ?? endNs) ? null : levels.length
    if (depth !== null) levels.push(endNs)
    begun.splice(0, begun.length, ...begun.filter((earlier) => earlier.endNs > startNs))
    const nested = { ...span, parent: begun.findLast((earlier) => earlier.endNs >= endNs) ?? null, depth }
    begun.push(nested)
    return nested
  })
}
