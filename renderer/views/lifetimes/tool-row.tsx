// The row above the picture: where we are, the axis, what rows and cells are.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type LifetimeOrder, levelScaleSchema, lifetimeColorSchema, lifetimeMeasureSchema } from '../../../preload/contract/queries.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { Approximate } from '../../panels/approximate.tsx'
import { Chooser, Switch } from '../../panels/chooser.tsx'
import { AxisSwitch, Trail } from '../../panels/range-controls.tsx'
import { setColorBy, setOrder } from './actions.ts'
import { isSingle } from './assemble.ts'
import { naturalScale } from './heat.ts'
import { lifetimesData } from './lifetimes-data.ts'
import { useLifetimes, useTexts } from './use-lifetimes.ts'
import { byAddress } from './y-axis.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** Trail, axis, rows, row height, cell and its scale, colours of bars. */
export function ToolRow({ capture }: CaptureProps) {
  return (
    <div className='tool-row lifetimes-tools'>
      <Trail capture={capture} />
      <Approximate capture={capture} />
      <AxisSwitch capture={capture} />
      <RowsChooser capture={capture} />
      <CellChooser capture={capture} />
      <ColorChooser capture={capture} />
    </div>
  )
}

const rows = ['address', 'allocation', 'size', 'stack', 'category'] as const

function RowsChooser({ capture }: CaptureProps) {
  const t = useTexts()
  const order = useLifetimes(capture.captureId, (data) => data.order)
  const key = useKeyLabel('view.order')
  const choose = (each: LifetimeOrder) => setOrder(capture, each === 'address' ? 'address_sqrt' : each)
  return (
    <>
      <Chooser<LifetimeOrder>
        label={t('rows')}
        title={key === '' ? t('rowsHint') : `${t('rowsHint')} (${key})`}
        value={order === 'address_sqrt' ? 'address' : order}
        options={rows.map((value) => ({ value, label: t(`order.${value}`) }))}
        onChoose={choose}
      />
      {byAddress(order) && (
        <Chooser<LifetimeOrder>
          label={t('rowHeight')}
          title={t('rowHeightHint')}
          value={order}
          options={[
            { value: 'address_sqrt', label: t('rowHeightSqrt') },
            { value: 'address', label: t('rowHeightLinear') },
          ]}
          onChoose={(each) => setOrder(capture, each)}
        />
      )}
    </>
  )
}

/** What colours single lifetimes; there is nothing to choose while cells are shown. */
function ColorChooser({ capture }: CaptureProps) {
  useTexts()
  const colorBy = useLifetimes(capture.captureId, (data) => data.colorBy)
  const isShown = useLifetimes(capture.captureId, isSingle)
  const label = panelText('colorBy.label')
  const key = useKeyLabel('view.colorBy')
  if (!isShown) return null
  return (
    <Chooser
      label={label}
      title={`${label} (${key})`}
      value={colorBy}
      options={lifetimeColorSchema.options.map((value) => ({ value, label: panelText(`colorBy.${value}`) }))}
      onChoose={(value) => setColorBy(capture, value)}
    />
  )
}

/** Who asks for cells sees cells. */
function CellChooser({ capture }: CaptureProps) {
  const t = useTexts()
  const store = lifetimesData(capture.captureId)
  const measure = useLifetimes(capture.captureId, (data) => data.measure)
  const scale = useLifetimes(capture.captureId, (data) => data.scale ?? naturalScale(data.measure, data.order))
  return (
    <>
      <Chooser
        label={t('cell')}
        title={t('cellHint')}
        value={measure}
        options={lifetimeMeasureSchema.options.map((value) => ({ value, label: t(`measure.${value}`) }))}
        onChoose={(each) => store.setState({ measure: each, level: 'heat' })}
      />
      <Switch
        label={t('scaleHint')}
        value={scale}
        options={levelScaleSchema.options.map((value) => ({ value, label: t(`scale.${value}`) }))}
        onChoose={(each) => store.setState({ scale: each, level: 'heat' })}
      />
    </>
  )
}
