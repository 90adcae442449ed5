// The table twin: slices, sums by name, instants, memory by op, steps; what is shown is what CSV saves.
import { useEffect, useRef } from 'react'
import { Switch } from '../../panels/chooser.tsx'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { saveTraceTable } from './csv.ts'
import { InstantTable } from './instant-table.tsx'
import { NameTable } from './name-table.tsx'
import { OpTable } from './op-table.tsx'
import { panelData, twins, usePanel } from './panel-data.ts'
import { SliceTable } from './slice-table.tsx'
import { StepTable } from './step-table.tsx'
import { useTableQuestions } from './use-area.ts'
import { useTexts } from './use-trace.ts'
import './panels.css'

/** The chooser and the chosen table. */
export function TraceTable({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const twin = usePanel(captureId, (data) => data.twin)
  const questions = useTableQuestions(capture)
  const section = useRef<HTMLElement>(null)
  // In a low window the table may lie below what is in sight.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={section} className='trace-twin' aria-label={t('table.title')}>
      <header className='trace-twin-head'>
        <Switch
          label={t('table.choose')}
          value={twin}
          options={twins.map((value) => ({ value, label: t(`table.${value}`) }))}
          onChoose={(each) => panelData(captureId).setState({ twin: each })}
        />
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => void saveTraceTable(capture)}>
          {t('table.csv')}
        </button>
        <button type='button' className='tool-button' onClick={() => patchView(captureId, { showTable: false })}>
          {t('table.close')}
        </button>
      </header>
      {questions && twin === 'slices' && <SliceTable capture={capture} questions={questions} />}
      {questions && twin === 'names' && <NameTable capture={capture} questions={questions} />}
      {questions && twin === 'instants' && <InstantTable capture={capture} questions={questions} />}
      {questions && twin === 'ops' && <OpTable capture={capture} questions={questions} />}
      {twin === 'steps' && <StepTable capture={capture} />}
    </section>
  )
}
