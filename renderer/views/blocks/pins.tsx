// "Who pins this segment": the few live blocks that keep poorly used segments from being given back.
import type { SpaceReport } from '../../../preload/contract/queries.ts'
import { formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { showSegment } from './actions.ts'
import { useBlocksState } from './blocks-state.ts'
import { holdersOf } from './holders.ts'
import { mainHolder } from './main-holder.ts'
import { type Translate, useBlocksTexts } from './texts.ts'
import { useOfMoment } from './use-of-moment.ts'

const worstShown = 3

type Pin = SpaceReport['pins'][number]

/** The holders of the selected segment, else of the segments with most free bytes. */
export function Pins({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const segment = useBlocksState(captureId, (state) => state.segment)
  const { value: report, isPending } = useOfMoment(captureId, (data) => data.report)
  if (!report) return null
  const { pins } = report.value
  const chosen = pins.filter(({ segmentAddress }) => segmentAddress === segment)
  if (segment === undefined && pins.length === 0) return null
  const more = segment === undefined ? pins.length - worstShown : 0
  return (
    <section className={isPending ? 'panel-section pending' : 'panel-section'} aria-labelledby='blocks-pins'>
      <h2 id='blocks-pins'>{segment === undefined ? t('pins.worst') : t('pins.selected')}</h2>
      {segment !== undefined && chosen.length === 0 && <p className='panel-note'>{t('pins.none')}</p>}
      {segment === undefined && <p className='panel-note'>{summaryOf(pins, t)}</p>}
      {(segment === undefined ? pins.slice(0, worstShown) : chosen).map((pin) => (
        <PinnedSegment key={pin.segmentAddress} capture={capture} pin={pin} />
      ))}
      {more > 0 && <p className='panel-note'>{t('pins.moreSegments', { count: more, shown: formatCount(more) })}</p>}
    </section>
  )
}

/** All poorly used segments in a sentence, and whose blocks keep most of them. */
function summaryOf(pins: readonly Pin[], t: Translate): string {
  const { title, place, isAll } = mainHolder(pins)
  const sum = (pick: (pin: Pin) => number): number => pins.reduce((all, pin) => all + pick(pin), 0)
  const values = {
    count: pins.length,
    shown: formatCount(pins.length),
    live: formatBytes(sum(({ activeBytes }) => activeBytes)),
    free: formatBytes(sum(({ freeBytes }) => freeBytes)),
    stack: `${stackTitle(title)} ${place}`.trim(),
  }
  return `${t('pins.summary', values)} ${t(isAll ? 'pins.allFrom' : 'pins.mostFrom', values)}`
}

function PinnedSegment({ capture, pin }: ViewProps & { readonly pin: Pin }) {
  const t = useBlocksTexts()
  return (
    <div className='blocks-pin'>
      <button type='button' className='jump mono' title={t('pins.show')} onClick={() => showSegment(capture, pin.segmentAddress)}>
        {formatAddress(pin.segmentAddress)}
      </button>
      <p className='panel-note'>
        {t('pins.keeps', {
          live: formatCount(pin.activeCount),
          bytes: formatBytes(pin.activeBytes),
          free: formatBytes(pin.freeBytes),
          total: formatBytes(pin.totalBytes),
        })}
      </p>
      <Holders capture={capture} pin={pin} />
    </div>
  )
}

const mostStacks = 5

/** The stacks that hold on to a segment, one row each. */
function Holders({ capture, pin }: ViewProps & { readonly pin: Pin }) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const selected = useView(captureId, (view) => view.selectedAllocation)
  const shown = holdersOf(pin).slice(0, mostStacks)
  const more = pin.activeCount - shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className='blocks-holders'>
      {shown.map(({ title, place, count, bytes, allocationId }) => (
        <li key={`${title} ${place}`}>
          <button
            type='button'
            aria-pressed={selected === allocationId}
            title={t('pins.selectLargest', { stack: `${stackTitle(title)} ${place}`.trim() })}
            onClick={() => patchView(captureId, { selectedAllocation: allocationId, showDetails: true })}
          >
            <span className='truncate'>
              <span className='t1'>{stackTitle(title)}</span> <span className='weak'>{place}</span>
            </span>
            <span className='t1'>{count === 1 ? formatBytes(bytes) : `× ${formatCount(count)}, ${formatBytes(bytes)}`}</span>
          </button>
        </li>
      ))}
      {more > 0 && <li className='weak'>{t('pins.more', { count: more, shown: formatCount(more) })}</li>}
    </ul>
  )
}
