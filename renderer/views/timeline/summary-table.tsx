// Below the picture: the curves in numbers over what is visible or selected, what was made and freed, and the top stacks.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { RangeStats } from '../../../preload/contract/queries.ts'
import { counted, exactBytes, formatBytes, formatCount, formatShare, formatSignedBytes } from '../../i18n/format.ts'
import { panelText, plotText } from '../../i18n/part-texts.ts'
import { curvesOf } from '../../plot/curve-lines.ts'
import { stackTitle } from '../../plot/legend.ts'
import { isFiltering } from '../../state/filter.ts'
import { goToEvent } from '../../state/go-to.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { cssColor, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import { useTexts, useTimeline, useTopStacks } from './use-timeline.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

const shownStacks = 6

/** Both tables, side by side. */
export function SummaryTable({ capture }: CaptureProps) {
  return (
    <div className='timeline-summary'>
      <CurveTable capture={capture} />
      <StackTable capture={capture} />
    </div>
  )
}

function CurveTable({ capture }: CaptureProps) {
  const t = useTexts()
  const stats = useTimeline(capture.captureId, (data) => data.stats)
  const ofSelection = useTimeline(capture.captureId, (data) => data.statsOfSelection)
  const known = stats === 'no events' ? undefined : stats
  const device = useDevice(capture)
  const jump = (event: number) => void goToEvent(capture.captureId, Math.max(0, event))
  return (
    <table className='data-table curves'>
      {stats === 'no events' && <caption>{ofSelection ? t('noEventsInSelection') : t('noEventsInView')}</caption>}
      <thead>
        <tr>
          <th scope='col'>{ofSelection ? t('inSelection') : t('inView')}</th>
          <th scope='col'>{t('minimum')}</th>
          <th scope='col'>{t('mean')}</th>
          <th scope='col'>{t('maximum')}</th>
          <th scope='col'>{t('atEvent')}</th>
        </tr>
      </thead>
      <tbody>
        {(device ? curvesOf(device) : []).map(({ name }) => (
          <tr key={name}>
            <th scope='row'>{plotText(`curve.${name}`)}</th>
            <CurveCells range={known?.curves[name]} onJump={jump} />
          </tr>
        ))}
        <Totals stats={known} />
      </tbody>
    </table>
  )
}

function CurveCells({
  range,
  onJump,
}: {
  readonly range: RangeStats['curves']['active'] | undefined
  readonly onJump: (event: number) => void
}) {
  if (!range) return <td colSpan={4}>—</td>
  return (
    <>
      <td title={exactBytes(range.min)}>
        <button
          type='button'
          className='jump plain'
          title={panelText('goToEvent', { event: formatCount(range.minEvent) })}
          onClick={() => onJump(range.minEvent)}
        >
          {formatBytes(range.min)}
        </button>
      </td>
      <td title={exactBytes(Math.round(range.mean))}>{formatBytes(range.mean)}</td>
      <td className='strong' title={exactBytes(range.max)}>
        {formatBytes(range.max)}
      </td>
      <td>
        {range.maxEvent < 0 ? (
          '—'
        ) : (
          <button
            type='button'
            className='jump'
            title={panelText('goToEvent', { event: formatCount(range.maxEvent) })}
            onClick={() => onJump(range.maxEvent)}
          >
            {formatCount(range.maxEvent)}
          </button>
        )}
      </td>
    </>
  )
}

function Totals({ stats }: { readonly stats: RangeStats | undefined }) {
  const t = useTexts()
  return (
    <>
      <tr>
        <th scope='row'>{t('allocations')}</th>
        <td colSpan={4}>{stats ? `${t('made', counted(stats.allocatedCount))} · ${t('freed', counted(stats.freedCount))}` : '—'}</td>
      </tr>
      <tr>
        <th scope='row'>{t('bytes')}</th>
        <td colSpan={4} title={stats && exactBytes(stats.netBytes)}>
          {stats && (
            <>
              {formatSignedBytes(stats.allocatedBytes)} · {formatSignedBytes(-stats.freedBytes)} ·{' '}
              <span className='t1'>
                {t('net')} {formatSignedBytes(stats.netBytes)}
              </span>
            </>
          )}
        </td>
      </tr>
    </>
  )
}

function StackTable({ capture }: CaptureProps) {
  const t = useTexts()
  const tokens = useTokens()
  const stats = useTimeline(capture.captureId, (data) => data.stats)
  const ofSelection = useTimeline(capture.captureId, (data) => data.statsOfSelection)
  const { top, isAtPeak, isPending } = useTopStacks(capture)
  const inRange = ofSelection && stats !== undefined
  const range = inRange && stats !== 'no events' ? { stacks: stats.topStacks, totalBytes: stats.allocatedBytes } : undefined
  const { stacks, totalBytes } = (inRange ? range : top) ?? { stacks: [], totalBytes: 0 }
  const isFiltered = useView(capture.captureId, (view) => isFiltering(view.filter))
  const isTrace = capture.trace !== null
  const heading = inRange ? t('topInRange') : isAtPeak || !top ? t('topAtPeak') : t('topAtEvent', { event: formatCount(top.event) })
  const title = isFiltered ? `${heading} · ${t('unfiltered')}` : heading
  return (
    <table className='data-table stacks'>
      <thead>
        <tr>
          <th scope='col' title={title}>
            {title}
          </th>
          <th scope='col'>{t('count')}</th>
          <th scope='col'>{t('bytes')}</th>
          <th scope='col'>{t('share')}</th>
        </tr>
      </thead>
      <tbody className={!inRange && isPending ? 'pending' : undefined}>
        {stacks.slice(0, shownStacks).map((stack) => (
          <tr key={stack.stackId}>
            <th scope='row' className='stack-cell' title={`${stackTitle(stack.title, isTrace)} ${stack.place}`}>
              <span className='swatch' style={{ background: cssColor(slotColor(tokens, 'stack', stack.slot) ?? [0, 0, 0]) }} />
              <strong>{stackTitle(stack.title, isTrace)}</strong> <span className='weak'>{stack.place}</span>
            </th>
            <td>{formatCount(stack.count)}</td>
            <td title={exactBytes(stack.bytes)}>{formatBytes(stack.bytes)}</td>
            <td className='weak'>{formatShare(stack.bytes, totalBytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
