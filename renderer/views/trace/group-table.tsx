// Statistics where there is little width: two numbers a column, one below the other.
import type { ReactNode } from 'react'
import { exactTime, formatCount, formatTime } from '../../i18n/format.ts'
import type { Order } from '../../panels/table-order.ts'
import type { ViewProps } from '../view.ts'
import { GroupName } from './group-cells.tsx'
import { type GroupColumn, type GroupRow, groupNumbers } from './rows.ts'
import { useTexts } from './use-trace.ts'

const pairs = [
  ['count', 'mean'],
  ['total', 'min'],
  ['self', 'max'],
] as const

interface GroupTableProps extends ViewProps {
  readonly rows: readonly GroupRow[]
  readonly isName: boolean
  readonly isPending: boolean
  readonly order: Order<GroupColumn>
  readonly onOrder: (order: Order<GroupColumn>) => void
}

/** Head and rows. */
export function GroupTable({ capture, rows, isName, isPending, order, onOrder }: GroupTableProps) {
  const t = useTexts()
  return (
    <table className='data-table trace-table groups' inert={isPending} aria-label={t('area.groups')} data-testid='trace-groups'>
      <thead>
        <tr>
          <Head columns={['text']} order={order} onOrder={onOrder} />
          {pairs.map((pair) => (
            <Head key={pair[0]} columns={pair} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody className={isPending ? 'pending' : undefined}>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope='row'>
              <GroupName capture={capture} row={row} isName={isName} isNarrow />
            </th>
            {pairs.map(([first, second]) => (
              <td key={first}>
                <Value row={row} column={first} />
                <div className='second'>
                  <Value row={row} column={second} />
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface HeadProps extends Pick<GroupTableProps, 'order' | 'onOrder'> {
  readonly columns: readonly GroupColumn[]
}

/** A button a number; names sort upwards first, numbers downwards. */
function Head({ columns, order, onOrder }: HeadProps): ReactNode {
  const t = useTexts()
  const isSorted = columns.includes(order.column)
  return (
    <th scope='col' aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : 'none'}>
      {columns.map((column) => (
        <button
          key={column}
          type='button'
          title={column === 'text' ? undefined : t(`area.hint.${column}`)}
          onClick={() => onOrder({ column, descending: order.column === column ? !order.descending : column !== 'text' })}
        >
          {t(`area.column.${column}`)}
          {order.column === column && (order.descending ? '\u00a0▾' : '\u00a0▴')}
        </button>
      ))}
    </th>
  )
}

function Value({ row, column }: { readonly row: GroupRow; readonly column: Exclude<GroupColumn, 'text'> }) {
  const value = groupNumbers[column](row)
  return column === 'count' ? formatCount(value) : <span title={exactTime(value)}>{formatTime(value)}</span>
}
