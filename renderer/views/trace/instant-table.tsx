// The instants in sight or in the selected range, as rows in order of time.
import { useState } from 'react'
import { exactTime } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import type { ViewProps } from '../view.ts'
import { goToInstant } from './jumps.ts'
import { usePanel } from './panel-data.ts'
import { RowsTable } from './rows-table.tsx'
import { useInstantPages } from './slice-pages.ts'
import { TableNote } from './table-note.tsx'
import { instantsQuestion, type TableQuestions } from './table-questions.ts'
import { useTexts, useTrace } from './use-trace.ts'

const columns = ['name', 'category', 'track', 'time'] as const

/** The grid. */
export function InstantTable({ capture, questions }: ViewProps & { readonly questions: TableQuestions }) {
  const t = useTexts()
  const { captureId } = capture
  const shown = usePanel(captureId, (data) => data.instant)
  const tracks = useTrace(captureId, (data) => data.tracks?.tracks)
  const [first, setFirst] = useState(0)
  const { key, total, rows, failure, isPending } = useInstantPages(instantsQuestion(questions), first)
  const cells = (index: number) => {
    const row = rows.get(index)
    if (!row) return undefined
    const track = tracks?.[row.trackId]?.name ?? ''
    return (
      <>
        <th scope='row'>
          <button type='button' aria-pressed={row.instantId === shown} title={row.name} onClick={() => goToInstant(capture, row)}>
            {row.name}
          </button>
        </th>
        <td title={row.category}>{row.category}</td>
        <td title={track}>{track}</td>
        <td title={exactTime(row.timeNs)}>{exactTimeLabel(row.timeNs)}</td>
      </>
    )
  }
  return (
    <>
      <TableNote questions={{ ...questions, search: undefined }} rows={total} />
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      <RowsTable
        label={t('table.instants')}
        testId='trace-instant-table'
        className='instants'
        count={total ?? 0}
        isPending={isPending}
        columnCount={columns.length}
        scrollKey={key}
        cells={cells}
        isSelected={(index) => rows.get(index)?.instantId === shown}
        onFirst={setFirst}
        head={
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope='col'>
                  {t(`table.column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
        }
      />
    </>
  )
}
