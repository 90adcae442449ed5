// The timeline's part of the side bar: what the colours mean, and the curves at the cursor.
import { Fragment } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { ColorBy } from '../../../preload/contract/queries.ts'
import { slotsIn } from '../../categories/present.ts'
import { PurposeSection } from '../../categories/purpose-section.tsx'
import { type ShownTotals, useTotals } from '../../categories/totals.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { counted, exactBytes, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { ScaleBar } from '../../panels/scale-bar.tsx'
import { curvesOf } from '../../plot/curve-lines.ts'
import { type Legend, legendOf, type Swatch } from '../../plot/legend.ts'
import type { Emphasis } from '../../plot/placed.ts'
import { isFiltering } from '../../state/filter.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { cssColor, leftOutSlot, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import { toggleEmphasis } from './actions.ts'
import { emphasisNow } from './assemble.ts'
import { stacksEvent } from './moments.ts'
import { type ShownStacks, useTexts, useTimeline, useTopStacks } from './use-timeline.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** Legend and curves. */
export function TimelineSideBar({ capture }: CaptureProps) {
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  return (
    <>
      {showLegend && <LegendSection capture={capture} />}
      <Purpose capture={capture} />
      <CurvesSection capture={capture} />
    </>
  )
}

/** What the memory at the cursor, else at the peak, is for. */
function Purpose({ capture }: CaptureProps) {
  const t = useTexts()
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  if (!device) return null
  const event = stacksEvent(cursorEvent, device)
  const when = cursorEvent === undefined ? t('atPeak') : t('atEventNumber', { event: formatCount(event) })
  return <PurposeSection capture={capture} device={device.device} event={event} when={when} />
}

/** What categories hold at that moment, while colours tell them. */
function useCategories(capture: CaptureSummary, isShown: boolean): ShownTotals {
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  return useTotals(capture.captureId, isShown && device ? { device: device.device, event: stacksEvent(cursorEvent, device) } : undefined)
}

interface FoundLegend {
  readonly legend: Legend
  readonly colorBy: ColorBy
  readonly emphasis: Emphasis | undefined
  readonly moment: Moment | undefined // what its bytes are of; undefined: it tells none
}

interface Moment {
  readonly event: number
  readonly totalBytes?: number // what shares are of; categories have theirs in a section of their own
  readonly isPending: boolean
}

function useLegend(capture: CaptureSummary): FoundLegend | undefined {
  const tokens = useTokens()
  const device = useDevice(capture)
  const colorBy = useView(capture.captureId, (view) => view.colorBy)
  const stacks = useTopStacks(capture)
  const kept = useTimeline(capture.captureId, (data) => data.emphasis)
  const elsewhere = useTimeline(capture.captureId, (data) => data.elsewhere)
  const raster = useTimeline(capture.captureId, (data) => data.raster)
  const categories = useCategories(capture, colorBy === 'category')
  if (!device || !colorBy) return undefined
  const held = categories.answer?.totals.categories
  const listed = new Set(stacks.top?.stacks.map(({ slot }) => slot))
  const emphasis = emphasisNow({ device: device.device, colorBy }, { emphasis: kept })
  const legend = legendOf({
    capture,
    colorBy,
    tokens,
    top: stacks.top,
    elsewhere: elsewhere?.device === device.device ? elsewhere.stacks.filter(({ slot }) => !listed.has(slot)) : [],
    largestBytes: device.peakAllocatedBytes,
    categories: { held, present: raster?.colorBy === 'category' ? slotsIn(raster.data.cells) : undefined },
  })
  return { legend, colorBy, emphasis, moment: momentOf(colorBy, stacks, categories) }
}

/** The moment that the bytes of a legend are of. */
function momentOf(colorBy: ColorBy, { top, isPending }: ShownStacks, categories: ShownTotals): Moment | undefined {
  const { answer } = categories
  if (colorBy === 'stack') return top && { event: top.event, totalBytes: top.totalBytes, isPending }
  if (colorBy !== 'category' || !answer) return undefined
  return { event: answer.event, isPending: categories.isPending }
}

