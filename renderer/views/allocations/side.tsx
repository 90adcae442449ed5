// The view's parts of side bar, drawer and status line.
import { counted, formatCount } from '../../i18n/format.ts'
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import { Part } from '../../panels/status-part.tsx'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { useAllocations } from './allocations-data.ts'
import { useAllocationsTexts } from './texts.ts'

/** What the table holds, and its keys. */
export function AllocationsSideBar({ capture }: ViewProps) {
  const t = useAllocationsTexts()
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  if (!showLegend) return null
  return (
    <section className='panel-section' aria-labelledby='alloc-legend-title'>
      <div className='panel-head'>
        <h2 id='alloc-legend-title'>{t('legend.title')}</h2>
      </div>
      <p className='panel-note'>{t('legend.text')}</p>
      <p className='panel-note'>{t('legend.keys')}</p>
    </section>
  )
}

/** The drawer's content. */
export function AllocationsDrawer({ capture }: ViewProps) {
  const t = useAllocationsTexts()
  return <DetailsDrawer capture={capture} hint={t('noSelection')} />
}

/** Which rows are in sight. */
export function AllocationsStatus({ capture }: ViewProps) {
  const t = useAllocationsTexts()
  const { first, shown, count } = useAllocations(capture.captureId, (data) => data)
  if (count === 0) return null
  const range = { first: formatCount(first + 1), last: formatCount(Math.min(first + shown, count)), ...counted(count) }
  return <Part label={t('status.rows')}>{t('status.range', range)}</Part>
}
