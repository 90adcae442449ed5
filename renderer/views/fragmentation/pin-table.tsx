// "Who pins this segment": the segments with most stranded bytes, and the few live blocks that keep each from being given back.
import type { SpaceReport } from '../../../preload/contract/queries.ts'
import { exactBytes, formatAddress, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { showAddress, showHolder } from './actions.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

type Pin = SpaceReport['pins'][number]
const columnCount = 4

/** The table; a sentence where no segment is pinned. */
export function PinTable({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const { report, isPending } = useReport(capture)
  if (!report) return null
  const { pins } = report.value
  return (
    <section aria-labelledby='frag-pins-title'>
      <h2 id='frag-pins-title' className='frag-head'>
        {t('pins.title')}
      </h2>
      <p className='frag-note'>{pins.length === 0 ? t('pins.none') : t('pins.meaning')}</p>
      {pins.length > 0 && (
        <table className='data-table frag-table pins' data-testid='fragmentation-pins'>
          <thead>
            <tr>
              <th scope='col'>{t('pins.segment')}</th>
              <th scope='col'>{t('pins.free')}</th>
              <th scope='col'>{t('pins.total')}</th>
              <th scope='col'>{t('pins.keptBy')}</th>
            </tr>
          </thead>
          {pins.map((pin) => (
            <PinnedSegment key={pin.segmentAddress} capture={capture} pin={pin} isPending={isPending} />
          ))}
        </table>
      )}
    </section>
  )
}

function PinnedSegment({ capture, pin, isPending }: ViewProps & { readonly pin: Pin; readonly isPending: boolean }) {
  const t = useFragmentationTexts()
  const more = pin.liveCount - pin.holders.length
  return (
    <tbody className={isPending ? 'pending' : undefined}>
      <tr className='frag-pin'>
        <th scope='row'>
          <button type='button' className='jump mono' title={t('showInBlocks')} onClick={() => showAddress(capture, pin.segmentAddress)}>
            {formatAddress(pin.segmentAddress)}
          </button>
        </th>
        <td title={exactBytes(pin.freeBytes)}>
          <b className='t1'>{formatBytes(pin.freeBytes)}</b> <span className='weak'>{formatShare(pin.freeBytes, pin.totalBytes)}</span>
        </td>
        <td title={exactBytes(pin.totalBytes)}>{formatBytes(pin.totalBytes)}</td>
        <td title={exactBytes(pin.liveBytes)}>
          {t('pins.live', { count: formatCount(pin.liveCount), bytes: formatBytes(pin.liveBytes) })}
        </td>
      </tr>
      {pin.holders.map((holder) => (
        <Holder key={holder.allocationId} capture={capture} holder={holder} />
      ))}
      {more > 0 && (
        <tr className='frag-holder'>
          <td colSpan={columnCount} className='weak'>
            {t('pins.more', { count: more, blocks: formatCount(more) })}
          </td>
        </tr>
      )}
    </tbody>
  )
}

function Holder({ capture, holder }: ViewProps & { readonly holder: Pin['holders'][number] }) {
  const t = useFragmentationTexts()
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  const { allocationId, title, place, sizeBytes, sinceEvent } = holder
  const since = sinceEvent === null ? t('pins.before') : t('pins.since', { event: formatCount(sinceEvent) })
  return (
    <tr className={selected === allocationId ? 'frag-holder selected' : 'frag-holder'}>
      <td colSpan={columnCount}>
        <button
          type='button'
          aria-pressed={selected === allocationId}
          title={`${`${title} ${place}`.trim()}\n${exactBytes(sizeBytes)}\n${t('pins.select')}`}
          onClick={() => showHolder(capture, allocationId)}
        >
          <span className='truncate'>
            <strong className='t1'>{stackTitle(title)}</strong> <span className='weak'>{place}</span>
          </span>
          <span className='weak'>{since}</span>
          <span className='t1'>{formatBytes(sizeBytes)}</span>
        </button>
      </td>
    </tr>
  )
}
