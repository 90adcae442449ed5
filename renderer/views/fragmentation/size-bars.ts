// Sizes of requests and of free blocks on one axis of quarter powers of two. Pure.
import type { SpaceReport } from '../../../preload/contract/queries.ts'
import { csvText } from '../../data/csv.ts'
import { type Order, sortedBy } from '../../panels/table-order.ts'
import type { Unit } from './fragmentation-data.ts'

type Bin = SpaceReport['freeSizes'][number]

/** Both kinds of one size class. */
export interface SizeBar {
  readonly step: number // 2^(step / 4) bytes up to below 2^((step + 1) / 4)
  readonly fromBytes: number
  readonly toBytes: number // exclusive
  readonly requests: { readonly count: number; readonly bytes: number }
  readonly free: { readonly count: number; readonly bytes: number }
}

export const stepsPerDoubling = 4

/** Place of a size on the axis, in steps. */
export const stepOf = (bytes: number): number => stepsPerDoubling * Math.log2(Math.max(1, bytes))

/** The class of a bin: its lower edge is rounded up to whole bytes. */
const classOf = ({ fromBytes }: Bin): number => Math.floor(stepOf(fromBytes) + 1e-9)

const none = { count: 0, bytes: 0 }

/** Classes that hold anything, smallest first. */
export function sizeBarsOf({ requestSizes, freeSizes }: Pick<SpaceReport, 'requestSizes' | 'freeSizes'>): SizeBar[] {
  const bars = new Map<number, SizeBar>()
  const add = (bin: Bin, kind: 'requests' | 'free'): void => {
    const step = classOf(bin)
    const known = bars.get(step) ?? { step, fromBytes: bin.fromBytes, toBytes: bin.toBytes, requests: none, free: none }
    bars.set(step, { ...known, [kind]: { count: bin.count, bytes: bin.bytes } })
  }
  for (const bin of requestSizes) add(bin, 'requests')
  for (const bin of freeSizes) add(bin, 'free')
  return [...bars.values()].sort((a, b) => a.step - b.step)
}

/** The largest bar of each kind. */
export function mostOf(bars: readonly SizeBar[], unit: Unit): { readonly requests: number; readonly free: number } {
  const most = (kind: 'requests' | 'free'): number => bars.reduce((high, bar) => Math.max(high, bar[kind][unit]), 0)
  return { requests: most('requests'), free: most('free') }
}

/** Requests of classes that lie wholly above the largest free block: none of them would have fitted into a free block of this moment. */
export function requestsAbove(bars: readonly SizeBar[], largestFreeBytes: number): { readonly count: number; readonly all: number } {
  const sum = (some: readonly SizeBar[]): number => some.reduce((all, bar) => all + bar.requests.count, 0)
  return { count: sum(bars.filter(({ fromBytes }) => fromBytes > largestFreeBytes)), all: sum(bars) }
}

export const sizeColumns = ['sizes', 'requests', 'requestBytes', 'freeBlocks', 'cached'] as const
export type SizeOrder = Order<(typeof sizeColumns)[number]>

/** The classes in an order. */
export const sortSizes = (bars: readonly SizeBar[], { column, descending }: SizeOrder): SizeBar[] =>
  sortedBy(bars, descending, ({ step, requests, free }) => {
    if (column === 'sizes') return step
    if (column === 'requests') return requests.count
    if (column === 'requestBytes') return requests.bytes
    return column === 'freeBlocks' ? free.count : free.bytes
  })

/** The classes with exact numbers, in the order given. */
export const sizesCsv = (bars: readonly SizeBar[]): string =>
  csvText([
    ['from_bytes', 'below_bytes', 'requests', 'requested_bytes', 'free_blocks', 'free_bytes'],
    ...bars.map((bar) => [bar.fromBytes, bar.toBytes, bar.requests.count, bar.requests.bytes, bar.free.count, bar.free.bytes]),
  ])
