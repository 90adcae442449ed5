// A fact of the drawer, and the moments that such facts name.
import type { ReactNode } from 'react'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { exactTime, formatCount } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { exactTimeLabel } from '../plot/ticks.ts'
import { goToEvent } from '../state/go-to.ts'

interface FactProps {
  readonly label: string
  readonly value: ReactNode
  readonly title?: string | undefined
  readonly mono?: boolean
  readonly inner?: boolean // part of the fact above
}

/** One row; an unknown value is a dash with the reason. */
export function Fact({ label, value, title, mono = false, inner = false }: FactProps) {
  return (
    <div className='row'>
      <dt className={inner ? 'inner' : undefined}>{label}</dt>
      <dd className={mono ? 'mono' : undefined} title={title}>
        {value}
      </dd>
    </div>
  )
}

interface MomentProps {
  readonly capture: CaptureSummary
  readonly event: number
  readonly timeNs: number | null
}

/** An event as a jump, and its time where there is one. */
export function Moment({ capture, event, timeNs }: MomentProps) {
  const t = usePanelTexts()
  return (
    <>
      <button
        type='button'
        className='jump'
        title={t('goToEvent', { event: formatCount(event) })}
        onClick={() => void goToEvent(capture.captureId, event)}
      >
        {t('details.event', { event: formatCount(event) })}
      </button>
      {timeNs !== null && <span title={exactTime(timeNs)}> · {exactTimeLabel(timeNs)}</span>}
    </>
  )
}
