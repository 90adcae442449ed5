// The table by pool, stream and class: rows, order, totals, CSV. Pure.
import type { SpaceReport } from '../../preload/contract/queries.ts'
import { csvText } from '../data/csv.ts'
import type { Order } from '../panels/table-order.ts'
import { cachedOf, externalOf, type Measures, measuresOf, returnableOf, strandedOf } from './measures.ts'

export interface GroupRow {
  readonly key: string
  readonly pool: string // name in the capture, '' unknown
  readonly stream: string
  readonly segmentType: 'small' | 'large'
  readonly isPrivate: boolean // a pool of its own, such as a CUDA graph's
  readonly segments: number
  readonly measures: Measures
}

export const groupColumns = [
  'group',
  'segments',
  'reserved',
  'active',
  'cached',
  'stranded',
  'largestFree',
  'freeBlocks',
  'external',
] as const
export type GroupColumn = (typeof groupColumns)[number]

export type GroupOrder = Order<GroupColumn>

/** True for the pool that every allocation takes which asks for none. */
const isDefaultPool = (pool: string): boolean => pool.replaceAll(' ', '') === '(0,0)'

/** One row a pool, stream and class. */
export const groupRows = ({ groups }: Pick<SpaceReport, 'groups'>, event: number): GroupRow[] =>
  groups.map((group) => ({
    key: `${group.pool} ${group.stream} ${group.segmentType}`,
    pool: group.pool,
    stream: group.stream,
    segmentType: group.segmentType,
    isPrivate: group.pool !== '' && !isDefaultPool(group.pool),
    segments: group.segments,
    measures: measuresOf(group, event),
  }))

/** The number that a column shows and sorts by. */
export function groupValue({ segments, measures }: Pick<GroupRow, 'segments' | 'measures'>, column: Exclude<GroupColumn, 'group'>): number {
  if (column === 'segments') return segments
  if (column === 'cached') return cachedOf(measures)
  if (column === 'stranded') return strandedOf(measures)
  if (column === 'external') return externalOf(measures)
  return measures[column]
}

/** Rows in an order; private pools always come after the default one. */
export function sortGroups(rows: readonly GroupRow[], { column, descending }: GroupOrder): GroupRow[] {
  const sign = descending ? -1 : 1
  const compare = (a: GroupRow, b: GroupRow): number =>
    column === 'group' ? sign * a.key.localeCompare(b.key) : sign * (groupValue(a, column) - groupValue(b, column))
  return [...rows].sort((a, b) => Number(a.isPrivate) - Number(b.isPrivate) || compare(a, b) || a.key.localeCompare(b.key))
}

const csvHead = [
  'pool',
  'stream',
  'class',
  'segments',
  'reserved_bytes',
  'allocated_bytes',
  'active_bytes',
  'requested_bytes',
  'free_bytes',
  'free_blocks',
  'largest_free_bytes',
  'inactive_split_bytes',
  'stranded_bytes',
  'returnable_bytes',
]

/** The rows with exact numbers, in the order given. */
export function groupsCsv(rows: readonly GroupRow[]): string {
  const lines = rows.map(({ pool, stream, segmentType, segments, measures: m }) => [
    pool,
    stream,
    segmentType,
    segments,
    m.reserved,
    m.allocated,
    m.active,
    m.requested,
    cachedOf(m),
    m.freeBlocks,
    m.largestFree,
    m.inactiveSplit,
    strandedOf(m),
    returnableOf(m),
  ])
  return csvText([csvHead, ...lines])
}
