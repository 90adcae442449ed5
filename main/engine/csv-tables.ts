// Which rows of an index make which CSV file.
import { allocationColumns } from './queries/allocation-rows.ts'
import { cutText } from './queries/row.ts'

export type CsvTable = 'live' | 'allocations' | 'blocks' | 'groups' | 'nodes' | 'values'

/** A selection of rows. `from` with ?1 = device and ?2 = event; `none`: the same without rows. Every row has a `stack_id`, −1 = none. */
export interface CsvRows {
  readonly columns: readonly string[]
  readonly select: string
  readonly from: string
  readonly none: string
  readonly order: string
}

const stackColumns = ['title', 'place', 'stack']

const allocations = {
  columns: [
    'allocation_id',
    'address',
    'version',
    'requested_bytes',
    'size_bytes',
    'stream',
    'pool',
    'segment_address',
    'alloc_event',
    'alloc_time_ns',
    'free_requested_event',
    'free_time_ns',
    'category',
    ...stackColumns,
  ],
  select: allocationColumns,
}

const groupNumbers = [
  'segments',
  'reserved_bytes',
  'allocated_bytes',
  'active_bytes',
  'requested_bytes',
  'free_bytes',
  'free_block_count',
  'largest_free_bytes',
  'inactive_split_bytes',
  'returnable_bytes',
]
/** Of the flame graph: `parent_id` is empty at the root; `frame` is of one line of the source. */
const nodes = {
  columns: ['node_id', 'parent_id', 'function', 'file', 'line', 'self_bytes', 'total_bytes', 'self_count', 'total_count'],
  select: `node_id, parent_id, coalesce(${cutText('name')}, '') AS function, coalesce(${cutText('filename')}, '') AS file, line,
    self_bytes, total_bytes, self_count, total_count, -1 AS stack_id`,
}

const groupColumns = ['pool', 'stream', 'segment_type', ...groupNumbers]

export const csvTables: Readonly<Record<CsvTable, CsvRows>> = {
  live: { ...allocations, from: 'live_allocation(?1, ?2)', none: 'live_allocation(0, 0)', order: 'size_bytes DESC, allocation_id' },
  // ?2 is named so that every table takes the same arguments.
  allocations: {
    ...allocations,
    from: '(SELECT * FROM allocation WHERE device = ?1 AND ?2 IS NOT NULL)',
    none: 'allocation',
    order: 'allocation_id',
  },
  blocks: {
    columns: [
      'address',
      'size_bytes',
      'requested_bytes',
      'state',
      'allocation_id',
      'segment_address',
      'segment_type',
      'stream',
      'pool',
      ...stackColumns,
    ],
    select: `address, size_bytes, requested_bytes, state, allocation_id, segment_address, segment_type, CAST(stream AS TEXT) AS stream,
      coalesce(${cutText('pool')}, '') AS pool, coalesce(stack_id, -1) AS stack_id`,
    from: '(SELECT ?1 AS device, * FROM block_map(?1, ?2))',
    none: 'block_map(0, 0)',
    order: 'length(address), address',
  },
  groups: {
    columns: groupColumns,
    select: `${groupColumns.map((column) => `json_extract(value, '$.${column}') AS ${column}`).join(', ')}, -1 AS stack_id`,
    from: "json_each(space_report(?1, ?2), '$.groups')",
    none: "json_each('[]')",
    order: 'reserved_bytes DESC, pool, stream, segment_type',
  },
  /** Of a profile; the device is its value type. */
  values: {
    columns: ['value', ...stackColumns],
    select: 'value, stack_id',
    from: '(SELECT value, stack_id FROM profile_value WHERE value_type = ?1 AND ?2 IS NOT NULL)',
    none: 'profile_value',
    order: 'value DESC, stack_id',
  },
  nodes: {
    ...nodes,
    from: 'flame(?1, ?2) LEFT JOIN frame USING (frame_id)',
    none: 'flame(0, 0) LEFT JOIN frame USING (frame_id)',
    order: 'node_id',
  },
}
