// What the result is: how many rows, how long it took; its chart and its file.
import { runCommand } from '../../commands/registry.ts'
import { formatTime } from '../../i18n/format.ts'
import { Chooser, Switch } from '../../panels/chooser.tsx'
import type { ViewProps } from '../view.ts'
import { rowsText } from './actions.ts'
import { chartOf, valueColumns } from './chart-model.ts'
import { chartKinds, patchSql, type SqlResult, useSqlState } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'

interface ResultProps extends ViewProps {
  readonly result: SqlResult
}

const nsOfMs = 1e6

/** The row above the table. */
export function ResultHead({ capture, result }: ResultProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const isOld = useSqlState(captureId, (state) => state.failure !== undefined || state.running !== undefined)
  const chart = useSqlState(captureId, (state) => state.chart)
  const chosen = useSqlState(captureId, (state) => state.chartColumn)
  const columns = valueColumns(result)
  const drawn = chart === 'none' ? undefined : chartOf(result, chart, chosen, t)
  return (
    <header className='sql-result-head'>
      <span className='t1' data-testid='sql-rows'>
        {rowsText(result)}
      </span>
      <span className='weak'>{formatTime(result.elapsedMs * nsOfMs)}</span>
      {isOld && <span className='sql-old'>{t('result.old')}</span>}
      <span className='spacer' />
      <Switch
        label={t('chart.label')}
        value={chart}
        options={chartKinds.map((value) => ({ value, label: t(`chart.${value}`), disabled: value !== 'none' && columns.length === 0 }))}
        onChoose={(value) => patchSql(captureId, { chart: value })}
      />
      {drawn && (
        <Chooser
          label={t('chart.column')}
          value={drawn.value}
          options={columns.map((value) => ({ value, label: value }))}
          onChoose={(chartColumn) => patchSql(captureId, { chartColumn })}
        />
      )}
      <button type='button' className='tool-button' title={t('result.csvHint')} onClick={() => runCommand('file.exportCsv')}>
        {t('result.csv')}
      </button>
    </header>
  )
}
