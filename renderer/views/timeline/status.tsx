// The timeline's part of the status line.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { usePaced } from '../../data/paced.ts'
import { focusData } from '../../focus/focus-data.ts'
import { insideAll, shownRange } from '../../focus/home.ts'
import { counted, formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { Density, Part } from '../../panels/status-part.tsx'
import { endsOf, spanOf } from '../../plot/scales.ts'
import { isFiltering } from '../../state/filter.ts'
import { useDevice, usePacedView } from '../../state/use-view.ts'
import { usePacedTimeline, useTexts } from './use-timeline.ts'

/** Range, duration, shown and folded, bytes under the cursor, events a pixel. */
export function TimelineStatus({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts()
  const view = usePacedView(capture.captureId)
  const device = useDevice(capture)
  const { raster, span, layout } = usePacedTimeline(capture.captureId)
  const { cursor, annotationsLeftOut } = usePaced(focusData(capture.captureId))
  if (!view || !device) return null
  const range = shownRange(capture, view)
  const [first, last] = endsOf(device.eventCount, range)
  const duration = view.axis === 'time' ? spanOf(insideAll(range, view.full)) : span?.device === view.device ? span.ns : undefined
  const density = view.axis === 'event' && layout ? spanOf(range) / layout.plot.widthPx : undefined
  return (
    <>
      {view.axis === 'event' && (
        <Part label={panelText('eventsRange')}>
          {formatCount(first)} – {formatCount(last)}
        </Part>
      )}
      {duration !== undefined && <Part label={t('duration')}>{formatTime(duration)}</Part>}
      {raster && (
        <span title={t('status.shownHint', { all: formatCount(raster.data.shown) })}>
          {t('status.shown')} <b className='t1'>{formatCount(raster.data.shown - raster.data.folded)}</b> {t('status.allocations')}
          {' · '}
          {t('status.folded')} <b className='t1'>{formatCount(raster.data.folded)}</b>
          {raster.data.folded > 0 && ` (${formatBytes(raster.data.foldedBytes)})`}
        </span>
      )}
      {isFiltering(view.filter) && <span>{t('status.filtered')}</span>}
      {annotationsLeftOut > 0 && <span>{t('status.annotationsLeftOut', counted(annotationsLeftOut))}</span>}
      {cursor && <Part label={t('status.cursor')}>{formatBytes(cursor.allocated)}</Part>}
      {density !== undefined && <Density eventsPerPixel={density} />}
    </>
  )
}
