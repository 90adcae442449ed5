// The view's part of the side bar: the trace in numbers, what colours mean, the steps.
import { deviceName, exactBytes, exactTime, formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { Fact } from '../../panels/fact.tsx'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { goToDeviceEvent } from './jumps.ts'
import { LegendSection } from './legend-section.tsx'
import { isMemoryTimeline } from './memory-categories.ts'
import { StepsSection } from './steps-section.tsx'
import { useTexts, useTrace } from './use-trace.ts'
import './panels.css'

/** Summary, legend, steps. */
export function TraceSideBar({ capture }: ViewProps) {
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  return (
    <>
      <TraceSummary capture={capture} />
      {showLegend && <LegendSection capture={capture} />}
      <StepsSection capture={capture} />
    </>
  )
}

function TraceSummary({ capture }: ViewProps) {
  const t = useTexts()
  const { trace, durationNs, hasHistory } = capture
  const hasTimeline = useTrace(capture.captureId, (data) => data.tracks?.tracks.some(isMemoryTimeline) ?? false)
  if (!trace) return null
  const { trackCount, sliceCount, instantCount, seriesCount } = trace
  return (
    <section className='panel-section' aria-labelledby='trace-summary-title'>
      <h2 id='trace-summary-title'>{t('side.trace')}</h2>
      <dl>
        {durationNs !== null && <Fact label={t('side.span')} value={formatTime(durationNs)} title={exactTime(durationNs)} />}
        <Fact label={t('side.tracks')} value={formatCount(trackCount)} />
        <Fact label={t('side.slices')} value={formatCount(sliceCount)} />
        {instantCount > 0 && <Fact label={t('side.instants')} value={formatCount(instantCount)} />}
        {seriesCount > 0 && <Fact label={t('side.counters')} value={formatCount(seriesCount)} />}
        <OtherPeaks capture={capture} />
      </dl>
      <LeftOut capture={capture} />
      {trackCount === 0 && <p className='panel-note'>{t('side.noTracks')}</p>}
      {!hasHistory && !hasTimeline && <p className='panel-note'>{t('side.noMemory')}</p>}
    </section>
  )
}

/** How many tracks and counters have no row: a file may have more than a window can list. */
function LeftOut({ capture: { captureId, trace } }: ViewProps) {
  const t = useTexts()
  const tracks = useTrace(captureId, (data) => data.tracks)
  if (!tracks || !trace) return null
  const shown = { tracks: tracks.tracks.length, counters: tracks.tracks.reduce((sum, { series }) => sum + series.length, 0) }
  if (shown.tracks === tracks.trackCount && shown.counters === trace.seriesCount) return null
  return (
    <p className='panel-note'>
      {t('side.leftOut', {
        tracks: formatCount(tracks.trackCount - shown.tracks),
        counters: formatCount(trace.seriesCount - shown.counters),
      })}
    </p>
  )
}

/** Peaks of the devices that the window's own summary is not about. */
function OtherPeaks({ capture }: ViewProps) {
  const t = useTexts()
  const inView = useView(capture.captureId, (view) => view.device)
  const others = capture.devices.filter(({ device, eventCount }) => device !== inView && eventCount > 0)
  return others.map(({ device, deviceType, peakAllocatedBytes, peakEvent }) => {
    const name = deviceName(device, deviceType)
    return (
      <Fact
        key={device}
        label={t('side.peakOf', { device: name })}
        value={
          <button
            type='button'
            className='jump'
            title={t('side.goToPeak', { device: name })}
            onClick={() => void goToDeviceEvent(capture, device, peakEvent)}
          >
            {formatBytes(peakAllocatedBytes)}
          </button>
        }
        title={exactBytes(peakAllocatedBytes)}
      />
    )
  })
}
