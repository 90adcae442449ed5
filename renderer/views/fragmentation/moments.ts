// The key moments of a device, which the table twin lists: start, peak, failures, end, and where the cursor is. Pure.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import { csvText } from '../../data/csv.ts'
import { type Order, sortedBy } from '../../panels/table-order.ts'
import { cachedOf, externalOf, type Measures, pendingOf, returnableOf, roundingOf, strandedOf } from '../../space/measures.ts'

const kinds = ['start', 'peak', 'oom', 'end', 'cursor'] as const
type MomentKind = (typeof kinds)[number]

export interface KeyMoment {
  readonly kind: MomentKind
  readonly event: number // −1 = before the first
}

const mostFailures = 100 // each row is a question to the engine

/** How many failures the table leaves out: all after the first hundred. */
export const failuresLeftOut = ({ oomCount }: Pick<DeviceSummary, 'oomCount'>): number => Math.max(0, oomCount - mostFailures)

/** In order of events, with the first hundred failures; the dump alone where there are none. */
export function keyMoments({ eventCount, peakEvent, ooms }: DeviceSummary, cursorEvent: number | undefined): KeyMoment[] {
  if (eventCount === 0) return [{ kind: 'end', event: -1 }]
  const moments: KeyMoment[] = [
    { kind: 'start', event: -1 },
    { kind: 'peak', event: peakEvent },
    ...ooms.slice(0, mostFailures).map(({ event }) => ({ kind: 'oom', event }) as const),
    { kind: 'end', event: eventCount - 1 },
    ...(cursorEvent === undefined ? [] : [{ kind: 'cursor', event: cursorEvent } as const]),
  ]
  return moments.sort((a, b) => a.event - b.event)
}

export const momentColumns = [
  'reserved',
  'allocated',
  'pending',
  'rounding',
  'cached',
  'stranded',
  'returnable',
  'largestFree',
  'freeBlocks',
  'external',
  'inactiveSplit',
] as const
export type MomentColumn = (typeof momentColumns)[number]

/** The number that a column shows: bytes, blocks, or a share of one. */
export function momentValue(measures: Measures, column: MomentColumn): number {
  if (column === 'pending') return pendingOf(measures)
  if (column === 'rounding') return roundingOf(measures)
  if (column === 'cached') return cachedOf(measures)
  if (column === 'stranded') return strandedOf(measures)
  if (column === 'returnable') return returnableOf(measures)
  if (column === 'external') return externalOf(measures)
  return measures[column]
}

export const momentHeads = ['moment', 'event', 'time', ...momentColumns] as const
export type MomentOrder = Order<(typeof momentHeads)[number]>

/** A moment with its measures, once they are known. */
export interface MomentRow {
  readonly moment: KeyMoment
  readonly measures: Measures | undefined
}

/** The rows in an order; `measures` of any events, told by their event. Times and measures that are not known count as 0. */
export function sortMoments(
  moments: readonly KeyMoment[],
  measures: readonly Measures[] | undefined,
  { column, descending }: MomentOrder,
): MomentRow[] {
  const byEvent = new Map(measures?.map((each) => [each.event, each]))
  const rows = moments.map((moment) => ({ moment, measures: byEvent.get(moment.event) }))
  return sortedBy(rows, descending, (row) => {
    if (column === 'moment') return kinds.indexOf(row.moment.kind)
    if (column === 'event') return row.moment.event
    if (column === 'time') return row.measures?.timeNs || 0
    return row.measures ? momentValue(row.measures, column) : 0
  })
}

const csvName = (column: MomentColumn): string => {
  if (column === 'external') return 'external_fragmentation'
  if (column === 'freeBlocks') return 'free_blocks'
  return `${column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_bytes`
}

/** The rows with exact numbers, in the order given; an unknown time is an empty cell. */
export function momentsCsv(rows: readonly MomentRow[]): string {
  const lines = rows.map(({ moment: { kind, event }, measures }) => {
    const time = measures && !Number.isNaN(measures.timeNs) ? measures.timeNs : ''
    return [kind, event, time, ...momentColumns.map((column) => (measures ? momentValue(measures, column) : ''))]
  })
  return csvText([['moment', 'event', 'time_ns', ...momentColumns.map(csvName)], ...lines])
}
