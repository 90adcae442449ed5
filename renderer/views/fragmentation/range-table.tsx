// The measures over the selected range in numbers.
import { exactBytes, formatBytes, formatCount, unknownValue } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { useFragmentation } from './fragmentation-data.ts'
import { isMeanExact, type RangeMeasure, rangeMeasures, rangeStats } from './range-stats.ts'
import { useFragmentationTexts } from './texts.ts'

/** The table; nothing while no range is selected. */
export function RangeTable({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const range = useView(capture.captureId, (view) => view.selectedRange)
  const axis = useView(capture.captureId, (view) => view.axis)
  const device = useView(capture.captureId, (view) => view.device)
  const answered = useFragmentation(capture.captureId, (data) => data.ranged)
  if (!range || !answered || answered.axis !== axis || answered.device !== device) return null
  const { data } = answered
  const isPending = answered.range.x0 !== range.x0 || answered.range.x1 !== range.x1
  const isExact = isMeanExact(data)
  return (
    <section aria-labelledby='frag-range-title'>
      <h2 id='frag-range-title' className='frag-head'>
        {t('range.title')}
      </h2>
      <div className='frag-scroll'>
        <table className='data-table frag-table range' data-testid='fragmentation-range'>
          <thead>
            <tr>
              {(['measure', 'minimum', 'mean', 'maximum'] as const).map((head) => (
                <th key={head} scope='col'>
                  {head === 'mean' && !isExact ? `≈ ${t('range.mean')}` : t(`range.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={isPending ? 'pending' : undefined}>
            {rangeMeasures.map((measure) => (
              <MeasureLine key={measure} name={nameOf(measure, t)} measure={measure} stats={rangeStats(data, measure)} />
            ))}
          </tbody>
        </table>
      </div>
      {!isExact && <p className='frag-note'>{t('range.note')}</p>}
    </section>
  )
}

function nameOf(measure: RangeMeasure, t: ReturnType<typeof useFragmentationTexts>): string {
  return measure === 'reserved' ? plotText('curve.reserved') : t(`column.${measure}`)
}

interface MeasureProps {
  readonly name: string
  readonly measure: RangeMeasure
  readonly stats: ReturnType<typeof rangeStats>
}

function MeasureLine({ name, measure, stats }: MeasureProps) {
  const cell = (value: number | undefined) => {
    if (value === undefined) return <td>{unknownValue}</td>
    const whole = Math.round(value)
    return measure === 'freeBlocks' ? <td>{formatCount(whole)}</td> : <td title={exactBytes(whole)}>{formatBytes(whole)}</td>
  }
  return (
    <tr>
      <th scope='row'>{name}</th>
      {cell(stats?.least)}
      {cell(stats?.mean)}
      {cell(stats?.most)}
    </tr>
  )
}
