// The line below the picture: what is folded, how high rows are, and which level is shown.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { counted, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { isFiltering } from '../../state/filter.ts'
import { useView } from '../../state/use-view.ts'
import { unfold } from './actions.ts'
import { areHighEnough, canBeSingle, isFine, isSingle, leastMeanPx, mostBars, mostFoldedShare, notFine } from './assemble.ts'
import { type LifetimesData, lifetimesData } from './lifetimes-data.ts'
import type { Translate } from './texts.ts'
import { usePacedLifetimes, useTexts } from './use-lifetimes.ts'
import { zoomToSingle } from './zoom-to-single.ts'

/** Which level is shown, and when the other comes. */
function levelWords(look: Pick<LifetimesData, 'raster' | 'bars' | 'layout' | 'level'>, t: Translate): string {
  const { raster } = look
  if (!raster) return ''
  const { shown, folded } = raster.data
  if (isSingle(look)) return t('level.singleNow', counted(shown - folded))
  const reason = notFine(raster)
  if (reason === 'tooMany') return t('level.tooMany', { most: formatCount(mostBars), now: formatCount(shown) })
  if (reason === 'folded') return t('level.folded', { most: formatShare(mostFoldedShare, 1), now: formatShare(folded, shown) })
  if (reason === 'narrow') return t('level.singleFrom', { least: leastMeanPx, now: raster.meanPx.toFixed(1) })
  return look.bars && !areHighEnough(look) ? t('level.low') : t('level.heatChosen')
}

/** The line itself. */
export function FootLine({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts()
  const data = usePacedLifetimes(capture.captureId)
  const { raster, order } = data
  return (
    <div className='lifetimes-foot'>
      {raster && raster.data.folded > 0 ? (
        <button type='button' className='jump' title={t('foldedHint')} onClick={() => void unfold(capture)}>
          {t('folded', {
            count: raster.data.folded,
            allocations: formatCount(raster.data.folded),
            bytes: formatBytes(raster.data.foldedBytes),
          })}
        </button>
      ) : (
        <span>{t('foldedNone')}</span>
      )}
      <Matches capture={capture} />
      <span className='lifetimes-foot-rows'>{t(`rowNote.${order}`)}</span>
      <span className='spacer' />
      <span className='lifetimes-level' aria-live='polite' data-testid='lifetimes-level' data-level={isSingle(data) ? 'single' : 'heat'}>
        {levelWords(data, t)}
      </span>
      <LevelButton capture={capture} look={data} />
    </div>
  )
}

interface LevelButtonProps {
  readonly capture: CaptureSummary
  readonly look: LifetimesData
}

/** The way to the other level; where lifetimes cannot be told apart, to a place where they can. */
function LevelButton({ capture, look }: LevelButtonProps) {
  const t = useTexts()
  const { raster } = look
  if (!raster || raster.data.shown === 0) return null
  const choose = (level: LifetimesData['level']) => lifetimesData(capture.captureId).setState({ level })
  if (isSingle(look)) {
    return (
      <button type='button' className='tool-button' onClick={() => choose('heat')}>
        {t('level.showHeat')}
      </button>
    )
  }
  if (canBeSingle(raster) && !isFine(look)) {
    return (
      <button type='button' className='tool-button' onClick={() => choose('single')}>
        {t('level.showSingle')}
      </button>
    )
  }
  return (
    <button
      type='button'
      className='tool-button'
      title={t('level.zoomToSingleHint', { most: formatCount(mostBars) })}
      onClick={() => void zoomToSingle(capture)}
    >
      {t('level.zoomToSingle')}
    </button>
  )
}

/** How many allocations pass the filter, while one is set. */
function Matches({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts()
  const passing = useFocus(capture.captureId, (data) => data.passing?.count)
  const isFiltered = useView(capture.captureId, (view) => isFiltering(view.filter))
  if (!isFiltered || passing === undefined) return null
  return <span>{t('matches', counted(passing))}</span>
}
