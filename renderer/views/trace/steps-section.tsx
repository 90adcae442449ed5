// The steps of training with their peak and growth; each leads to its range.
import type { TraceStep } from '../../../preload/contract/queries.ts'
import { counted, exactBytes, formatBytes, formatSignedBytes, formatTime } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { useDevice } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { selectStep } from './jumps.ts'
import { panelData } from './panel-data.ts'
import { useAnswer } from './use-answer.ts'
import { useTexts } from './use-trace.ts'

const mostSteps = 10

/** The section, dimmed while those of another device are asked for; nothing without steps. */
export function StepsSection({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const { value, failure, isPending } = useAnswer('trace.steps', device && { captureId, device: device.device })
  const steps = value?.steps ?? []
  const more = steps.length - mostSteps
  if (failure && !isPending) return <p role='alert'>{failureSentence(failure)}</p>
  if (steps.length === 0) return null
  const showTable = () => {
    panelData(captureId).setState({ twin: 'steps' })
    patchView(captureId, { showTable: true })
  }
  return (
    <section className={isPending ? 'panel-section pending' : 'panel-section'} inert={isPending} aria-labelledby='trace-steps-title'>
      <h2 id='trace-steps-title'>{t('side.steps')}</h2>
      <table className='data-table trace-steps' aria-labelledby='trace-steps-title' data-testid='trace-steps'>
        <thead>
          <tr>
            <th scope='col'>{t('table.column.name')}</th>
            <th scope='col'>{t('table.column.peak')}</th>
            <th scope='col' title={t('table.hint.growth')}>
              {t('table.column.growth')}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.slice(0, mostSteps).map((step) => (
            <StepRow key={`${step.startNs} ${step.name}`} capture={capture} step={step} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <button type='button' className='legend-all' onClick={showTable}>
          {t('side.stepsMore', counted(more))}
        </button>
      )}
    </section>
  )
}

function StepRow({ capture, step }: ViewProps & { readonly step: TraceStep }) {
  const t = useTexts()
  const { name, startNs, endNs, peakBytes, growthBytes } = step
  const hint = t('side.stepHint', {
    name,
    time: formatTime(endNs - startNs),
    peak: formatBytes(peakBytes),
    growth: formatSignedBytes(growthBytes),
  })
  return (
    <tr>
      <th scope='row'>
        <button type='button' className='jump plain truncate' title={hint} onClick={() => selectStep(capture, step)}>
          {name}
        </button>
      </th>
      <td title={exactBytes(peakBytes)}>{formatBytes(peakBytes)}</td>
      <td title={exactBytes(growthBytes)}>{formatSignedBytes(growthBytes)}</td>
    </tr>
  )
}
