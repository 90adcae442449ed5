// The view's main part: tool row and table.
import { useEffect } from 'react'
import { runCommand } from '../../commands/registry.ts'
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { Approximate } from '../../panels/approximate.tsx'
import { FilterNotice } from '../../panels/filter-notice.tsx'
import { JumpButtons } from '../../panels/jump-buttons.tsx'
import { AxisSwitch } from '../../panels/range-controls.tsx'
import { isFiltering } from '../../state/filter.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { useAllocations } from './allocations-data.ts'
import { registerAllocationsCommands } from './commands.ts'
import { startLoader } from './loader.ts'
import { AllocationsTable } from './table.tsx'
import { useAllocationsTexts } from './texts.ts'
import './allocations.css'

/** Everything between the side bar and the drawer. */
export function AllocationsMain({ capture }: ViewProps) {
  const t = useAllocationsTexts()
  useEffect(() => registerAllocationsCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  const failure = useAllocations(capture.captureId, (data) => data.failure?.error)
  return (
    <div className='view allocations'>
      <div className='tool-row'>
        <Totals capture={capture} />
        <Approximate capture={capture} />
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => runCommand('file.exportCsv')}>
          {t('csv')}
        </button>
        <JumpButtons capture={capture} />
        <AxisSwitch capture={capture} />
      </div>
      <div className='alloc-frame'>
        <AllocationsTable capture={capture} />
        <FilterNotice capture={capture} />
        {failure && (
          <p className='canvas-failure' role='alert'>
            {failureSentence(failure)}
          </p>
        )}
      </div>
    </div>
  )
}

/** How many rows there are, and their bytes. */
function Totals({ capture }: ViewProps) {
  const t = useAllocationsTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const isFiltered = useView(captureId, (view) => isFiltering(view.filter))
  const { count, bytes, answered, asked } = useAllocations(captureId, (data) => data)
  if (!device || answered === '') return null
  return (
    <span className={answered === asked ? 't1' : 't1 pending'} role='status' title={t('totalsHint')} data-testid='allocations-totals'>
      {t(isFiltered ? 'passing' : 'totals', {
        ...counted(count),
        all: formatCount(device.allocationCount),
        bytes: formatBytes(bytes),
      })}
    </span>
  )
}
