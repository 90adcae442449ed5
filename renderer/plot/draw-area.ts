// Allocated memory as an area and reserved memory as a line: the small picture of a whole history.
import type { TimelineCurves } from '../../preload/contract/queries.ts'
import type { Item } from '../scene/display-list.ts'
import type { Ink } from './ink.ts'
import { bottomOf } from './layout.ts'
import type { Placed } from './placed.ts'
import { type Scales, xToPx } from './scales.ts'

/** What it needs of an answer: the values of its columns. */
export interface AreaCurves {
  readonly allocated: Pick<TimelineCurves['allocated'], 'max'>
  readonly reserved: Pick<TimelineCurves['reserved'], 'max'>
}

/** A column shows its maximum; neighbours of one height are one box. */
export function drawArea(
  { range, data }: Pick<Placed<AreaCurves>, 'range' | 'data'>,
  scales: Scales,
  ink: Pick<Ink, 'mark' | 'curve2'>,
): Item[] {
  const { plot: frame, y1 } = scales
  const columns = data.allocated.max.length
  // Whole pixels: boxes that meet inside one would show a seam.
  const xAt = (column: number): number => Math.round(xToPx(scales, range.x0 + ((range.x1 - range.x0) * column) / columns))
  const items: Item[] = []
  const add = (values: Float64Array, isLine: boolean): void => {
    const heightAt = (column: number): number => Math.round(((values[column] ?? 0) / y1) * frame.heightPx)
    for (let first = 0; first < columns; ) {
      const heightPx = heightAt(first)
      let end = first + 1
      while (end < columns && heightAt(end) === heightPx) end++
      const box = { kind: 'box', yPx: bottomOf(frame) - heightPx, heightPx: isLine ? 1 : heightPx, alpha: 0.95 } as const
      items.push({ ...box, xPx: xAt(first), widthPx: xAt(end) - xAt(first), color: isLine ? ink.curve2 : ink.mark })
      first = end
    }
  }
  add(data.allocated.max, false)
  add(data.reserved.max, true)
  return items
}
