// The console's main part: tools, editor, what came back.
import { useEffect } from 'react'
import type { ViewProps } from '../view.ts'
import { ChartPanel } from './chart.tsx'
import { registerSqlCommands } from './commands.ts'
import { Editor } from './editor.tsx'
import { FailureStrip } from './failure-strip.tsx'
import { ResultGrid } from './grid.tsx'
import { ResultHead } from './result-head.tsx'
import { useSqlState } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'
import { ToolRow } from './tool-row.tsx'
import './sql.css'

/** Everything between the side bar and the drawer. */
export function SqlMain({ capture }: ViewProps) {
  useEffect(() => registerSqlCommands(capture), [capture])
  return (
    <div className='view sql'>
      <ToolRow capture={capture} />
      <Editor capture={capture} />
      <FailureStrip capture={capture} />
      <ResultPart capture={capture} />
    </div>
  )
}

function ResultPart({ capture }: ViewProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const result = useSqlState(captureId, (state) => state.result)
  const hasChart = useSqlState(captureId, (state) => state.chart !== 'none')
  if (!result) return <p className='sql-empty weak'>{t('result.none')}</p>
  return (
    <section className='sql-result' aria-label={t('result.title')} data-testid='sql-result'>
      <ResultHead capture={capture} result={result} />
      {hasChart && <ChartPanel capture={capture} result={result} />}
      {result.rows.length === 0 ? (
        <p className='sql-empty weak'>{t('result.noRows')}</p>
      ) : (
        <ResultGrid key={`${result.statement} ${result.elapsedMs}`} capture={capture} result={result} />
      )}
    </section>
  )
}