function LegendSection({ capture }: CaptureProps) {
  const t = useTexts()
  const found = useLegend(capture)
  const isFiltered = useView(capture.captureId, (view) => isFiltering(view.filter))
  const hasNoCursor = useView(capture.captureId, (view) => view.cursorEvent === undefined)
  const leftOut = slotColor(useTokens(), 'stack', leftOutSlot) ?? [0, 0, 0]
  if (!found) return null
  const { legend, colorBy, emphasis, moment } = found
  const isAtPeak = hasNoCursor && !moment?.isPending
  const at = isAtPeak ? t('atPeak') : t('atEventNumber', { event: formatCount(moment?.event ?? 0) })
  const when = isFiltered ? `${at} · ${t('unfiltered')}` : at
  return (
    <section className='panel-section' aria-labelledby='legend-title'>
      <div className='panel-head'>
        <h2 id='legend-title'>{t(`legend.${colorBy}`)}</h2>
        {moment && <span>{when}</span>}
      </div>
      {legend.kind === 'swatches' ? (
        <ul className={`legend ${moment?.isPending ? 'pending' : ''}`}>
          {legend.swatches.map((swatch, index) => (
            <Fragment key={swatch.key}>
              {swatch.isElsewhere && !legend.swatches[index - 1]?.isElsewhere && <li className='panel-note'>{t('elsewhere')}</li>}
              <SwatchRow capture={capture} swatch={swatch} totalBytes={moment?.totalBytes} emphasis={emphasis} />
            </Fragment>
          ))}
          {isFiltered && (
            <li className='legend-left-out'>
              <span className='swatch' style={{ background: cssColor(leftOut) }} />
              <span>{t('leftOut')}</span>
            </li>
          )}
          {legend.more > 0 && <li className='panel-note'>{plotText('more', counted(legend.more))}</li>}
        </ul>
      ) : (
        <ScaleBar scale={legend} />
      )}
      {emphasis && (
        <button type='button' className='legend-all' onClick={() => toggleEmphasis(capture, { ...emphasis, slots: [] })}>
          {t('showAllAlike')} <kbd>Esc</kbd>
        </button>
      )}
      <p className='panel-note'>{t(`legendNote.${colorBy}`)}</p>
    </section>
  )
}

interface SwatchProps extends CaptureProps {
  readonly swatch: Swatch
  readonly totalBytes: number | undefined
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
        <span className='swatch' style={{ background: cssColor(color) }} />
        <span className='truncate t1'>{title} </span>
        {bytes !== undefined && <span className='t1'>{formatBytes(bytes)} </span>}
        {place !== '' && <span className='legend-place'>{place} </span>}
        {bytes !== undefined && totalBytes !== undefined && <span className='legend-share'>{formatShare(bytes, totalBytes)}</span>}
      </button>
    </li>
  )
}

function CurvesSection({ capture }: CaptureProps) {
  const t = useTexts()
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const cursor = useFocus(capture.captureId, (data) => data.cursor)
  const isPending = cursor !== undefined && cursor.event !== cursorEvent
  const device = useDevice(capture)
  const curves = device ? curvesOf(device) : []
  return (
    <section className='panel-section' aria-labelledby='curves-title'>
      <div className='panel-head'>
        <h2 id='curves-title'>{t('curves')}</h2>
        {cursor && <span>{t('atCursor')}</span>}
      </div>
      <dl className={isPending ? 'pending' : undefined}>
        {curves.map(({ name }) => (
          <div className='row' key={name}>
            <dt className='timeline-curve-name'>
              <span className={`timeline-line ${name}`} aria-hidden='true' />
              {plotText(`curve.${name}`)}
            </dt>
            <dd title={cursor ? exactBytes(cursor[name]) : t('noCursor')}>{cursor ? formatBytes(cursor[name]) : '—'}</dd>
          </div>
        ))}
      </dl>
      {cursor && curves.length > 1 && cursor.active === cursor.allocated && <p className='panel-note'>{t('noPendingFrees')}</p>}
    </section>
  )
}
