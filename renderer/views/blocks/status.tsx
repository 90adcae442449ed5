// The block map's part of the status line.
import { usePaced } from '../../data/paced.ts'
import { formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { Part } from '../../panels/status-part.tsx'
import { isFiltering } from '../../state/filter.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { inputOf } from './actions.ts'
import { blocksData } from './blocks-data.ts'
import { blocksState, useBlocksState } from './blocks-state.ts'
import { blocksInSight } from './draw-blocks.ts'
import { hitTest } from './model.ts'
import { spanOf } from './model-input.ts'
import { useBlocksTexts } from './texts.ts'
import { totalsOf } from './totals.ts'

/** Blocks shown, bytes a line and a pixel, what lies under the pointer. */
export function BlocksStatus({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const data = usePaced(blocksData(capture.captureId))
  usePaced(blocksState(capture.captureId))
  const scaling = useBlocksState(capture.captureId, (state) => state.scaling)
  const filters = useView(capture.captureId, (view) => isFiltering(view.filter))
  const input = inputOf(capture)
  if (!input) return null
  const { picture, layout, visible } = input
  const inSight = blocksInSight(input)
  const hit = data.hover && hitTest(input, data.hover.xPx, data.hover.yPx)
  return (
    <>
      <Part label={t('status.blocks')}>{formatCount(totalsOf(picture.report).blocks)}</Part>
      {inSight === undefined ? (
        <span title={t('status.mergedMeaning')}>{t('status.merged')}</span>
      ) : (
        <Part label={t('status.inSight')}>{formatCount(inSight)}</Part>
      )}
      {picture.list.lineBytes > 0 && <Part label={t('status.line')}>{formatBytes(picture.list.lineBytes)}</Part>}
      {scaling !== 'normalise' && (
        <span>{t('status.perPixel', { bytes: formatBytes(Math.ceil(spanOf(visible) / layout.plot.widthPx)) })}</span>
      )}
      {filters && <span>{t('status.filtered')}</span>}
      {hit?.region === 'bar' && <Part label={t('status.pointer')}>{formatAddress(hit.address)}</Part>}
    </>
  )
}
