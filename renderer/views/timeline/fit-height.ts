// The plot's top when the height follows what is allocated in view.
import type { TimelineCurves } from '../../../preload/contract/queries.ts'
import type { Placed } from '../../plot/placed.ts'
import { niceStep } from '../../plot/ticks.ts'

const room = 1.06 // over the largest, for its mark
const loose = 0.6 // a top is kept while the largest fills at least this share of it
const stepsInHeight = 10

/** Most bytes allocated anywhere in the columns. */
export function mostAllocated({ data }: Placed<TimelineCurves>): number {
  let most = 0
  for (const bytes of data.allocated.max) if (bytes > most) most = bytes
  return most
}

/**
 * Bytes at the plot's top for the most bytes allocated in view, in whole 1-2-5 steps of a tenth of it. The top `before` stays while
 * it still fits, so that panning does not move the scale; it never exceeds the device's own top.
 */
export function fittedTop(mostBytes: number, deviceTop: number, before?: number): number {
  const least = mostBytes * room
  if (before !== undefined && least <= before && mostBytes >= before * loose) return before
  if (mostBytes <= 0) return before ?? deviceTop
  const unit = 1024 ** Math.floor(Math.log2(least) / 10)
  const step = niceStep(least / unit / stepsInHeight) * unit
  return Math.min(deviceTop, Math.ceil(least / step - 1e-9) * step)
}
