// Memory while a slice ran: of its device, whichever thread did it, and of its own thread alone.
import { deviceName, exactBytes } from '../../i18n/format.ts'
import { Fact } from '../../panels/fact.tsx'
import { deviceOf } from '../../state/initial-view.ts'
import { LargestAllocations } from './largest-allocations.tsx'
import { MemoryChanges } from './memory-changes.tsx'
import type { SliceProps } from './slice-text.ts'
import { amountText } from './texts.ts'
import { useTexts } from './use-trace.ts'

/** The section; nothing in a trace without memory events. */
export function SliceMemory({ capture, details }: SliceProps) {
  const t = useTexts()
  const { startNs, durNs, memory } = details
  if (!capture.hasHistory) return null
  return (
    <section className='panel-section' data-testid='trace-memory'>
      <h3 className='panel-head' title={t('memory.whileHint')}>
        {t('memory.while')}
      </h3>
      <MemoryChanges capture={capture} changes={memory} range={{ x0: startNs, x1: startNs + Math.max(1, durNs) }} />
      {memory.length > 0 && <OwnMemory capture={capture} details={details} />}
    </section>
  )
}

function OwnMemory({ capture, details: { ownMemory } }: SliceProps) {
  const t = useTexts()
  if (ownMemory === null) return <p className='panel-note'>{t('memory.ownUnknown')}</p>
  if (ownMemory.length === 0) return null
  return ownMemory.map(({ device, allocatedBytes, allocatedCount, freedBytes, freedCount, largest }) => (
    <div key={device}>
      <h4 className='trace-device'>
        {t('memory.own')}
        {ownMemory.length > 1 && ` · ${deviceName(device, deviceOf(capture, device)?.deviceType ?? '')}`}
      </h4>
      <dl>
        <Fact label={t('memory.allocated')} value={amountText(allocatedBytes, allocatedCount)} title={exactBytes(allocatedBytes)} />
        <Fact label={t('memory.freed')} value={amountText(Math.abs(freedBytes), freedCount)} title={exactBytes(Math.abs(freedBytes))} />
      </dl>
      <LargestAllocations capture={capture} device={device} rows={largest} count={allocatedCount} />
    </div>
  ))
}
