// The block map's part of the side bar: the moment in numbers, what would fit, what the colours mean, who pins segments.
import { PurposeSection } from '../../categories/purpose-section.tsx'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { useBlocksData } from './blocks-data.ts'
import { patchBlocks, useBlocksState } from './blocks-state.ts'
import { FitSection } from './fit-section.tsx'
import { FreeSizes } from './free-sizes.tsx'
import { LegendSection } from './legend-section.tsx'
import { Pins } from './pins.tsx'
import { SegmentSection } from './segment-section.tsx'
import { useBlocksTexts } from './texts.ts'
import { totalsOf } from './totals.ts'
import './side-bar.css'

/** All sections. */
export function BlocksSideBar({ capture }: ViewProps) {
  const hasSegment = useBlocksState(capture.captureId, (state) => state.segment !== undefined)
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  return (
    <>
      <SegmentSection capture={capture} />
      {hasSegment && <Pins capture={capture} />}
      <FitSection capture={capture} />
      {!hasSegment && <Pins capture={capture} />}
      {showLegend && <LegendSection capture={capture} />}
      <Purpose capture={capture} />
      <StateSection capture={capture} />
      <FreeSizes capture={capture} />
    </>
  )
}

/** What the memory of the moment is for. */
function Purpose({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const picture = useBlocksData(capture.captureId, (data) => data.picture)
  if (!picture) return null
  const { device, event } = picture
  const when = event < 0 ? '' : t('afterEvent', { event: formatCount(event) })
  return <PurposeSection capture={capture} device={device} event={event} when={when} />
}

function StateSection({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const picture = useBlocksData(captureId, (data) => data.picture)
  if (!picture) return null
  const totals = totalsOf(picture.report)
  const list = (tableOf: 'segments' | 'blocks') => {
    patchBlocks(captureId, { tableOf })
    patchView(captureId, { showTable: true })
  }
  const when = picture.event < 0 ? '' : t('afterEvent', { event: formatCount(picture.event) })
  return (
    <section className='panel-section' aria-labelledby='blocks-state'>
      <div className='panel-head'>
        <h2 id='blocks-state'>{t('state.title')}</h2>
        <span>{when}</span>
      </div>
      <dl>
        <Row label={t('state.segments')}>
          <button type='button' className='jump' title={t('state.listSegments')} onClick={() => list('segments')}>
            {formatCount(totals.segments)}
          </button>
        </Row>
        <Row label={t('state.used')}>
          <button type='button' className='jump' title={t('state.listBlocks')} onClick={() => list('blocks')}>
            {formatCount(totals.blocks - totals.freeBlocks)}
          </button>
        </Row>
        <Row label={t('state.free')}>{formatCount(totals.freeBlocks)}</Row>
        <Row label={t('state.stranded')} title={t('state.strandedMeaning')}>
          {formatBytes(totals.stranded)}
        </Row>
        <Row label={t('state.returnable')} title={t('state.returnableMeaning')}>
          {formatBytes(totals.returnable)}
        </Row>
      </dl>
    </section>
  )
}

interface RowProps {
  readonly label: string
  readonly title?: string
  readonly children: React.ReactNode
}

function Row({ label, title, children }: RowProps) {
  return (
    <div className='row' title={title}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
