// A list of allocations in a rectangle: sorted by the engine, any number of rows.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useView } from '../../state/use-view.ts'
import { type ListPages, type ListQuestion, type ListRow, type ListSort, useListRows } from './list-rows.ts'

const rowPx = 24

export interface ListColumn {
  readonly key: string
  readonly title: string
  readonly hint?: string
  readonly sort?: ListSort
  readonly className?: string
  readonly cell: (row: ListRow) => ReactNode
}

interface ListTableProps {
  readonly capture: CaptureSummary
  readonly label: string
  readonly columns: readonly ListColumn[] // the first holds the button that selects
  readonly question: ListQuestion | undefined
  readonly onSort: (sort: ListSort) => void
  readonly onSelect: (row: ListRow) => void
  /** What stands above the rows, from what the engine says about all of them. */
  readonly head: (pages: ListPages) => ReactNode
}

/** Head and rows; only those in sight are elements. */
export function ListTable({ capture, label, columns, question, onSort, onSelect, head }: ListTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [first, setFirst] = useState(0)
  const pages = useListRows(question, first)
  const count = pages.totals?.count ?? 0
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    onChange: (instance) => setFirst(instance.range?.startIndex ?? 0),
  })
  const items = virtual.getVirtualItems()
  return (
    <>
      {head(pages)}
      <div ref={scroller} className='lifetimes-rows'>
        <table className='data-table lifetimes-list' aria-rowcount={count + 1} aria-label={label}>
          <Head columns={columns} sort={question?.sort} onSort={onSort} />
          <tbody className={pages.isPending ? 'pending' : undefined}>
            <Gap heightPx={items[0]?.start ?? 0} columns={columns.length} />
            {items.map((item) => {
              const row = pages.rows.get(item.index)
              return row ? (
                <Row
                  key={item.key}
                  row={row}
                  index={item.index}
                  columns={columns}
                  isSelected={row.allocationId === selected}
                  onSelect={onSelect}
                />
              ) : (
                <tr key={item.key} aria-rowindex={item.index + 2}>
                  <td colSpan={columns.length} />
                </tr>
              )
            })}
            <Gap heightPx={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} columns={columns.length} />
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Stands for the rows above or below those in sight. */
function Gap({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  )
}

interface HeadProps extends Pick<ListTableProps, 'columns' | 'onSort'> {
  readonly sort: ListSort | undefined
}

function Head({ columns, sort, onSort }: HeadProps) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, hint, sort: by, className }) => (
          <th
            key={key}
            scope='col'
            className={className}
            title={hint}
            aria-sort={by === undefined ? undefined : by === sort ? 'descending' : 'none'}
          >
            {by === undefined ? (
              title
            ) : (
              <button type='button' onClick={() => onSort(by)}>
                {title}
                {by === sort ? ' ▾' : ''}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface RowProps extends Pick<ListTableProps, 'columns' | 'onSelect'> {
  readonly row: ListRow
  readonly index: number
  readonly isSelected: boolean
}

function Row({ row, index, columns, isSelected, onSelect }: RowProps) {
  return (
    <tr aria-rowindex={index + 2} className={isSelected ? 'selected' : undefined}>
      {columns.map(({ key, className, cell }, at) => (
        <td key={key} className={className}>
          {at > 0 ? (
            cell(row)
          ) : (
            <button type='button' aria-pressed={isSelected} onClick={() => onSelect(row)}>
              {cell(row)}
            </button>
          )}
        </td>
      ))}
    </tr>
  )
}
