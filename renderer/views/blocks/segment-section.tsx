// The selected segment in numbers.
import { useEffect, useRef } from 'react'
import { exactBytes, formatAddress, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { Fact } from '../../panels/fact.tsx'
import { poolTitle, streamTitle } from '../../plot/legend.ts'
import type { ViewProps } from '../view.ts'
import { useBlocksData } from './blocks-data.ts'
import { patchBlocks, useBlocksState } from './blocks-state.ts'
import { useBlocksTexts } from './texts.ts'

/** Address, size, owner, use; who pins it follows as a section of its own. */
export function SegmentSection({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const address = useBlocksState(captureId, (state) => state.segment)
  const segments = useBlocksData(captureId, (data) => data.picture?.segments)
  const section = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each newly selected segment comes into sight
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [address])
  if (address === undefined || !segments) return null
  const index = segments.addresses.indexOf(address)
  const at = (values: Float64Array): number => values[index] ?? 0
  const bytes = (values: Float64Array) => ({ value: formatBytes(at(values)), title: exactBytes(at(values)) })
  const kind = [
    at(segments.isSmall) === 1 ? t('segment.small') : t('segment.large'),
    at(segments.isExpandable) === 1 && t('segment.expandable'),
  ]
  return (
    <section ref={section} className='panel-section' aria-labelledby='blocks-segment' data-testid='blocks-segment'>
      <div className='panel-head'>
        <h2 id='blocks-segment'>{t('segment.title')}</h2>
        <button type='button' className='jump' onClick={() => patchBlocks(captureId, { segment: undefined })}>
          {t('segment.clear')}
        </button>
      </div>
      {index < 0 ? (
        <p className='panel-note'>{t('segment.absent', { address: formatAddress(address) })}</p>
      ) : (
        <dl>
          <Fact label={t('column.address')} value={formatAddress(address)} title={address} mono />
          <Fact label={t('column.size')} {...bytes(segments.totalBytes)} />
          <Fact label={t('segment.kind')} value={kind.filter(Boolean).join(' · ')} />
          <Fact label={t('column.stream')} value={streamTitle(segments.streams[index] ?? '')} />
          <Fact label={t('column.pool')} value={poolTitle(segments.pools[index] ?? '')} title={segments.pools[index]} />
          <Fact
            label={t('column.allocated')}
            value={`${formatBytes(at(segments.allocatedBytes))} · ${formatShare(at(segments.allocatedBytes), at(segments.totalBytes))}`}
            title={exactBytes(at(segments.allocatedBytes))}
          />
          <Fact label={t('column.free')} {...bytes(segments.freeBytes)} />
          <Fact label={t('column.largest')} {...bytes(segments.largestFreeBytes)} />
          <Fact
            label={t('segment.blocks')}
            value={t('segment.blocksOf', {
              used: formatCount(at(segments.blockCount) - at(segments.freeBlockCount)),
              free: formatCount(at(segments.freeBlockCount)),
            })}
          />
        </dl>
      )}
    </section>
  )
}
