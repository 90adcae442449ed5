// Memory by op, of the device in view: over the selected range, else over the whole trace.
import { exactBytes, formatBytes, formatCount, formatSignedBytes } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import { useDevice } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { panelData, usePanel } from './panel-data.ts'
import { type OpColumn, opColumns, opNumbers, sortOps } from './rows.ts'
import { RowsTable } from './rows-table.tsx'
import { TableNote } from './table-note.tsx'
import { eventRangeQuestion, eventsOf, type TableQuestions } from './table-questions.ts'
import { useAnswer } from './use-answer.ts'
import { useTexts } from './use-trace.ts'

const limit = 1000
const counts: readonly OpColumn[] = ['calls', 'allocations']
const changes: readonly OpColumn[] = ['self', 'total'] // of either sign
const hinted = ['self', 'total', 'freedInside', 'kept', 'largest'] as const
const hintOf = (column: OpColumn) => hinted.find((each) => each === column)

/** The grid. */
export function OpTable({ capture, questions }: ViewProps & { readonly questions: TableQuestions }) {
  const t = useTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const order = usePanel(captureId, (data) => data.opOrder)
  const inRange = useAnswer('trace.selection', eventRangeQuestion(questions))
  const events = device && eventsOf(device, questions, inRange)
  const { value, failure, isPending } = useAnswer('trace.opMemory', events && { captureId, device: events.device, ...events.range, limit })
  if (!device || device.eventCount === 0) return <p className='trace-note'>{t('table.noMemory')}</p>
  const problem = failure ?? (questions.isSelected ? inRange.failure : undefined)
  const rows = value && sortOps(value.rows, order)
  const cells = (index: number) => {
    const row = rows?.[index]
    if (!row) return undefined
    const name = row.op === '' ? t('table.outside') : row.op
    return (
      <>
        <th scope='row' title={name} className={row.op === '' ? 'weak' : undefined}>
          {name}
        </th>
        {opColumns.map((column) => {
          if (column === 'op') return null
          const number = opNumbers[column](row)
          if (counts.includes(column)) return <td key={column}>{formatCount(number)}</td>
          return (
            <td key={column} title={exactBytes(number)}>
              {changes.includes(column) ? formatSignedBytes(number) : formatBytes(number)}
            </td>
          )
        })}
      </>
    )
  }
  const hint = (column: OpColumn) => {
    const key = hintOf(column)
    return key && t(`table.hint.${key}`)
  }
  return (
    <>
      <TableNote
        questions={{ ...questions, search: undefined }}
        isWhole={!questions.isSelected}
        rows={rows?.length}
        left={value ? value.groups - value.rows.length : 0}
      />
      {problem && <p role='alert'>{failureSentence(problem)}</p>}
      {!events && !inRange.isPending && !problem && (
        <p className='trace-note' role='status'>
          {t('memory.none')}
        </p>
      )}
      <RowsTable
        label={t('table.ops')}
        testId='trace-op-table'
        className='ops'
        count={rows?.length ?? 0}
        isPending={isPending || inRange.isPending}
        columnCount={opColumns.length}
        scrollKey={JSON.stringify(order)}
        cells={cells}
        head={
          <SortHead
            columns={opColumns}
            title={(column) => t(`table.column.${column}`)}
            hint={hint}
            order={order}
            ascendingFirst={['op']}
            onOrder={(opOrder) => panelData(captureId).setState({ opOrder })}
          />
        }
      />
    </>
  )
}
