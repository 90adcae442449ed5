// What memory did between two moments, device by device, and the ways to the views that show it.
import type { MemoryChange } from '../../../preload/contract/queries.ts'
import { deviceName, exactBytes, formatBytes, formatCount, formatSignedBytes } from '../../i18n/format.ts'
import { Fact } from '../../panels/fact.tsx'
import { deviceOf } from '../../state/initial-view.ts'
import type { Range } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { goToDeviceEvent, showRangeIn } from './jumps.ts'
import { amountText } from './texts.ts'
import { useTexts } from './use-trace.ts'

interface ChangesProps extends ViewProps {
  readonly changes: readonly MemoryChange[]
  readonly range: Range
}

/** Net, peak, allocated and freed of each device. */
export function MemoryChanges({ capture, changes, range }: ChangesProps) {
  const t = useTexts()
  if (changes.length === 0) return <p className='panel-note'>{t('memory.none')}</p>
  const ordered = [...changes].sort((a, b) => Number(a.device < 0) - Number(b.device < 0)) // the CPU last
  return ordered.map((change) => (
    <div key={change.device} data-testid={`trace-memory-${change.device}`}>
      {(changes.length > 1 || capture.devices.length > 1) && (
        <h4 className='trace-device'>{deviceName(change.device, deviceOf(capture, change.device)?.deviceType ?? '')}</h4>
      )}
      <ChangeFacts capture={capture} change={change} />
      <div className='actions trace-show'>
        <span className='weak'>{t('memory.show')}</span>
        <button type='button' className='tool-button' onClick={() => showRangeIn(capture, 'timeline', change.device, range)}>
          {t('memory.timeline')}
        </button>
        <button type='button' className='tool-button' onClick={() => showRangeIn(capture, 'lifetimes', change.device, range)}>
          {t('memory.lifetimes')}
        </button>
      </div>
    </div>
  ))
}

function ChangeFacts({ capture, change }: ViewProps & { readonly change: MemoryChange }) {
  const t = useTexts()
  const { netBytes, peakBytes, peakEvent, allocatedBytes, allocatedCount, freedBytes, freedCount } = change
  return (
    <dl>
      <Fact label={t('memory.net')} value={formatSignedBytes(netBytes)} title={exactBytes(netBytes)} />
      <Fact
        label={t('memory.peak')}
        value={
          <button
            type='button'
            className='jump'
            title={t('memory.peakHint', { event: formatCount(peakEvent) })}
            onClick={() => void goToDeviceEvent(capture, change.device, peakEvent)}
          >
            {formatBytes(peakBytes)}
          </button>
        }
        title={exactBytes(peakBytes)}
      />
      <Fact label={t('memory.allocated')} value={amountText(allocatedBytes, allocatedCount)} title={exactBytes(allocatedBytes)} />
      <Fact label={t('memory.freed')} value={amountText(freedBytes, freedCount)} title={exactBytes(freedBytes)} />
    </dl>
  )
}
