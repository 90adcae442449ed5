// What colours and patterns mean, with the bytes of each.
import { useTotals } from '../../categories/totals.ts'
import { counted, exactBytes, formatBytes, formatShare } from '../../i18n/format.ts'
import { ScaleBar } from '../../panels/scale-bar.tsx'
import { useDevice } from '../../state/use-view.ts'
import { cssColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { useBlocksData } from './blocks-data.ts'
import { useBlocksState } from './blocks-state.ts'
import { colorLegend, stateLegend } from './legend.ts'
import { useBlocksTexts } from './texts.ts'
import { totalsOf } from './totals.ts'
import { useOfMoment } from './use-of-moment.ts'

/** States always; the colours of the way chosen, where that is another. */
export function LegendSection({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const tokens = useTokens()
  const { captureId } = capture
  const device = useDevice(capture)
  const colorBy = useBlocksState(captureId, (state) => state.colorBy)
  const picture = useBlocksData(captureId, (data) => data.picture)
  const { value: stacks, isPending } = useOfMoment(captureId, (data) => data.topStacks)
  const isByCategory = picture !== undefined && colorBy === 'category'
  const categories = useTotals(captureId, isByCategory ? { device: picture.device, event: picture.event } : undefined)
  if (!picture || !device) return null
  const totals = totalsOf(picture.report)
  const legend = colorLegend({
    capture,
    colorBy,
    tokens,
    stacks: stacks?.value,
    held: categories.answer?.totals.categories,
    picture,
    totals,
    largestBytes: device.peakAllocatedBytes,
  })
  const isLate = (isPending && colorBy === 'stack') || (isByCategory && categories.isPending)
  return (
    <>
      <section className='panel-section' aria-labelledby='blocks-legend'>
        <h2 id='blocks-legend'>{t('legend.states')}</h2>
        <ul className='blocks-legend'>
          {stateLegend(totals, t).map(({ state, title, bytes }) => (
            <li key={state} title={exactBytes(bytes)}>
              <span className={`blocks-swatch ${state} ${colorBy === 'state' ? '' : 'grey'}`} aria-hidden='true' />
              <span className='truncate'>{title}</span>
              <span className='t1'>{formatBytes(bytes)}</span>
            </li>
          ))}
        </ul>
      </section>
      {legend && (
        <section className={isLate ? 'panel-section pending' : 'panel-section'} aria-labelledby='blocks-colors'>
          <h2 id='blocks-colors'>{t(`colorBy.${colorBy}`)}</h2>
          {legend.kind === 'swatches' ? (
            <ul className='blocks-legend'>
              {legend.swatches.map(({ key, color, title, place, bytes }) => (
                <li key={key} title={`${title} ${place}`.trim()}>
                  <span className='swatch' style={{ background: cssColor(color) }} />
                  <span className='truncate'>
                    {title} {place !== '' && <span className='weak'>{place}</span>}
                  </span>
                  {bytes !== undefined && (
                    <span className='t1' title={formatShare(bytes, totals.allocated)}>
                      {formatBytes(bytes)}
                    </span>
                  )}
                </li>
              ))}
              {legend.more > 0 && <li className='weak'>{t('legend.more', counted(legend.more))}</li>}
            </ul>
          ) : (
            <ScaleBar scale={legend} />
          )}
        </section>
      )}
    </>
  )
}
