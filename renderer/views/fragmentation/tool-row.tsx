import { formatCount } from '../../i18n/format.ts'
import { Approximate } from '../../panels/approximate.tsx'
import { JumpButtons } from '../../panels/jump-buttons.tsx'
import { AxisSwitch, Trail } from '../../panels/range-controls.tsx'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { useDevice } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

/** The row itself; without history there is nothing to move in. */
export function ToolRow({ capture }: ViewProps) {
  const device = useDevice(capture)
  const hasEvents = device !== undefined && device.eventCount > 0
  return (
    <div className='tool-row'>
      {hasEvents && <Trail capture={capture} />}
      <MomentName capture={capture} />
      <Approximate capture={capture} />
      {!hasEvents && <span className='spacer' />}
      {hasEvents && <JumpButtons capture={capture} />}
      {hasEvents && <AxisSwitch capture={capture} />}
    </div>
  )
}

/** The moment that tiles and tables are about. */
function MomentName({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const device = useDevice(capture)
  const { report, failedBytes, isPending } = useReport(capture)
  if (!device || !report) return null
  const { event, timeNs } = report
  const name = device.eventCount === 0 ? t('atDump') : event < 0 ? t('beforeFirst') : t('afterEvent', { event: formatCount(event) })
  return (
    <span className={isPending ? 'frag-moment pending' : 'frag-moment'} data-testid='fragmentation-moment'>
      <b className='t1'>{name}</b>
      {!Number.isNaN(timeNs) && <span className='frag-moment-time'> · {exactTimeLabel(timeNs)}</span>}
      {failedBytes !== undefined && <span className='bad'> ▲ {t('outOfMemory')}</span>}
      {failedBytes === undefined && event >= 0 && event === device.peakEvent && <span> · {t('atPeak')}</span>}
    </span>
  )
}
