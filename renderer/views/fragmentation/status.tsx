// The view's part of the status line.
import { shownRange } from '../../focus/home.ts'
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { Density, Part } from '../../panels/status-part.tsx'
import { endsOf, spanOf } from '../../plot/scales.ts'
import { cachedOf, externalOf } from '../../space/measures.ts'
import { useDevice, usePacedView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { usePacedFragmentation } from './fragmentation-data.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

/** Visible events, the moment in two numbers, events a pixel. */
export function FragmentationStatus({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const view = usePacedView(capture.captureId)
  const device = useDevice(capture)
  const { layout } = usePacedFragmentation(capture.captureId)
  const { measures } = useReport(capture)
  if (!view || !device) return null
  const range = shownRange(capture, view)
  const isOnEvents = device.eventCount > 0 && view.axis === 'event'
  const [first, last] = endsOf(device.eventCount, range)
  const density = isOnEvents && layout ? spanOf(range) / layout.plot.widthPx : undefined
  return (
    <>
      {isOnEvents && (
        <Part label={panelText('eventsRange')}>
          {formatCount(first)} – {formatCount(last)}
        </Part>
      )}
      {measures && <Part label={t('tile.cached')}>{formatBytes(cachedOf(measures))}</Part>}
      {measures && <Part label={t('tile.external')}>{formatShare(externalOf(measures), cachedOf(measures) > 0 ? 1 : 0)}</Part>}
      {density !== undefined && <Density eventsPerPixel={density} />}
    </>
  )
}
