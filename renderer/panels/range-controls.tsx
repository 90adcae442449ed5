// Controls of the horizontal axis for a view's tool row.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { useKeyLabel } from '../commands/use-commands.ts'
import { fitAll, showRange, switchAxis } from '../focus/range-actions.ts'
import { formatCount, formatTime } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { endsOf, sameRange, spanOf } from '../plot/scales.ts'
import { timeLabels } from '../plot/ticks.ts'
import { useDevice, usePacedView, useView } from '../state/use-view.ts'
import { patchView, type Range } from '../state/view-state.ts'
import { Switch } from './chooser.tsx'

interface CaptureProps {
  readonly capture: CaptureSummary
}

function rangeLabel(range: Range, axis: 'event' | 'time', count: number): string {
  if (axis === 'event') {
    const [first, last] = endsOf(count, range)
    return `${formatCount(first)} – ${formatCount(last)}`
  }
  const [from, to] = timeLabels([range.x0, range.x1]).map(({ text }) => text)
  return `${from ?? ''} – ${to ?? ''}`
}

/** Where the view is: all, the visible range, the selected range. */
export function Trail({ capture }: CaptureProps) {
  const t = usePanelTexts()
  const view = usePacedView(capture.captureId)
  const device = useDevice(capture)
  if (!view || (!device && !capture.trace)) return null
  const count = device?.eventCount ?? 0
  const { visible, full, selectedRange, axis } = view
  const name = axis === 'event' ? t('eventsRange') : t('timeRange')
  const isAll = sameRange(visible, full)
  return (
    <nav className='trail' aria-label={t('trail')}>
      {isAll ? (
        <span className='t1'>
          {capture.trace && axis === 'time'
            ? t('allTime', { time: formatTime(spanOf(full)) })
            : t('allEvents', { events: formatCount(count) })}
        </span>
      ) : (
        <>
          <button type='button' className='trail-button' onClick={() => fitAll(capture)}>
            {t('allShort')}
          </button>
          <span aria-hidden='true'>›</span>
          <span className='t1'>
            {name} {rangeLabel(visible, axis, count)}
          </span>
        </>
      )}
      {selectedRange && (
        <>
          <span aria-hidden='true'>›</span>
          <button type='button' className='trail-button t1' title={t('zoomToSelection')} onClick={() => showRange(capture, selectedRange)}>
            {t('selected')} {rangeLabel(selectedRange, axis, count)}
          </button>
          <button
            type='button'
            className='trail-button'
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

/** Events or time along the horizontal axis. */
export function AxisSwitch({ capture }: CaptureProps) {
  const t = usePanelTexts()
  const axis = useView(capture.captureId, (view) => view.axis)
  const key = useKeyLabel('view.switchAxis')
  const reason = capture.hasTimes ? `${t('switchAxis')} (${key})` : t('noTimes')
  return (
    <Switch
      label={t('switchAxis')}
      title={reason}
      value={axis ?? 'event'}
      options={[
        { value: 'time', label: t('timeRange'), disabled: !capture.hasTimes },
        { value: 'event', label: t('eventsRange') },
      ]}
      onChoose={(each) => void switchAxis(capture, each)}
    />
  )
}
