// Slices by name, in sight or in the selected range.
import { failureSentence } from '../../i18n/texts.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import type { ViewProps } from '../view.ts'
import { GroupCells, GroupName } from './group-cells.tsx'
import { panelData, usePanel } from './panel-data.ts'
import { groupColumns, sortGroups } from './rows.ts'
import { RowsTable } from './rows-table.tsx'
import { TableNote } from './table-note.tsx'
import type { TableQuestions } from './table-questions.ts'
import { useNameRows } from './use-names.ts'
import { useTexts } from './use-trace.ts'

/** The grid. */
export function NameTable({ capture, questions }: ViewProps & { readonly questions: TableQuestions }) {
  const t = useTexts()
  const { captureId } = capture
  const order = usePanel(captureId, (data) => data.nameOrder)
  const { rows: found, told, more, failure, isPending } = useNameRows(capture, questions)
  const isSearch = questions.search !== undefined
  const rows = found && sortGroups(found, order)
  const cells = (index: number) => {
    const row = rows?.[index]
    return (
      row && (
        <>
          <th scope='row'>
            <GroupName capture={capture} row={row} isName />
          </th>
          <GroupCells row={row} />
        </>
      )
    )
  }
  return (
    <>
      <TableNote questions={questions} rows={rows?.length} {...(isSearch && more > 0 ? { among: told } : { left: more })} />
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      <RowsTable
        label={t('table.names')}
        testId='trace-name-table'
        className='names'
        count={rows?.length ?? 0}
        isPending={isPending}
        columnCount={groupColumns.length}
        scrollKey={JSON.stringify(order)}
        cells={cells}
        head={
          <SortHead
            columns={groupColumns}
            title={(column) => t(`area.column.${column}`)}
            order={order}
            ascendingFirst={['text']}
            onOrder={(nameOrder) => panelData(captureId).setState({ nameOrder })}
          />
        }
      />
    </>
  )
}
