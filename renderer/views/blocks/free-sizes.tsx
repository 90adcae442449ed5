// Free blocks by size: how many there are of each, on a logarithmic scale.
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import type { ViewProps } from '../view.ts'
import { mergedSizes } from './size-bins.ts'
import { useBlocksTexts } from './texts.ts'
import { useOfMoment } from './use-of-moment.ts'

/** One row a size class; wide ranges are merged so that the list stays short. */
export function FreeSizes({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { value: report, isPending } = useOfMoment(capture.captureId, (data) => data.report)
  if (!report || report.value.freeSizes.length === 0) return null
  const bins = mergedSizes(report.value.freeSizes)
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <section className={isPending ? 'panel-section pending' : 'panel-section'} aria-labelledby='blocks-sizes'>
      <div className='panel-head'>
        <h2 id='blocks-sizes'>{t('sizes.title')}</h2>
        <span>{t('sizes.scale')}</span>
      </div>
      <ul className='blocks-sizes'>
        {bins.map(({ fromBytes, toBytes, count, bytes }) => (
          <li
            key={fromBytes}
            title={t('sizes.row', {
              ...counted(count),
              bytes: formatBytes(bytes),
              from: formatBytes(fromBytes),
              to: formatBytes(toBytes),
            })}
          >
            <span>≥ {formatBytes(fromBytes)}</span>
            <span className='blocks-size-bar'>
              <span style={{ width: `${Math.max(6, (Math.log(1 + count) / Math.log(1 + most)) * 100)}%` }} />
            </span>
            <span className='t1'>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
