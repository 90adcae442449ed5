// The slices in sight or in the selected range, as rows: the same selection as in the picture.
import { useState } from 'react'
import type { SliceSort } from '../../../preload/contract/queries.ts'
import { exactTime, formatTime } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import type { Order } from '../../panels/table-order.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { goToSlice } from './actions.ts'
import { panelData, usePanel } from './panel-data.ts'
import { RowsTable } from './rows-table.tsx'
import { useSlicePages } from './slice-pages.ts'
import { TableNote } from './table-note.tsx'
import type { TableQuestions } from './table-questions.ts'
import { useTexts, useTrace } from './use-trace.ts'

const columns = ['name', 'category', 'track', 'start', 'duration'] as const
type Column = (typeof columns)[number]
const sortable: readonly Column[] = ['start', 'duration']

const orderOf = (sort: SliceSort): Order<Column> =>
  sort === 'start' ? { column: 'start', descending: false } : { column: 'duration', descending: sort === 'longest' }

/** Starts go upwards only. */
const sortOf = ({ column, descending }: Order<Column>): SliceSort => (column === 'start' ? 'start' : descending ? 'longest' : 'shortest')

/** The grid. */
export function SliceTable({ capture, questions }: ViewProps & { readonly questions: TableQuestions }) {
  const t = useTexts()
  const { captureId } = capture
  const sort = usePanel(captureId, (data) => data.sliceSort)
  const selected = useView(captureId, (view) => view.selectedSlice)
  const tracks = useTrace(captureId, (data) => data.tracks?.tracks)
  const [first, setFirst] = useState(0)
  const { key, total, rows, failure, isPending } = useSlicePages({ ...questions.slices, sort }, first)
  const cells = (index: number) => {
    const row = rows.get(index)
    if (!row) return undefined
    const track = tracks?.[row.trackId]?.name ?? ''
    return (
      <>
        <th scope='row'>
          <button type='button' aria-pressed={row.sliceId === selected} title={row.name} onClick={() => void goToSlice(capture, row)}>
            {row.name}
          </button>
        </th>
        <td title={row.category}>{row.category}</td>
        <td title={track}>{track}</td>
        <td title={exactTime(row.startNs)}>{exactTimeLabel(row.startNs)}</td>
        <td title={row.isUnfinished ? t('drawer.unfinished') : exactTime(row.durNs)}>
          {formatTime(row.durNs)}
          {row.isUnfinished && '+'}
        </td>
      </>
    )
  }
  return (
    <>
      <TableNote questions={questions} rows={total} />
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      <RowsTable
        label={t('table.slices')}
        testId='trace-slice-table'
        className='slices'
        count={total ?? 0}
        isPending={isPending}
        columnCount={columns.length}
        scrollKey={key}
        cells={cells}
        isSelected={(index) => rows.get(index)?.sliceId === selected}
        onFirst={setFirst}
        head={
          <SortHead
            columns={columns}
            title={(column) => t(`table.column.${column}`)}
            order={orderOf(sort)}
            ascendingFirst={['start']}
            sortable={sortable}
            onOrder={(order) => panelData(captureId).setState({ sliceSort: sortOf(order) })}
          />
        }
      />
    </>
  )
}
