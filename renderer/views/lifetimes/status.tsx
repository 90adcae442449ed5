// The view's part of the status line.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { usePaced } from '../../data/paced.ts'
import { focusData } from '../../focus/focus-data.ts'
import { insideAll, shownRange } from '../../focus/home.ts'
import { formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { Density, Part } from '../../panels/status-part.tsx'
import { endsOf, spanOf } from '../../plot/scales.ts'
import { useDevice, usePacedView } from '../../state/use-view.ts'
import { isSingle } from './assemble.ts'
import { usePacedLifetimes, useTexts } from './use-lifetimes.ts'

/** Range, shown and folded, level, bytes at the cursor, events a pixel. */
export function LifetimesStatus({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts()
  const view = usePacedView(capture.captureId)
  const device = useDevice(capture)
  const data = usePacedLifetimes(capture.captureId)
  const { raster, layout } = data
  const { cursor } = usePaced(focusData(capture.captureId))
  if (!view || !device) return null
  const range = shownRange(capture, view)
  const [first, last] = endsOf(device.eventCount, range)
  const density = view.axis === 'event' && layout ? spanOf(range) / layout.plot.widthPx : undefined
  return (
    <>
      {view.axis === 'event' ? (
        <Part label={panelText('eventsRange')}>
          {formatCount(first)} – {formatCount(last)}
        </Part>
      ) : (
        <Part label={t('duration')}>{formatTime(spanOf(insideAll(range, view.full)))}</Part>
      )}
      {raster && (
        <span>
          {t('status.shown')} <b className='t1'>{formatCount(raster.data.shown - raster.data.folded)}</b> {t('status.allocations')}
          {' · '}
          {t('status.folded')} <b className='t1'>{formatCount(raster.data.folded)}</b>
          {raster.data.folded > 0 && ` (${formatBytes(raster.data.foldedBytes)})`}
        </span>
      )}
      {raster && <span>{t(isSingle(data) ? 'level.single' : 'level.heat')}</span>}
      {cursor && <Part label={t('status.cursor')}>{formatBytes(cursor.allocated)}</Part>}
      {density !== undefined && <Density eventsPerPixel={density} />}
    </>
  )
}
