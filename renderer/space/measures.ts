// What is measured of the memory at one moment, and what follows from it. One place, so that tiles, curves, read-outs, tables and pictures
// agree. Formulas: native/README.md, Space.
import type { SpaceCurves, SpaceTotals } from '../../preload/contract/queries.ts'
import type { Placed } from '../plot/placed.ts'

/** Bytes, and a number of blocks, after one event (−1 = before the first). NaN time where the file has none. */
export interface Measures {
  readonly event: number
  readonly timeNs: number
  readonly reserved: number
  readonly active: number
  readonly allocated: number
  readonly requested: number
  readonly inactiveSplit: number
  readonly largestFree: number
  readonly returnable: number
  readonly freeBlocks: number
}

/** What fills the reserved memory, from the bottom of the picture up. */
export const parts = ['allocated', 'pending', 'stranded', 'returnable'] as const
export type Part = (typeof parts)[number]

/** Curves drawn as lines over the parts. */
export const lines = ['largestFree', 'inactiveSplit'] as const
export type Line = (typeof lines)[number]

type Bytes = Omit<Measures, 'event' | 'timeNs'>

/** All free bytes: cached by the allocator. */
export const cachedOf = ({ reserved, active }: Pick<Bytes, 'reserved' | 'active'>): number => Math.max(0, reserved - active)

/** Free bytes that emptying the cache gives back; on an approximate device never more than is free. */
export const returnableOf = (bytes: Pick<Bytes, 'reserved' | 'active' | 'returnable'>): number =>
  Math.min(Math.max(0, bytes.returnable), cachedOf(bytes))

/** Free bytes that emptying the cache does not give back. */
export const strandedOf = (bytes: Pick<Bytes, 'reserved' | 'active' | 'returnable'>): number => cachedOf(bytes) - returnableOf(bytes)

/** Freed by the program, but still in use by a stream. */
export const pendingOf = ({ active, allocated }: Pick<Bytes, 'active' | 'allocated'>): number => Math.max(0, active - allocated)

/** Lost to rounding up what was requested. */
export const roundingOf = ({ active, requested }: Pick<Bytes, 'active' | 'requested'>): number => Math.max(0, active - requested)

/** 1 − largest free block ÷ all free; 0 when nothing is free. */
export function externalOf(bytes: Pick<Bytes, 'reserved' | 'active' | 'largestFree'>): number {
  const cached = cachedOf(bytes)
  return cached === 0 ? 0 : Math.min(1, Math.max(0, 1 - bytes.largestFree / cached))
}

/** Bytes of a part. */
export function partOf(bytes: Bytes, part: Part): number {
  if (part === 'allocated') return bytes.allocated
  if (part === 'pending') return pendingOf(bytes)
  return part === 'stranded' ? strandedOf(bytes) : returnableOf(bytes)
}

/** What the curves show in a column: the moment of the most allocated bytes in it. */
export function measuresAt({ data }: Placed<SpaceCurves>, column: number): Measures {
  const at = (values: Float64Array): number => values[column] ?? Number.NaN
  return {
    event: at(data.repEvent),
    timeNs: at(data.repTimeNs),
    reserved: at(data.reserved.rep),
    active: at(data.active.rep),
    allocated: at(data.allocated.rep),
    requested: at(data.requested.rep),
    inactiveSplit: at(data.inactiveSplit.rep),
    largestFree: at(data.largestFree.rep),
    returnable: at(data.returnable.rep),
    freeBlocks: at(data.freeBlocks.rep),
  }
}

/** The totals of a report, or of a group in it. */
export const measuresOf = (totals: SpaceTotals, event: number): Measures => ({
  event,
  timeNs: Number.NaN,
  reserved: totals.reservedBytes,
  active: totals.activeBytes,
  allocated: totals.allocatedBytes,
  requested: totals.requestedBytes,
  inactiveSplit: totals.inactiveSplitBytes,
  largestFree: totals.largestFreeBytes,
  returnable: totals.returnableBytes,
  freeBlocks: totals.freeBlockCount,
})
