// Details of an instant: what it is, when it was, its arguments.
import { exactTime } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { Fact } from '../../panels/fact.tsx'
import { exactTimeLabel } from '../../plot/ticks.ts'
import type { ViewProps } from '../view.ts'
import { SliceArgs } from './args-section.tsx'
import { useAnswer } from './use-answer.ts'
import { useTexts, useTrace } from './use-trace.ts'

interface InstantProps extends ViewProps {
  readonly instantId: number
}

/** The instant, dimmed while another one is asked for. */
export function InstantDetails({ capture: { captureId }, instantId }: InstantProps) {
  const t = useTexts()
  const { value, failure, isPending } = useAnswer('trace.instant', { captureId, instantId })
  const track = useTrace(captureId, ({ tracks }) => value && tracks?.tracks[value.trackId]?.name)
  if (failure) return <p role='alert'>{failureSentence(failure)}</p>
  if (!value) return null
  return (
    <div className={isPending ? 'details-body pending' : 'details-body'} data-testid='trace-instant'>
      <div className='details-headline'>
        <p className='trace-name'>{value.name.trim() === '' ? t('side.noName') : value.name}</p>
      </div>
      <dl className='panel-section'>
        <Fact label={t('slice.category')} value={value.category === '' ? t('side.noCategory') : value.category} />
        <Fact label={t('slice.time')} value={exactTimeLabel(value.timeNs)} title={exactTime(value.timeNs)} />
        {track !== undefined && <Fact label={t('slice.track')} value={track} title={track} />}
      </dl>
      <SliceArgs details={value} />
    </div>
  )
}
