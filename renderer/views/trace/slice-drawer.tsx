// Details of the selected slice: what it is, when it ran, what it ran with, what it belongs to, and the memory of that time.
import { counted, exactTime, formatCount, formatShare, formatTime, unknownValue } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { Fact } from '../../panels/fact.tsx'
import { StackFrames } from '../../panels/stack-frames.tsx'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { useView } from '../../state/use-view.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import type { ViewProps } from '../view.ts'
import { SliceArgs } from './args-section.tsx'
import { callStackOf, factsOf, inputsOf, type OpInput } from './slice-args.ts'
import { SliceLinks } from './slice-links.tsx'
import { SliceMemory } from './slice-memory.tsx'
import { type SliceProps, sliceText } from './slice-text.ts'
import { useAnswer } from './use-answer.ts'
import { useTexts, useTrace } from './use-trace.ts'

const mostInputs = 8

/** The selected slice. What was selected before stays, dimmed and out of reach, until the answer is there. */
export function SelectedSlice({ capture }: ViewProps) {
  const selected = useView(capture.captureId, (view) => view.selectedSlice)
  const details = useTrace(capture.captureId, (data) => data.selected)
  const failure = useTrace(capture.captureId, (data) => (data.failure?.question === 'selected' ? data.failure.error : undefined))
  if (failure) return <p role='alert'>{failureSentence(failure)}</p>
  if (!details) return null
  const isPending = details.sliceId !== selected
  return (
    <div className={isPending ? 'details-body pending' : 'details-body'} inert={isPending} data-testid='trace-slice'>
      <SliceFacts key={details.sliceId} capture={capture} details={details} />
    </div>
  )
}

/** Everything about one slice. */
function SliceFacts({ capture, details }: SliceProps) {
  const t = useTexts()
  const args = details.args ?? []
  const stack = callStackOf(args)
  return (
    <>
      <Headline capture={capture} details={details} />
      <LeadFacts details={details} />
      <Inputs inputs={inputsOf(args)} />
      <Times capture={capture} details={details} />
      <SliceLinks capture={capture} details={details} />
      <SliceMemory capture={capture} details={details} />
      {stack.length > 0 && (
        <section className='panel-section'>
          <div className='panel-head'>
            <h3>{t('slice.stack')}</h3>
            <span>{t('slice.innermostFirst')}</span>
          </div>
          <StackFrames frames={stack} />
        </section>
      )}
      <SliceArgs details={details} />
      <div className='actions details-copy'>
        <CopyButton text={details.name} label={t('drawer.copyName')} done={t('drawer.copied')} />
        <CopyButton text={sliceText(details)} label={t('drawer.copyAll')} done={t('drawer.copied')} />
      </div>
    </>
  )
}

/** Its duration, its share of the slice around it, and its whole name. */
function Headline({ capture: { captureId }, details }: SliceProps) {
  const t = useTexts()
  const parent = details.ancestors[0]
  const around = useAnswer('trace.slice', parent && { captureId, sliceId: parent.sliceId })
  const parentNs = around.isPending ? undefined : around.value?.durNs
  return (
    <div className='details-headline'>
      <div>
        <span className='details-size' title={exactTime(details.durNs)}>
          {formatTime(details.durNs)}
          {details.isUnfinished && '+'}
        </span>
        {parent && parentNs !== undefined && parentNs > 0 && (
          <span className='weak truncate' title={`${t('slice.ofParent')}: ${parent.name}`}>
            {t('slice.parentHint', { share: formatShare(details.durNs, parentNs), parent: parent.name })}
          </span>
        )}
      </div>
      <p className='trace-name'>{details.name.trim() === '' ? t('side.noName') : details.name}</p>
      {details.isUnfinished && (
        <p className='panel-note' data-testid='trace-unfinished'>
          {t('drawer.unfinishedNote')}
        </p>
      )}
    </div>
  )
}

/** What a kernel ran with, what a copy moved, where an op belongs. */
function LeadFacts({ details }: Pick<SliceProps, 'details'>) {
  const t = useTexts()
  const facts = factsOf(details.args ?? [])
  if (facts.length === 0) return null
  return (
    <dl className='panel-section' data-testid='trace-facts'>
      {facts.map(({ name, value }) => (
        <Fact key={name} label={t(`slice.facts.${name}`)} value={value} title={value} />
      ))}
    </dl>
  )
}

function Inputs({ inputs }: { readonly inputs: readonly OpInput[] }) {
  const t = useTexts()
  const more = inputs.length - mostInputs
  if (!inputs.some(({ type, dims }) => type !== '' || dims !== '')) return null
  return (
    <section className='panel-section'>
      <h3 className='panel-head'>{t('slice.inputs')}</h3>
      <dl>
        {inputs.slice(0, mostInputs).map(({ type, dims }, index) => (
          <Fact
            // biome-ignore lint/suspicious/noArrayIndexKey: inputs are told apart by their place alone
            key={index}
            label={t('slice.input', { index: index + 1 })}
            value={[type, dims].filter((part) => part !== '').join(' · ') || unknownValue}
            title={dims}
          />
        ))}
      </dl>
      {more > 0 && <p className='panel-note'>{t('slice.moreInputs', counted(more))}</p>}
    </section>
  )
}

function Times({ details }: SliceProps) {
  const t = useTexts()
  const { startNs, durNs, selfNs } = details
  return (
    <dl className='panel-section'>
      <Fact label={t('slice.category')} value={details.category === '' ? t('side.noCategory') : details.category} />
      <Fact label={t('slice.start')} value={exactTimeLabel(startNs)} title={exactTime(startNs)} />
      {details.isUnfinished ? (
        <Fact label={t('slice.end')} value={t('slice.noEnd')} title={t('drawer.unfinished')} />
      ) : (
        <Fact label={t('slice.end')} value={exactTimeLabel(startNs + durNs)} title={exactTime(startNs + durNs)} />
      )}
      <Fact
        label={t('slice.self')}
        value={selfNs === null ? unknownValue : `${formatTime(selfNs)} · ${formatShare(selfNs, durNs)}`}
        title={selfNs === null ? t('slice.selfUnknown') : `${t('slice.selfHint')}: ${exactTime(selfNs)}`}
      />
      <Fact label={t('slice.track')} value={details.trackName} title={details.trackName} />
      {details.processName !== '' && <Fact label={t('slice.process')} value={details.processName} title={details.processName} />}
      <Fact label={t('slice.depth')} value={formatCount(details.depth)} />
    </dl>
  )
}
