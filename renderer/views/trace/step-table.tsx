// The steps of training on the device in view; each selects its range.
import { exactBytes, exactTime, formatBytes, formatSignedBytes, formatTime } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { useDevice } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { selectStep } from './jumps.ts'
import { panelData, usePanel } from './panel-data.ts'
import { type StepColumn, sortSteps, stepColumns, stepNumbers } from './rows.ts'
import { RowsTable } from './rows-table.tsx'
import { useAnswer } from './use-answer.ts'
import { useTexts } from './use-trace.ts'

const words: Readonly<Record<Exclude<StepColumn, 'name'>, (value: number) => readonly [text: string, exact: string]>> = {
  start: (ns) => [exactTimeLabel(ns), exactTime(ns)],
  duration: (ns) => [formatTime(ns), exactTime(ns)],
  peak: (bytes) => [formatBytes(bytes), exactBytes(bytes)],
  allocated: (bytes) => [formatBytes(bytes), exactBytes(bytes)],
  freed: (bytes) => [formatBytes(bytes), exactBytes(bytes)],
  growth: (bytes) => [formatSignedBytes(bytes), exactBytes(bytes)],
}

/** The grid. */
export function StepTable({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const order = usePanel(captureId, (data) => data.stepOrder)
  const { value, failure, isPending } = useAnswer('trace.steps', device && { captureId, device: device.device })
  const rows = value && sortSteps(value.steps, order)
  if (!capture.hasHistory) return <p className='trace-note'>{t('table.noStepMemory')}</p>
  if (!device || rows?.length === 0) return <p className='trace-note'>{t('table.noSteps')}</p>
  const cells = (index: number) => {
    const row = rows?.[index]
    if (!row) return undefined
    return (
      <>
        <th scope='row'>
          <button type='button' title={row.name} onClick={() => selectStep(capture, row)}>
            {row.name}
          </button>
        </th>
        {stepColumns.map((column) => {
          if (column === 'name') return null
          const [text, exact] = words[column](stepNumbers[column](row))
          return (
            <td key={column} title={exact}>
              {text}
            </td>
          )
        })}
      </>
    )
  }
  return (
    <>
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      <RowsTable
        label={t('table.steps')}
        testId='trace-step-table'
        className='steps'
        count={rows?.length ?? 0}
        isPending={isPending}
        columnCount={stepColumns.length}
        scrollKey={JSON.stringify(order)}
        cells={cells}
        head={
          <SortHead
            columns={stepColumns}
            title={(column) => t(`table.column.${column}`)}
            hint={(column) => (column === 'growth' ? t('table.hint.growth') : undefined)}
            order={order}
            ascendingFirst={['name', 'start']}
            onOrder={(stepOrder) => panelData(captureId).setState({ stepOrder })}
          />
        }
      />
    </>
  )
}
