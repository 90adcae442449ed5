// The row above the picture: which moment, order, colours, scale.
import { blockColorSchema, segmentOrderSchema } from '../../../preload/contract/queries.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { counted, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { Approximate } from '../../panels/approximate.tsx'
import { Chooser, Switch } from '../../panels/chooser.tsx'
import { shownEvent } from '../../state/moment.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import type { Range } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { fitAll, setColorBy, setOrder, setScaling } from './actions.ts'
import { useBlocksData } from './blocks-data.ts'
import { useBlocksState } from './blocks-state.ts'
import type { Scaling } from './lines.ts'
import { useBlocksTexts } from './texts.ts'

const scalings: readonly Scaling[] = ['scale', 'normalise', 'compact']

/** Trail and choosers. */
export function ToolRow({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const chosen = useBlocksState(captureId, (state) => state.order)
  const suited = useBlocksData(captureId, (data) => data.picture?.order ?? 'address')
  const order = chosen ?? suited
  const isSuited = chosen === undefined && order !== 'address'
  const scaling = useBlocksState(captureId, (state) => state.scaling)
  const colorBy = useBlocksState(captureId, (state) => state.colorBy)
  const hidden = useBlocksData(captureId, (data) => data.picture?.list.hidden ?? 0)
  const leftOut = useBlocksData(captureId, (data) => data.picture?.segments.leftOut ?? 0)
  const colorKey = useKeyLabel('view.colorBy')
  const orderKey = useKeyLabel('view.order')
  return (
    <div className='tool-row blocks-tools'>
      <Trail capture={capture} />
      <Approximate capture={capture} />
      {hidden > 0 && <span className='weak blocks-hidden'>{t('hidden', counted(hidden))}</span>}
      {leftOut > 0 && <span className='weak blocks-hidden'>{t('leftOut', counted(leftOut))}</span>}
      <Chooser
        label={t('orderBy.label')}
        title={isSuited ? t('orderBy.suitedWhy') : `${t('orderBy.label')} (${orderKey})`}
        value={order}
        options={segmentOrderSchema.options.map((value) => ({
          value,
          label: isSuited && value === order ? t('orderBy.suited', { order: t(`orderBy.${value}`) }) : t(`orderBy.${value}`),
        }))}
        onChoose={(value) => setOrder(capture, value)}
      />
      <Chooser
        label={t('colorBy.label')}
        title={`${t('colorBy.label')} (${colorKey})`}
        value={colorBy}
        options={blockColorSchema.options.map((value) => ({ value, label: t(`colorBy.${value}`) }))}
        onChoose={(value) => setColorBy(capture, value)}
      />
      <Switch
        label={t('scaling.label')}
        title={t('scaling.hint')}
        value={scaling}
        options={scalings.map((value) => ({ value, label: t(`scaling.${value}`) }))}
        onChoose={(value) => setScaling(capture, value)}
      />
    </div>
  )
}

/** A stretch of the lines: bytes, or shares of the segment where rows are stretched. */
function stretchText({ x0, x1 }: Range, longest: number, scaling: Scaling): string {
  const text = (x: number): string => (scaling === 'normalise' ? formatShare(x, longest) : formatBytes(x))
  return `${text(x0)} – ${text(x1)}`
}

function Trail({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const event = useView(captureId, (view) => (device ? shownEvent(view, device) : -1)) ?? -1
  const visible = useBlocksState(captureId, (state) => state.visible)
  const scaling = useBlocksState(captureId, (state) => state.scaling)
  const list = useBlocksData(captureId, (data) => data.picture?.list)
  const isOom = device?.ooms.some((oom) => oom.event === event) ?? false
  const name = event < 0 ? t(device?.eventCount === 0 ? 'atDump' : 'beforeFirst') : t('afterEvent', { event: formatCount(event) })
  return (
    <nav className='trail' aria-label={t('trail')}>
      {visible && (
        <>
          <button type='button' className='trail-button' onClick={() => fitAll(capture)}>
            {t('allShort')}
          </button>
          <span aria-hidden='true'>›</span>
          <span>{stretchText(visible, list?.longest ?? 0, scaling)}</span>
          <span aria-hidden='true'>›</span>
        </>
      )}
      <span className='t1 truncate'>{name}</span>
      {isOom && <span className='bad strong'>▲ {t('outOfMemory')}</span>}
    </nav>
  )
}
