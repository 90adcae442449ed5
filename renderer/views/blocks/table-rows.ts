// Rows of the table twin, and the same as CSV. Pure.
import type { BlockRaster, Segments } from '../../../preload/contract/queries.ts'
import { csvText } from '../../data/csv.ts'
import { formatAddress, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { poolTitle } from '../../plot/legend.ts'
import { addressAt } from './lines.ts'

export const segmentColumns = [
  'address',
  'size',
  'allocated',
  'share',
  'free',
  'largest',
  'returnable',
  'blocks',
  'freeBlocks',
  'stream',
  'pool',
] as const
export type SegmentColumn = (typeof segmentColumns)[number]

export interface SegmentSort {
  readonly column: SegmentColumn
  readonly descending: boolean
}

const numberOf: Readonly<Record<Exclude<SegmentColumn, 'address' | 'stream' | 'pool'>, (segments: Segments, index: number) => number>> = {
  size: ({ totalBytes }, index) => totalBytes[index] ?? 0,
  allocated: ({ allocatedBytes }, index) => allocatedBytes[index] ?? 0,
  share: ({ allocatedBytes, totalBytes }, index) => (allocatedBytes[index] ?? 0) / Math.max(1, totalBytes[index] ?? 0),
  free: ({ freeBytes }, index) => freeBytes[index] ?? 0,
  largest: ({ largestFreeBytes }, index) => largestFreeBytes[index] ?? 0,
  returnable: ({ returnableBytes }, index) => returnableBytes[index] ?? 0,
  blocks: ({ blockCount }, index) => blockCount[index] ?? 0,
  freeBlocks: ({ freeBlockCount }, index) => freeBlockCount[index] ?? 0,
}

/** Indices of the segments in the order of a column. Equal ones keep theirs. */
export function sortSegments(segments: Segments, { column, descending }: SegmentSort): number[] {
  const order = Array.from({ length: segments.addresses.length }, (_, index) => index)
  const sign = descending ? -1 : 1
  if (column === 'address') {
    const starts = segments.addresses.map(BigInt)
    return order.sort((a, b) => sign * ((starts[a] ?? 0n) < (starts[b] ?? 0n) ? -1 : 1))
  }
  if (column === 'stream' || column === 'pool') {
    const texts = column === 'stream' ? segments.streams : segments.pools
    return order.sort((a, b) => sign * (texts[a] ?? '').localeCompare(texts[b] ?? ''))
  }
  const value = numberOf[column]
  return order.sort((a, b) => sign * (value(segments, a) - value(segments, b)))
}

/** What a cell of the table shows. */
export function segmentCell(segments: Segments, index: number, column: SegmentColumn): string {
  if (column === 'address') return formatAddress(segments.addresses[index] ?? '')
  if (column === 'stream') return segments.streams[index] ?? ''
  if (column === 'pool') return poolTitle(segments.pools[index] ?? '')
  if (column === 'share') return formatShare(segments.allocatedBytes[index] ?? 0, segments.totalBytes[index] ?? 0)
  const value = numberOf[column](segments, index)
  return column === 'blocks' || column === 'freeBlocks' ? formatCount(value) : formatBytes(value)
}

const csvColumns = [
  'address',
  'total_bytes',
  'allocated_bytes',
  'active_bytes',
  'requested_bytes',
  'free_bytes',
  'largest_free_bytes',
  'returnable_bytes',
  'block_count',
  'free_block_count',
  'stream',
  'pool',
  'segment_type',
  'is_expandable',
] as const

/** The segments with exact numbers, in the order given. */
export function segmentsCsv(segments: Segments, order: readonly number[]): string {
  const lines = order.map((index) => {
    const at = (values: Float64Array): number => values[index] ?? 0
    return [
      segments.addresses[index] ?? '',
      at(segments.totalBytes),
      at(segments.allocatedBytes),
      at(segments.activeBytes),
      at(segments.requestedBytes),
      at(segments.freeBytes),
      at(segments.largestFreeBytes),
      at(segments.returnableBytes),
      at(segments.blockCount),
      at(segments.freeBlockCount),
      segments.streams[index] ?? '',
      segments.pools[index] ?? '',
      at(segments.isSmall) === 1 ? 'small' : 'large',
      at(segments.isExpandable),
    ]
  })
  return csvText([csvColumns, ...lines])
}

export const blockColumns = ['address', 'size', 'requested', 'state', 'stack'] as const
export type BlockColumn = (typeof blockColumns)[number]

export interface BlockSort {
  readonly column: BlockColumn
  readonly descending: boolean
}

/** By the number that boxes carry. */
export const stateNames = ['inactive', 'active_allocated', 'active_pending_free'] as const

export interface BlockRow {
  readonly address: string
  readonly offset: number
  readonly bytes: number
  readonly requested: number
  readonly state: number // 0 free, 1 allocated, 2 pending free
  readonly allocation: number // −1 free
  readonly title: string
}

/** The blocks of one segment from an answer about its lines; a block that goes on in the next line is one row. */
export function blockRowsOf(segments: Segments, segment: number, { boxes, lineOffset }: BlockRaster): BlockRow[] {
  if (!boxes) return []
  const rows = Array.from(boxes.line, (line, index): BlockRow => {
    const offset = (lineOffset[line] ?? 0) + (boxes.offset[index] ?? 0)
    return {
      address: addressAt(segments, segment, Math.max(0, offset)),
      offset,
      bytes: boxes.bytes[index] ?? 0,
      requested: boxes.requested[index] ?? 0,
      state: boxes.state[index] ?? 0,
      allocation: boxes.allocation[index] ?? -1,
      title: boxes.titles[index] ?? '',
    }
  })
  return rows.filter((row, index) => index === 0 || row.offset !== rows[index - 1]?.offset)
}

const blockValue: Readonly<Record<Exclude<BlockColumn, 'stack'>, (row: BlockRow) => number>> = {
  address: ({ offset }) => offset,
  size: ({ bytes }) => bytes,
  requested: ({ requested }) => requested,
  state: ({ state }) => state,
}

/** The blocks in the order of a column. Equal ones stay in address order. */
export function sortBlocks(rows: readonly BlockRow[], { column, descending }: BlockSort): BlockRow[] {
  const sign = descending ? -1 : 1
  if (column === 'stack') return [...rows].sort((a, b) => sign * a.title.localeCompare(b.title))
  const value = blockValue[column]
  return [...rows].sort((a, b) => sign * (value(a) - value(b)))
}

/** The blocks with exact numbers, in the order given. */
export function blocksCsv(rows: readonly BlockRow[]): string {
  const head = ['address', 'size_bytes', 'requested_bytes', 'state', 'allocation_id', 'title']
  const lines = rows.map(({ address, bytes, requested, state, allocation, title }) => [
    address,
    bytes,
    requested,
    stateNames[state] ?? '',
    allocation < 0 ? '' : allocation,
    title,
  ])
  return csvText([head, ...lines])
}
