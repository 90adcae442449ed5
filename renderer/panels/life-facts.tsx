// When an allocation was made and given back, and how long it lived.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { exactTime, formatCount, formatTime, unknownValue } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { useDevice } from '../state/use-view.ts'
import { lifeOf } from './details-text.ts'
import { Fact, Moment } from './fact.tsx'

interface LifeFactsProps {
  readonly capture: CaptureSummary
  readonly details: AllocationDetails
}

/** Allocated, freed, its state at the end, and its life: so far, when it was never freed. */
export function LifeFacts({ capture, details }: LifeFactsProps) {
  const t = usePanelTexts()
  const device = useDevice(capture)
  const { allocEvent, freeRequestedEvent, freeCompletedEvent, state } = details
  const isAlive = state === 'alive'
  return (
    <>
      <Fact
        label={t('details.allocated')}
        value={allocEvent === null ? t('beforeHistory') : <Moment capture={capture} event={allocEvent} timeNs={details.allocTimeNs} />}
        title={allocEvent === null ? t('details.beforeFirst') : undefined}
      />
      <Fact
        label={t('details.freed')}
        value={
          freeRequestedEvent !== null ? (
            <Moment capture={capture} event={freeRequestedEvent} timeNs={details.freeTimeNs} />
          ) : isAlive ? (
            t('details.never')
          ) : (
            unknownValue
          )
        }
        title={freeRequestedEvent === null ? t('details.notFreed') : undefined}
      />
      {freeCompletedEvent !== null && freeRequestedEvent !== null && freeCompletedEvent > freeRequestedEvent + 1 && (
        <Fact label={t('details.freeCompleted')} value={<Moment capture={capture} event={freeCompletedEvent} timeNs={null} />} />
      )}
      <Fact label={t('details.state')} value={t(`details.states.${state}`)} />
      <LifeFact details={details} device={device} />
    </>
  )
}

function LifeFact({ details, device }: { readonly details: AllocationDetails; readonly device: DeviceSummary | undefined }) {
  const t = usePanelTexts()
  const life = device && lifeOf(details, device)
  const label = details.state === 'alive' ? t('details.lifetimeSoFar') : t('details.lifetime')
  if (!life) return <Fact label={label} value={unknownValue} title={t('details.lifetimeUnknown')} />
  const events = t('details.lifeEvents', { count: life.events, events: formatCount(life.events) })
  if (life.timeNs === undefined) return <Fact label={label} value={events} />
  return <Fact label={label} value={`${formatTime(life.timeNs)} · ${events}`} title={exactTime(life.timeNs)} />
}
