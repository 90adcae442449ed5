// Where the slices of each lane lie: slices are numbered by track, lane and start, so a lane is a range of numbers and a stretch of time a range
// within it.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore } from '../index-store.ts'
import { numberOf } from './row.ts'

/** More than any trace that could be looked at: beyond lies an index made to hold up the window. */
const maxLanes = 4_000_000

/** Slices [from, to) by number. */
export interface SliceRange {
  readonly from: number
  readonly to: number
}

/** The lanes of a trace in the order of their numbers. */
export class TraceLanes {
  readonly #firstSlices: Float64Array
  readonly #tracks: Float64Array
  readonly sliceCount: number

  private constructor(firstSlices: Float64Array, tracks: Float64Array, sliceCount: number) {
    this.#firstSlices = firstSlices
    this.#tracks = tracks
    this.sliceCount = sliceCount
  }

  /** Errors: as the store. */
  static async read(store: IndexStore): Promise<Result<TraceLanes>> {
    const rows = await store.all(`SELECT lane_id, track_id, first_slice, slice_count FROM lane ORDER BY lane_id LIMIT ${maxLanes}`)
    if (!rows.ok) return rows
    const last = rows.value.at(-1)
    const end = last ? numberOf(last, 'first_slice') + numberOf(last, 'slice_count') : 0
    const column = (name: string) => Float64Array.from(rows.value, (row) => numberOf(row, name))
    return ok(new TraceLanes(column('first_slice'), column('track_id'), end))
  }

  /** The lane of a slice; 0 without lanes. */
  laneOf(sliceId: number): number {
    let low = 0
    let high = this.#firstSlices.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#firstSlices[middle] ?? 0) <= sliceId) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  trackOf(laneId: number): number {
    return this.#tracks[laneId] ?? -1
  }

  /** The lanes of these tracks, of all when null. */
  lanesOf(tracks: readonly number[] | null): number[] {
    const wanted = tracks === null ? null : new Set(tracks)
    const lanes: number[] = []
    for (const [laneId, track] of this.#tracks.entries()) if (wanted === null || wanted.has(track)) lanes.push(laneId)
    return lanes
  }

  slicesOf(laneId: number): SliceRange {
    const from = this.#firstSlices[laneId] ?? this.sliceCount
    return { from, to: this.#firstSlices[laneId + 1] ?? this.sliceCount }
  }
}

/**
 * The slices of each lane that overlap [fromNs, toNs), found by halving; the first of a range may end before fromNs. Lanes without any are left
 * out. Errors: as the store.
 */
export async function rangesInTime(
  store: IndexStore,
  lanes: readonly SliceRange[],
  fromNs: number,
  toNs: number,
): Promise<Result<SliceRange[]>> {
  // Each row of `halving` is one search: the first slice of a lane that starts at or after `bound`.
  const rows = await store.all(
    `WITH RECURSIVE
       lanes AS (SELECT key AS lane, value ->> 0 AS first, value ->> 1 AS last FROM json_each(?1)),
       bounds(edge, bound) AS (VALUES (0, ?2), (1, ?3)),
       halving(lane, edge, bound, low, high) AS (
         SELECT lane, edge, bound, first, last FROM lanes, bounds
         UNION ALL
         SELECT lane, edge, bound, iif(start_ns < bound, slice_id + 1, low), iif(start_ns < bound, high, slice_id)
         FROM halving CROSS JOIN slice ON slice_id = (low + high) / 2 WHERE low < high)
     SELECT max(iif(edge = 0, low, NULL)) AS lower, max(iif(edge = 1, low, NULL)) AS upper, lanes.first AS first
     FROM halving JOIN lanes USING (lane) WHERE low = high GROUP BY lane ORDER BY lane`,
    [JSON.stringify(lanes.map(({ from, to }) => [from, to])), fromNs, toNs],
  )
  if (!rows.ok) return rows
  const ranges = rows.value.map((row) => ({
    from: Math.max(numberOf(row, 'first'), numberOf(row, 'lower') - 1), // the one before may reach into the range
    to: numberOf(row, 'upper'),
  }))
  return ok(ranges.filter(({ from, to }) => from < to))
}
