// The head of a sortable table.
import type { Order } from './table-order.ts'

interface SortHeadProps<T extends string> {
  readonly columns: readonly T[]
  readonly title: (column: T) => string
  readonly order: Order<T>
  readonly ascendingFirst: readonly T[] // columns whose first click sorts upwards: names and places, not amounts
  readonly sortable?: readonly T[] // all when left out
  readonly hint?: (column: T) => string | undefined
  readonly onOrder: (order: Order<T>) => void
}

/** A button a column; the chosen one shows its direction. */
export function SortHead<T extends string>({ columns, title, order, ascendingFirst, onOrder, sortable = columns, hint }: SortHeadProps<T>) {
  const choose = (column: T) =>
    onOrder({ column, descending: order.column === column ? !order.descending : !ascendingFirst.includes(column) })
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const isChosen = order.column === column
          if (!sortable.includes(column)) {
            return (
              <th key={column} scope='col' title={hint?.(column)}>
                {title(column)}
              </th>
            )
          }
          return (
            <th
              key={column}
              scope='col'
              title={hint?.(column)}
              aria-sort={isChosen ? (order.descending ? 'descending' : 'ascending') : 'none'}
            >
              <button type='button' onClick={() => choose(column)}>
                {title(column)}
                {isChosen && (order.descending ? '\u00a0▾' : '\u00a0▴')}
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
