// The view's part of the status line.
import { insideAll, shownRange } from '../../focus/home.ts'
import { counted, formatCount, formatTime } from '../../i18n/format.ts'
import { Part } from '../../panels/status-part.tsx'
import { spanOf } from '../../plot/scales.ts'
import { timeLabels } from '../../plot/ticks.ts'
import { usePacedView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { usePacedTrace, useTexts } from './use-trace.ts'

/** Range, its duration, slices in sight, lanes in sight. */
export function TraceStatus({ capture }: ViewProps) {
  const t = useTexts()
  const view = usePacedView(capture.captureId)
  const { raster, spansLeftOut } = usePacedTrace(capture.captureId)
  if (view?.axis !== 'time') return null
  const range = insideAll(shownRange(capture, view), view.full)
  // As finely as a hundredth of the range.
  const [from, , to] = timeLabels([range.x0, range.x0 + spanOf(range) / 100, range.x1]).map(({ text }) => text)
  const left = raster?.data.boxesLeftOut ?? 0
  return (
    <>
      <Part label={t('status.range')}>
        {from} – {to}
      </Part>
      <Part label={t('status.duration')}>{formatTime(spanOf(range))}</Part>
      {raster && <Part label={t('status.slices')}>{formatCount(raster.data.inSight)}</Part>}
      {raster && <Part label={t('status.lanes')}>{formatCount(raster.lanes.length)}</Part>}
      {spansLeftOut > 0 && <span>{t('status.spansLeftOut', counted(spansLeftOut))}</span>}
      {left > 0 && <span>{t('status.left', counted(left))}</span>}
    </>
  )
}
