// A list of allocations in a rectangle: sorted by the engine, any number of rows.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatCount } from '../../i18n/format.ts'
import { useView } from '../../state/use-view.ts'
import { type ListPages, type ListQuestion, type ListRow, type ListSort, useListRows } from './list-rows.ts'
import type { Translate } from './texts.ts'

const mostListed = 500_000 // browsers cap the height of an element, Chromium at 33.5 million px
const rowPx = 24
const twoLinesPx = 40

interface ListCell {
  readonly title: string
  readonly hint?: string
  readonly sort?: ListSort
  readonly cell: (row: ListRow) => ReactNode
}

export interface ListColumn extends ListCell {
  readonly key: string
  readonly className?: string
  readonly second?: ListCell // below it, where the list is narrow
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

/** Says that not all are listed; empty when they are. */
export const listedWords = (count: number, t: Translate): string =>
  count > mostListed ? ` · ${t('listed', { most: formatCount(mostListed) })}` : ''

/** Head and rows; only those in sight are elements. */
export function ListTable({ capture, label, columns, question, onSort, onSelect, head }: ListTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [first, setFirst] = useState(0)
  const pages = useListRows(question, first)
  const count = Math.min(pages.totals?.count ?? 0, mostListed)
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (columns.some(({ second }) => second) ? twoLinesPx : rowPx),
    overscan: 8,
    onChange: (instance) => setFirst(instance.range?.startIndex ?? 0),
  })
  const items = virtual.getVirtualItems()
  return (
    <>
      {head(pages)}
      <div ref={scroller} className='lifetimes-rows'>
        <table className='data-table lifetimes-list selectable' aria-rowcount={count + 1} aria-label={label}>
          <Head columns={columns} sort={question?.sort} onSort={onSort} />
          <tbody className={pages.isPending ? 'pending' : undefined}>
            <Gap heightPx={items[0]?.start ?? 0} />
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
                  <td />
                </tr>
              )
            })}
            <Gap heightPx={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Stands for the rows above or below those in sight. One cell: where a column is hidden, a span over all would make room for it. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td style={{ height: heightPx }} />
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
        {columns.map(({ key, className, second, ...first }) => {
          const cells = second ? [first, second] : [first]
          const isSortable = cells.some(({ sort: by }) => by !== undefined)
          const isSorted = cells.some(({ sort: by }) => by !== undefined && by === sort)
          return (
            <th key={key} scope='col' className={className} aria-sort={isSorted ? 'descending' : isSortable ? 'none' : undefined}>
              {cells.map((cell) => (
                <Title key={cell.title} cell={cell} isSorted={cell.sort !== undefined && cell.sort === sort} onSort={onSort} />
              ))}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

interface TitleProps extends Pick<ListTableProps, 'onSort'> {
  readonly cell: ListCell
  readonly isSorted: boolean
}

function Title({ cell: { title, hint, sort }, isSorted, onSort }: TitleProps) {
  return (
    <div title={hint}>
      {sort === undefined ? (
        title
      ) : (
        <button type='button' onClick={() => onSort(sort)}>
          {title}
          {isSorted ? ' ▾' : ''}
        </button>
      )}
    </div>
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
      {columns.map(({ key, className, cell, second }, at) => (
        <td key={key} className={className}>
          {at > 0 ? (
            cell(row)
          ) : (
            <button type='button' aria-pressed={isSelected} onClick={() => onSelect(row)}>
              {cell(row)}
            </button>
          )}
          {second && <div className='second'>{second.cell(row)}</div>}
        </td>
      ))}
    </tr>
  )
}
