// The timeline's part of the side bar: what the colours mean, and the curves at the cursor.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { ColorBy, CurveName } from '../../../preload/contract/queries.ts'
import { exactBytes, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { useView } from '../../state/use-view.ts'
import { cssColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import { toggleEmphasis } from './actions.ts'
import { emphasisNow } from './assemble.ts'
import { type Legend, legendOf, type Swatch } from './legend.ts'
import type { Emphasis } from './timeline-data.ts'
import { useDevice, useTexts, useTimeline } from './use-timeline.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** Legend and curves. */
export function TimelineSideBar({ capture }: CaptureProps) {
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  return (
    <>
      {showLegend && <LegendSection capture={capture} />}
      <CurvesSection capture={capture} />
    </>
  )
}

interface FoundLegend {
  readonly legend: Legend
  readonly colorBy: ColorBy
  readonly totalBytes: number
  readonly atCursor: number | undefined
  readonly emphasis: Emphasis | undefined
}

function useLegend(capture: CaptureSummary): FoundLegend | undefined {
  const t = useTexts()
  const tokens = useTokens()
  const device = useDevice(capture)
  const colorBy = useView(capture.captureId, (view) => view.colorBy)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const top = useTimeline(capture.captureId, (data) => data.topStacks)
  const cursor = useTimeline(capture.captureId, (data) => data.cursor)
  const kept = useTimeline(capture.captureId, (data) => data.emphasis)
  if (!device || !colorBy) return undefined
  const emphasis = emphasisNow({ device: device.device, colorBy }, { emphasis: kept })
  const totalBytes = cursorEvent === undefined ? device.peakAllocatedBytes : (cursor?.allocated ?? 0)
  const legend = legendOf({ capture, colorBy, tokens, stacks: top?.stacks ?? [], totalBytes, largestBytes: device.peakAllocatedBytes, t })
  return { legend, colorBy, totalBytes, atCursor: cursorEvent, emphasis }
}

function LegendSection({ capture }: CaptureProps) {
  const t = useTexts()
  const found = useLegend(capture)
  if (!found) return null
  const { legend, colorBy, totalBytes, atCursor, emphasis } = found
  const when = atCursor === undefined ? t('atPeak') : t('atEventNumber', { event: formatCount(atCursor) })
  return (
    <section className='panel-section' aria-labelledby='legend-title'>
      <div className='timeline-head'>
        <h2 id='legend-title'>{t(`legend.${colorBy}`)}</h2>
        {colorBy === 'stack' && <span>{when}</span>}
      </div>
      {legend.kind === 'swatches' ? (
        <ul className='timeline-legend'>
          {legend.swatches.map((swatch) => (
            <SwatchRow key={swatch.key} capture={capture} swatch={swatch} totalBytes={totalBytes} emphasis={emphasis} />
          ))}
        </ul>
      ) : (
        <ScaleBar legend={legend} />
      )}
      {emphasis && (
        <button type='button' className='timeline-show-all' onClick={() => toggleEmphasis(capture, { ...emphasis, slots: [] })}>
          {t('showAllAlike')} <kbd>Esc</kbd>
        </button>
      )}
      <p className='timeline-note'>{t(`legendNote.${colorBy}`)}</p>
    </section>
  )
}

interface SwatchProps extends CaptureProps {
  readonly swatch: Swatch
  readonly totalBytes: number
  readonly emphasis: Emphasis | undefined
}

/** One colour as a toggle: pressed, its bands stand out. */
function SwatchRow({ capture, swatch, totalBytes, emphasis }: SwatchProps) {
  const t = useTexts()
  const { color, title, place, bytes, key } = swatch
  const isOn = emphasis?.key === key
  return (
    <li className={emphasis && !isOn ? 'dimmed' : undefined}>
      <button
        type='button'
        aria-pressed={isOn}
        title={`${`${title} ${place}`.trim()}\n${bytes === undefined ? '' : `${exactBytes(bytes)}\n`}${t('emphasizeHint')}`}
        onClick={() => toggleEmphasis(capture, swatch)}
      >
        <span className='visually-hidden'>{t('emphasize')} </span>
        <span className='timeline-swatch' style={{ background: cssColor(color) }} />
        <span className='truncate t1'>{title} </span>
        {bytes !== undefined && <span className='t1'>{formatBytes(bytes)} </span>}
        {place !== '' && <span className='timeline-legend-place'>{place} </span>}
        {bytes !== undefined && <span className='timeline-share'>{formatShare(bytes, totalBytes)}</span>}
      </button>
    </li>
  )
}

function ScaleBar({ legend }: { readonly legend: Legend & { kind: 'scale' } }) {
  return (
    <div className='timeline-scale'>
      <div className='timeline-scale-bar'>
        {legend.steps.map((color, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place
          <span key={index} style={{ background: cssColor(color) }} />
        ))}
      </div>
      <div className='timeline-scale-labels'>
        {legend.labels.map(({ text }) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  )
}

const curves: readonly (readonly [name: CurveName, line: string])[] = [
  ['reserved', 'reserved'],
  ['active', 'active'],
  ['allocated', 'allocated'],
  ['requested', 'requested'],
]

function CurvesSection({ capture }: CaptureProps) {
  const t = useTexts()
  const cursor = useTimeline(capture.captureId, (data) => data.cursor)
  return (
    <section className='panel-section' aria-labelledby='curves-title'>
      <div className='timeline-head'>
        <h2 id='curves-title'>{t('curves')}</h2>
        {cursor && <span>{t('atCursor')}</span>}
      </div>
      <dl>
        {curves.map(([name, line]) => (
          <div className='row' key={name}>
            <dt className='timeline-curve-name'>
              <span className={`timeline-line ${line}`} aria-hidden='true' />
              {t(`curve.${name}`)}
            </dt>
            <dd title={cursor ? exactBytes(cursor[name]) : t('noCursor')}>{cursor ? formatBytes(cursor[name]) : '—'}</dd>
          </div>
        ))}
      </dl>
      {cursor && cursor.active === cursor.allocated && <p className='timeline-note'>{t('noPendingFrees')}</p>}
    </section>
  )
}
