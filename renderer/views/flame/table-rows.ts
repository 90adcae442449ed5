// The table twin: the functions of an answer, each with what it holds itself and with all that it calls. Pure.
import { categoryNames } from '../../../preload/contract/queries.ts'
import { type Order, sortedBy } from '../../panels/table-order.ts'
import { bareCategory } from './bare.ts'
import type { FlameFrame } from './flame-state.ts'
import { categoryAt, type FlameNodes } from './nodes.ts'

export const tableColumns = ['function', 'place', 'self', 'total', 'share', 'count', 'category'] as const
export type TableColumn = (typeof tableColumns)[number]
export type TableOrder = Order<TableColumn>

export interface FunctionRow {
  readonly frame: FlameFrame | undefined // undefined: what has no stack
  readonly line: number // that all its frames are of; 0 = several, or not known
  readonly bare: number // colour slot of the category of what has no stack, else 0
  readonly self: number
  readonly total: number // a function that calls itself counts once
  readonly baseSelf: number // of the first moment, where two are compared
  readonly baseTotal: number
  readonly count: number
  readonly largest: number // place of its largest node
  readonly category: { readonly slot: number; readonly share: number } | undefined // of that node
}

interface Sum {
  line: number
  self: number
  total: number
  baseSelf: number
  baseTotal: number
  count: number
  largest: number
}

/** One row a function at and below `root`, the largest total first. */
export function functionRows(nodes: FlameNodes, root: number): FunctionRow[] {
  const { tree, children } = nodes
  const sums = new Map<number, Sum>()
  const open = new Set<number>() // frames on the way down to where the walk is
  const walk = (place: number): void => {
    // What has no stack is a row a category, under numbers that no frame has.
    const frame = tree.bare[place] ? -(tree.bare[place] ?? 0) : (tree.frame[place] ?? -1)
    const isAll = frame < 0 && (tree.depth[place] ?? 0) === 0
    const isOutermost = !isAll && !open.has(frame)
    if (!isAll) add(place, frame, isOutermost)
    if (isOutermost) open.add(frame)
    for (const child of children[place] ?? []) walk(child)
    if (isOutermost) open.delete(frame)
  }
  const add = (place: number, frame: number, isOutermost: boolean): void => {
    const line = tree.line[place] ?? 0
    const sum = sums.get(frame) ?? { line, self: 0, total: 0, baseSelf: 0, baseTotal: 0, count: 0, largest: place }
    sums.set(frame, sum)
    if (sum.line !== line) sum.line = 0
    sum.self += tree.self[place] ?? 0
    sum.baseSelf += tree.baseSelf[place] ?? 0
    if ((nodes.width[place] ?? 0) > (nodes.width[sum.largest] ?? 0)) sum.largest = place
    if (!isOutermost) return
    sum.total += tree.total[place] ?? 0
    sum.baseTotal += tree.baseTotal[place] ?? 0
    sum.count += tree.count[place] ?? 0
  }
  walk(root)
  const rows = [...sums].map(
    ([frame, sum]): FunctionRow => ({
      frame: tree.frames[frame],
      bare: Math.max(0, -frame),
      ...sum,
      category: categoryAt(nodes, sum.largest),
    }),
  )
  return sortedBy(rows, true, ({ total, baseTotal }) => Math.max(total, baseTotal))
}

const textOf = ({ frame, line }: FunctionRow, column: 'function' | 'place'): string =>
  (column === 'function' ? frame?.title : frame && `${frame.filename}:${String(line).padStart(8, '0')}`) ?? ''

/** Rows in the order of a column; where two moments are compared by how much they changed, either way. */
export function sortFunctions(rows: readonly FunctionRow[], { column, descending }: TableOrder): FunctionRow[] {
  if (column === 'function' || column === 'place') {
    const sign = descending ? -1 : 1
    return [...rows].sort((a, b) => sign * textOf(a, column).localeCompare(textOf(b, column), 'en'))
  }
  return sortedBy(rows, descending, (row) => {
    if (column === 'category') return -(row.category?.slot ?? Number.POSITIVE_INFINITY) // the first category first
    if (column === 'count') return row.count
    return Math.abs(column === 'self' ? row.self - row.baseSelf : row.total - row.baseTotal)
  })
}

/** Rows of the CSV file, the head first: numbers with all digits, of both moments where two are compared; a profile counts no allocations. */
export function functionCells(rows: readonly FunctionRow[], whole: number, isSigned: boolean, hasCounts: boolean): (string | number)[][] {
  const shares = isSigned ? ['self_before', 'total_before'] : ['share']
  const head = ['function', 'file', 'line', 'self', 'total', ...shares, ...(hasCounts ? ['allocations', 'category', 'category_share'] : [])]
  return [
    head,
    ...rows.map(({ frame, line, bare, self, total, baseSelf, baseTotal, count, category }) => [
      frame?.name ?? (hasCounts ? `(no stack) ${bareCategory(bare)}` : '(no stack)'),
      frame?.filename ?? '',
      line > 0 ? line : '',
      self,
      total,
      ...(isSigned ? [baseSelf, baseTotal] : [whole > 0 ? total / whole : 0]),
      ...(hasCounts ? [count, categoryNames[(category?.slot ?? 0) - 1] ?? '', category?.share ?? ''] : []),
    ]),
  ]
}
