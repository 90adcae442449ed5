// A failure to allocate: what was asked, what memory there was, and the stack that asked.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { type MemoryError, useFocus } from '../focus/focus-data.ts'
import { exactBytes, formatBytes, unknownValue } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { stackTitle, streamTitle } from '../plot/legend.ts'
import { useDevice } from '../state/use-view.ts'
import { Fact, Moment } from './fact.tsx'
import { ShowIn } from './show-in.tsx'

interface MemoryErrorProps {
  readonly capture: CaptureSummary
  readonly failure: DeviceSummary['ooms'][number]
}

/** The card: what the summary tells stands at once, the state of memory follows with the engine's answer. */
export function MemoryErrorDetails({ capture, failure }: MemoryErrorProps) {
  const t = usePanelTexts()
  const device = useDevice(capture)
  const answer = useFocus(capture.captureId, (data) => data.memoryError)
  const found = answer?.device === device?.device && answer?.row.event === failure.event ? answer : undefined
  return (
    <div className='details-body' data-testid='memory-error'>
      <div className='details-headline'>
        <div>
          <span className='details-size bad' title={exactBytes(failure.sizeBytes)}>
            {formatBytes(failure.sizeBytes)}
          </span>
          <span className='weak'>{t('memoryError.asked')}</span>
        </div>
        {found && <Asker error={found} />}
      </div>
      <dl className='panel-section'>
        <Fact label={t('memoryError.exactly')} value={exactBytes(failure.sizeBytes)} />
        <Fact label={t('memoryError.at')} value={<Moment capture={capture} event={failure.event} timeNs={failure.timeNs} />} />
        {found && <Fact label={t('details.stream')} value={streamTitle(found.row.stream)} />}
      </dl>
      <MemoryFacts failure={failure} error={found} />
      <ShowIn capture={capture} />
    </div>
  )
}

function Asker({ error: { row } }: { readonly error: MemoryError }) {
  return (
    <div className='details-stack' title={row.place}>
      <span className='t1 truncate'>{stackTitle(row.title)}</span>
      <span className='weak truncate'>{row.place}</span>
    </div>
  )
}

/** Memory at the failure: what the device had left, and what PyTorch held without using it. */
function MemoryFacts({ failure, error }: { readonly failure: MemoryErrorProps['failure']; readonly error: MemoryError | undefined }) {
  const t = usePanelTexts()
  const free = failure.deviceFreeBytes
  const bytes = (value: number | undefined) =>
    value === undefined ? { value: '…' } : { value: formatBytes(value), title: exactBytes(value) }
  const totals = error?.totals
  return (
    <dl className='panel-section'>
      <Fact
        label={t('memoryError.deviceFree')}
        {...(free === null ? { value: unknownValue, title: t('memoryError.unknown') } : bytes(free))}
      />
      <Fact label={t('memoryError.reserved')} {...bytes(totals?.reservedBytes)} />
      <Fact label={t('memoryError.allocated')} {...bytes(totals?.allocatedBytes)} />
      <Fact label={t('memoryError.free')} {...bytes(totals?.freeBytes)} />
      <Fact label={t('memoryError.largestFree')} {...bytes(totals?.largestFreeBytes)} />
    </dl>
  )
}
