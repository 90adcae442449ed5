// Colours that are large in the picture though their stacks hold little at the legend's moment, and which stacks they stand for.
import type { StackShare, TimelineCurves, TimelineRaster } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { columnAt, type Placed, type TopStacks } from '../../plot/placed.ts'
import { noFramesSlot } from '../../theme/palette.ts'

/** A colour with less of the coloured area is not missed in the legend. */
const leastShare = 0.02
const mostColors = 4
const searchedStacks = 200 // of a moment, largest first

const slotMask = 63

export interface LargeSlot {
  readonly slot: number
  readonly x: number // middle of the column where it takes most
}

/** Slots of stacks that take much of the picture and are not among those known, largest first. */
export function largeSlots({ range, data }: Placed<TimelineRaster>, known: ReadonlySet<number>): LargeSlot[] {
  const { cells, columns, rows } = data
  const slots = noFramesSlot + 1
  const total = new Uint32Array(slots)
  const most = new Uint32Array(slots)
  const widest = new Uint32Array(slots)
  const inColumn = new Uint32Array(slots)
  for (let column = 0; column < columns; column++) {
    inColumn.fill(0)
    for (let cell = column * rows; cell < (column + 1) * rows; cell++) {
      const slot = (cells[cell] ?? 0) & slotMask
      if (slot > 0 && slot < slots) inColumn[slot] = (inColumn[slot] ?? 0) + 1
    }
    for (let slot = 1; slot < slots; slot++) {
      const count = inColumn[slot] ?? 0
      total[slot] = (total[slot] ?? 0) + count
      if (count <= (most[slot] ?? 0)) continue
      most[slot] = count
      widest[slot] = column
    }
  }
  const all = total.reduce((sum, count) => sum + count, 0)
  const columnSpan = (range.x1 - range.x0) / columns
  return Array.from(total, (count, slot) => ({ slot, count }))
    .filter(({ slot, count }) => count > 0 && count >= all * leastShare && !known.has(slot))
    .sort((a, b) => b.count - a.count)
    .slice(0, mostColors)
    .map(({ slot }) => ({ slot, x: range.x0 + ((widest[slot] ?? 0) + 0.5) * columnSpan }))
}

/** The largest stack of each such colour, at the moment when it takes most. Those that the engine does not tell are left out. */
export async function askElsewhere(
  captureId: string,
  raster: Placed<TimelineRaster>,
  curves: Placed<TimelineCurves>,
  top: TopStacks,
): Promise<StackShare[]> {
  const large = largeSlots(raster, new Set(top.stacks.map(({ slot }) => slot)))
  const found = await Promise.all(
    large.map(async ({ slot, x }) => {
      const column = columnAt(curves, x)
      const event = column === undefined ? undefined : curves.data.repEvent[column]
      if (event === undefined) return []
      const answer = await engine.call('stacks.top', { captureId, device: raster.device, event, limit: searchedStacks })
      const stack = answer.ok ? answer.value.stacks.find((each) => each.slot === slot) : undefined
      return stack ? [stack] : []
    }),
  )
  return found.flat()
}
