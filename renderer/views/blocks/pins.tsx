// "Who pins this segment": the few live blocks that keep poorly used segments from being given back.
import type { SpaceReport } from '../../../preload/contract/queries.ts'
import { formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { showSegment } from './actions.ts'
import { useBlocksData } from './blocks-data.ts'
import { useBlocksState } from './blocks-state.ts'
import { mainHolder } from './main-holder.ts'
import { type Translate, useBlocksTexts } from './texts.ts'

const worstShown = 3

type Pin = SpaceReport['pins'][number]

/** The holders of the selected segment, else of the segments with most free bytes. */
export function Pins({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const segment = useBlocksState(captureId, (state) => state.segment)
  const report = useBlocksData(captureId, (data) => data.report)
  if (!report) return null
  const { pins } = report.value
  const chosen = pins.filter(({ segmentAddress }) => segmentAddress === segment)
  if (segment === undefined && pins.length === 0) return null
  return (
    <section className='panel-section' aria-labelledby='blocks-pins'>
      <h2 id='blocks-pins'>{segment === undefined ? t('pins.worst') : t('pins.selected')}</h2>
      {segment !== undefined && chosen.length === 0 && <p className='panel-note'>{t('pins.none')}</p>}
      {segment === undefined && <p className='panel-note'>{summaryOf(pins, t)}</p>}
      {(segment === undefined ? pins.slice(0, worstShown) : chosen).map((pin) => (
        <PinnedSegment key={pin.segmentAddress} capture={capture} pin={pin} />
      ))}
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
    live: formatBytes(sum(({ liveBytes }) => liveBytes)),
    free: formatBytes(sum(({ freeBytes }) => freeBytes)),
    stack: `${stackTitle(title)} ${place}`.trim(),
  }
  return `${t('pins.summary', values)} ${t(isAll ? 'pins.allFrom' : 'pins.mostFrom', values)}`
}

function PinnedSegment({ capture, pin }: ViewProps & { readonly pin: Pin }) {
  const t = useBlocksTexts()
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  const more = pin.liveCount - pin.holders.length
  return (
    <div className='blocks-pin'>
      <button type='button' className='jump mono' title={t('pins.show')} onClick={() => showSegment(capture, pin.segmentAddress)}>
        {formatAddress(pin.segmentAddress)}
      </button>
      <p className='panel-note'>
        {t('pins.keeps', {
          live: formatCount(pin.liveCount),
          bytes: formatBytes(pin.liveBytes),
          free: formatBytes(pin.freeBytes),
          total: formatBytes(pin.totalBytes),
        })}
      </p>
      <ul className='blocks-holders'>
        {pin.holders.map((holder) => (
          <li key={holder.allocationId}>
            <button
              type='button'
              aria-pressed={selected === holder.allocationId}
              title={`${holder.title} ${holder.place}`.trim()}
              onClick={() => patchView(capture.captureId, { selectedAllocation: holder.allocationId, showDetails: true })}
            >
              <span className='truncate'>
                <span className='t1'>{stackTitle(holder.title)}</span> <span className='weak'>{holder.place}</span>
              </span>
              <span className='t1'>{formatBytes(holder.sizeBytes)}</span>
            </button>
          </li>
        ))}
        {more > 0 && <li className='weak'>{t('pins.more', { count: more, shown: formatCount(more) })}</li>}
      </ul>
    </div>
  )
}
