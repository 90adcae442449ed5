// Bars that share a row (one size class, one stack) laid beside each other, so that each can be seen and clicked.
import type { LifetimeBars } from '../../../preload/contract/queries.ts'

export type Bars = NonNullable<LifetimeBars['bars']>

const filled = 0.96 // of a row: the rest parts it from the next

/** The bars with y ranges of their own inside their rows: the first lane free at a bar's start, in the order of starts. */
export function packLanes(bars: Bars): Bars {
  const byRow = new Map<number, number[]>()
  for (const [index, row] of bars.y0.entries()) {
    const known = byRow.get(row)
    if (known) known.push(index)
    else byRow.set(row, [index])
  }
  const [y0, y1] = [new Float64Array(bars.y0), new Float64Array(bars.y1)]
  for (const [row, members] of byRow) {
    const { lanes, count } = lanesOf(bars, members)
    for (const [at, index] of members.entries()) {
      const height = ((bars.y1[index] ?? row) - row) * filled
      y0[index] = row + (height * (lanes[at] ?? 0)) / count
      y1[index] = row + (height * ((lanes[at] ?? 0) + 1)) / count
    }
  }
  return { ...bars, y0, y1 }
}

/** Sorts `members` by start and gives each a lane. */
function lanesOf(bars: Bars, members: number[]): { readonly lanes: readonly number[]; readonly count: number } {
  const startOf = (index: number): number => orElse(bars.start[index], Number.NEGATIVE_INFINITY)
  members.sort((a, b) => startOf(a) - startOf(b))
  const ends: number[] = []
  const lanes = members.map((index) => {
    const free = ends.findIndex((end) => end <= startOf(index))
    const lane = free < 0 ? ends.length : free
    ends[lane] = orElse(bars.freeCompleted[index], Number.POSITIVE_INFINITY)
    return lane
  })
  return { lanes, count: Math.max(1, ends.length) }
}

/** The value, or another where the capture does not hold it. */
export const orElse = (value: number | undefined, other: number): number => (value === undefined || Number.isNaN(value) ? other : value)
