// The lives of one address along the capture: a strip of marks, each a jump.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { formatAddressVersion, formatCount } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { goToAllocation } from '../state/go-to.ts'
import { useDevice } from '../state/use-view.ts'

const leastShare = 0.006 // a mark stays visible and clickable

interface UseStripProps {
  readonly capture: CaptureSummary
  readonly details: AllocationDetails
}

/** The strip. The selected life is outlined as on the canvas. */
export function UseStrip({ capture, details }: UseStripProps) {
  const t = usePanelTexts()
  const device = useDevice(capture)
  const count = Math.max(1, device?.eventCount ?? 1)
  const first = details.version - details.uses.findIndex(({ allocationId }) => allocationId === details.allocationId)
  return (
    <div className='use-strip'>
      {details.uses.map((use, index) => {
        const from = (use.allocEvent ?? 0) / count
        const width = Math.max(leastShare, ((use.freeEvent ?? count) - (use.allocEvent ?? 0)) / count)
        const when = use.allocEvent === null ? t('beforeHistory') : t('details.event', { event: formatCount(use.allocEvent) })
        const label = `${formatAddressVersion(details.address, first + index)} · ${when}`
        return (
          <button
            key={use.allocationId}
            type='button'
            className='use-mark'
            aria-label={label}
            title={label}
            aria-current={use.allocationId === details.allocationId}
            style={{ left: `${Math.min(from, 1 - width) * 100}%`, width: `${width * 100}%` }}
            onClick={() => void goToAllocation(capture.captureId, use)}
          />
        )
      })}
    </div>
  )
}
