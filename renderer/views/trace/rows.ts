// Rows of the small tables (statistics of an area, memory by op, steps): their columns, order and CSV.
import type { OpMemory, TraceSelection, TraceStep } from '../../../preload/contract/queries.ts'
import { csvText } from '../../data/csv.ts'
import { type Order, sortedBy } from '../../panels/table-order.ts'

export type GroupRow = TraceSelection['rows'][number]
export const groupColumns = ['text', 'count', 'total', 'self', 'mean', 'min', 'max'] as const
export type GroupColumn = (typeof groupColumns)[number]

export type OpRow = OpMemory['rows'][number]
export const opColumns = ['op', 'calls', 'allocations', 'self', 'total', 'freedInside', 'kept', 'largest'] as const
export type OpColumn = (typeof opColumns)[number]

export const stepColumns = ['name', 'start', 'duration', 'peak', 'allocated', 'freed', 'growth'] as const
export type StepColumn = (typeof stepColumns)[number]

type Numbers<R, C extends string> = Readonly<Record<C, (row: R) => number>>

/** Of what lies inside the range, as total and self are; minimum and maximum are of whole durations. */
export const meanOf = ({ totalNs, count }: Pick<GroupRow, 'totalNs' | 'count'>): number => (count > 0 ? totalNs / count : 0)

export const groupNumbers: Numbers<GroupRow, Exclude<GroupColumn, 'text'>> = {
  count: ({ count }) => count,
  total: ({ totalNs }) => totalNs,
  self: ({ selfNs }) => selfNs,
  mean: meanOf,
  min: ({ minNs }) => minNs,
  max: ({ maxNs }) => maxNs,
}

export const opNumbers: Numbers<OpRow, Exclude<OpColumn, 'op'>> = {
  calls: ({ calls }) => calls,
  allocations: ({ allocations }) => allocations,
  self: ({ selfBytes }) => selfBytes,
  total: ({ totalBytes }) => totalBytes,
  freedInside: ({ freedInsideBytes }) => freedInsideBytes,
  kept: ({ keptBytes }) => keptBytes,
  largest: ({ largestBytes }) => largestBytes,
}

export const stepNumbers: Numbers<TraceStep, Exclude<StepColumn, 'name'>> = {
  start: ({ startNs }) => startNs,
  duration: ({ startNs, endNs }) => endNs - startNs,
  peak: ({ peakBytes }) => peakBytes,
  allocated: ({ allocatedBytes }) => allocatedBytes,
  freed: ({ freedBytes }) => freedBytes,
  growth: ({ growthBytes }) => growthBytes,
}

const compareNames = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** Rows by a column: by its number, or by the name. Equal ones keep their order. */
function sortedRows<R, C extends string>(
  rows: readonly R[],
  { column, descending }: Order<C>,
  nameOf: (row: R) => string,
  numbers: Readonly<Partial<Record<C, (row: R) => number>>>,
): R[] {
  const numberOf = numbers[column]
  if (numberOf) return sortedBy(rows, descending, numberOf)
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => sign * compareNames(nameOf(a), nameOf(b)))
}

export const sortGroups = (rows: readonly GroupRow[], order: Order<GroupColumn>): GroupRow[] =>
  sortedRows<GroupRow, GroupColumn>(rows, order, ({ text }) => text, groupNumbers)

export const sortOps = (rows: readonly OpRow[], order: Order<OpColumn>): OpRow[] =>
  sortedRows<OpRow, OpColumn>(rows, order, ({ op }) => op, opNumbers)

/** Steps by name count their numbers: step 10 follows step 9. */
export const sortSteps = (rows: readonly TraceStep[], order: Order<StepColumn>): TraceStep[] =>
  sortedRows<TraceStep, StepColumn>(rows, order, ({ name }) => name, stepNumbers)

/** The statistics as CSV, times in nanoseconds. */
export const groupsCsv = (rows: readonly GroupRow[]): string =>
  csvText([
    ['name', 'count', 'total_ns', 'self_ns', 'mean_ns', 'min_ns', 'max_ns'],
    ...rows.map((row) => [row.text, row.count, row.totalNs, row.selfNs, Math.round(meanOf(row)), row.minNs, row.maxNs]),
  ])
