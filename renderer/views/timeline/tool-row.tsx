// The row above the picture: where we are, the axis, what the colours show, jumps.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { colorBySchema } from '../../../preload/contract/queries.ts'
import { runCommand } from '../../commands/registry.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { formatCount } from '../../i18n/format.ts'
import { useView } from '../../state/use-view.ts'
import { patchView, type Range } from '../../state/view-state.ts'
import { fitAll, setColorBy, showRange, switchAxis } from './actions.ts'
import { endsOf, sameRange } from './scales.ts'
import { timeLabels } from './ticks.ts'
import { useDevice, usePacedView, useTexts, useTimeline } from './use-timeline.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** Trail, axis switch, colour chooser. */
export function ToolRow({ capture }: CaptureProps) {
  return (
    <div className='timeline-tools'>
      <Trail capture={capture} />
      <Jumps capture={capture} />
      <HeightSwitch capture={capture} />
      <AxisSwitch capture={capture} />
      <ColorChooser capture={capture} />
    </div>
  )
}

function rangeLabel(range: Range, axis: 'event' | 'time', count: number): string {
  if (axis === 'event') {
    const [first, last] = endsOf(count, range)
    return `${formatCount(first)} – ${formatCount(last)}`
  }
  const [from, to] = timeLabels([range.x0, range.x1]).map(({ text }) => text)
  return `${from ?? ''} – ${to ?? ''}`
}

function Trail({ capture }: CaptureProps) {
  const t = useTexts()
  const view = usePacedView(capture.captureId)
  const device = useDevice(capture)
  if (!view || !device) return null
  const { visible, full, selectedRange, axis } = view
  const name = axis === 'event' ? t('eventsRange') : t('timeRange')
  const isAll = sameRange(visible, full)
  return (
    <nav className='timeline-trail' aria-label={t('trail')}>
      {isAll ? (
        <span className='t1'>{t('allEvents', { events: formatCount(device.eventCount) })}</span>
      ) : (
        <>
          <button type='button' className='timeline-trail-button' onClick={() => fitAll(capture)}>
            {t('allShort')}
          </button>
          <span aria-hidden='true'>›</span>
          <span className='t1'>
            {name} {rangeLabel(visible, axis, device.eventCount)}
          </span>
        </>
      )}
      {selectedRange && (
        <>
          <span aria-hidden='true'>›</span>
          <button
            type='button'
            className='timeline-trail-button t1'
            title={t('zoomToSelection')}
            onClick={() => showRange(capture, selectedRange)}
          >
            {t('selected')} {rangeLabel(selectedRange, axis, device.eventCount)}
          </button>
          <button
            type='button'
            className='timeline-trail-button'
            aria-label={t('clearRange')}
            title={t('clearRange')}
            onClick={() => patchView(capture.captureId, { selectedRange: undefined })}
          >
            ×
          </button>
        </>
      )}
    </nav>
  )
}

function Jumps({ capture }: CaptureProps) {
  const t = useTexts()
  const device = useDevice(capture)
  const peakKey = useKeyLabel('go.peak')
  const oomKey = useKeyLabel('go.nextOom')
  return (
    <>
      <button
        type='button'
        className='timeline-button'
        disabled={(device?.peakEvent ?? -1) < 0}
        title={`${t('goToPeak')} (${peakKey})`}
        onClick={() => runCommand('go.peak')}
      >
        {t('peak')}
      </button>
      {device && device.ooms.length > 0 && (
        <button
          type='button'
          className='timeline-button bad'
          title={`${t('goToOom')} (${oomKey})`}
          onClick={() => runCommand('go.nextOom')}
        >
          ▲ {t('oomShort')}
        </button>
      )}
    </>
  )
}

function HeightSwitch({ capture }: CaptureProps) {
  const t = useTexts()
  const isOn = useTimeline(capture.captureId, (data) => data.fitsHeight)
  const key = useKeyLabel('view.fitHeight')
  return (
    <button
      type='button'
      className='timeline-button'
      aria-pressed={isOn}
      title={`${t('fitHeightHint')} (${key})`}
      onClick={() => runCommand('view.fitHeight')}
    >
      {t('fitHeight')}
    </button>
  )
}

function AxisSwitch({ capture }: CaptureProps) {
  const t = useTexts()
  const axis = useView(capture.captureId, (view) => view.axis)
  const key = useKeyLabel('view.switchAxis')
  const reason = capture.hasTimes ? `${t('switchAxis')} (${key})` : t('noTimes')
  return (
    <fieldset className='timeline-switch' title={reason}>
      <legend className='visually-hidden'>{t('switchAxis')}</legend>
      {(['time', 'event'] as const).map((each) => (
        <button
          key={each}
          type='button'
          aria-pressed={axis === each}
          disabled={each === 'time' && !capture.hasTimes}
          onClick={() => void switchAxis(capture, each)}
        >
          {each === 'time' ? t('timeRange') : t('eventsRange')}
        </button>
      ))}
    </fieldset>
  )
}

function ColorChooser({ capture }: CaptureProps) {
  const t = useTexts()
  const colorBy = useView(capture.captureId, (view) => view.colorBy)
  const key = useKeyLabel('view.colorBy')
  return (
    <label className='timeline-chooser' title={`${t('colorBy.label')} (${key})`}>
      <span>{t('colorBy.label')}</span>
      <select value={colorBy ?? 'stack'} onChange={(event) => setColorBy(capture, colorBySchema.parse(event.target.value))}>
        {colorBySchema.options.map((option) => (
          <option key={option} value={option}>
            {t(`colorBy.${option}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
