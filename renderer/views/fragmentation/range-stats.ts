// The measures over a range: least, mean and most. Pure.
import type { Axis, SpaceCurves } from '../../../preload/contract/queries.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { spanOf } from '../../plot/scales.ts'
import type { Range } from '../../state/view-state.ts'

export const rangeMeasures = ['reserved', 'allocated', 'active', 'largestFree', 'returnable', 'inactiveSplit', 'freeBlocks'] as const
export type RangeMeasure = (typeof rangeMeasures)[number]

const timeColumns = 4096

/** Into how many columns a range is read: one an event where there are few enough, so that the mean is exact. */
export const rangeColumns = (axis: Axis, range: Range): number =>
  axis === 'time' ? timeColumns : Math.min(maxSidePx, Math.max(1, Math.round(spanOf(range))))

export interface RangeStats {
  readonly least: number
  readonly mean: number // of the columns' moments
  readonly most: number
}

/** Least and most are those of all events; undefined where the range holds none. */
export function rangeStats(data: SpaceCurves, measure: RangeMeasure): RangeStats | undefined {
  const { min, max, rep } = data[measure]
  let [least, most, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (const [column, value] of rep.entries()) {
    if (Number.isNaN(value)) continue
    least = Math.min(least, min[column] ?? value)
    most = Math.max(most, max[column] ?? value)
    sum += value
    count++
  }
  return count === 0 ? undefined : { least, mean: sum / count, most }
}

/** True where every column is one event, so that the mean is that of all. */
export const isMeanExact = ({ firstEvent, lastEvent }: SpaceCurves): boolean =>
  firstEvent.every((first, column) => (lastEvent[column] ?? 0) - first <= 1)
