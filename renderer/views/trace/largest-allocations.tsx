// The largest allocations that a slice made, each a way to its details.
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { counted, exactBytes, exactTime, formatBytes, formatTime } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { goToDeviceAllocation } from './jumps.ts'
import { useTexts } from './use-trace.ts'

interface LargestProps extends ViewProps {
  readonly device: number
  readonly rows: readonly AllocationRow[]
  readonly count: number // all that it made
}

/** The list; nothing where it made none. */
export function LargestAllocations({ capture, device, rows, count }: LargestProps) {
  const t = useTexts()
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  if (rows.length === 0) return null
  return (
    <>
      <h5 className='trace-device'>{count > rows.length ? t('memory.largest', counted(rows.length)) : t('memory.made')}</h5>
      <ul className='trace-links' data-testid='trace-allocations'>
        {rows.map((row) => (
          <li key={row.allocationId}>
            <button
              type='button'
              className='jump truncate'
              aria-current={row.allocationId === selected}
              title={`${exactBytes(row.sizeBytes)}\n${stackTitle(row.title)}\n${t('memory.goToAllocation')}`}
              onClick={() => void goToDeviceAllocation(capture, device, row)}
            >
              {formatBytes(row.sizeBytes)} · {stackTitle(row.title)}
            </button>
            {row.allocTimeNs !== null && (
              <span className='weak' title={exactTime(row.allocTimeNs)}>
                {formatTime(row.allocTimeNs)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
