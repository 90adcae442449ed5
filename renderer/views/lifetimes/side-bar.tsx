// The view's part of the side bar: what cells or bars mean.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { counted, formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { ScaleBar } from '../../panels/scale-bar.tsx'
import { spanOf } from '../../plot/scales.ts'
import { useView } from '../../state/use-view.ts'
import { cssColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import { isSingle } from './assemble.ts'
import { FormSwatch } from './form-swatch.tsx'
import { heatColor } from './heat.ts'
import { type ColorEntry, colorEntries, type FormEntry, heatForms, singleForms } from './legend.ts'
import type { PlacedBars, PlacedHeat } from './lifetimes-data.ts'
import { perWords, scaleWords } from './units.ts'
import { usePacedLifetimes, useTexts } from './use-lifetimes.ts'

const shownSteps = 48
const mostStacks = 8

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** The legend of the level that is shown. */
export function LifetimesSideBar({ capture }: CaptureProps) {
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  const data = usePacedLifetimes(capture.captureId)
  const { raster } = data
  if (!showLegend || !raster) return null
  return isSingle(data) ? <SingleLegend bars={data.bars} /> : <HeatLegend raster={raster} />
}

function HeatLegend({ raster }: { readonly raster: PlacedHeat }) {
  const t = useTexts()
  const tokens = useTokens()
  const { measure, scale, data, axis, range } = raster
  const steps = Array.from({ length: shownSteps }, (_, index) => heatColor(tokens, (index + 0.5) / shownSteps))
  const width = spanOf(range) / data.columns
  const events = t('unit.events', { count: width, formatted: width >= 100 ? formatCount(width) : width.toPrecision(3) })
  return (
    <section className='panel-section' aria-labelledby='heat-title'>
      <div className='panel-head'>
        <h2 id='heat-title'>{t(`legend.${measure}`)}</h2>
        <span>{perWords(raster)}</span>
      </div>
      <ScaleBar scale={{ steps, labels: scaleWords(raster, data.max) }} />
      <p className='panel-note'>
        {t(`scaleNote.${scale}`)} {t('aCell', { width: axis === 'time' ? formatTime(width) : events })}
      </p>
      <Forms entries={heatForms(raster, t)} />
    </section>
  )
}

function SingleLegend({ bars }: { readonly bars: PlacedBars | undefined }) {
  const t = useTexts()
  const tokens = useTokens()
  const entries = bars ? colorEntries(bars, tokens) : []
  const byCategory = bars?.colorBy === 'category'
  const shown = entries.slice(0, byCategory ? entries.length : mostStacks)
  const more = entries.length - shown.length
  return (
    <section className='panel-section' aria-labelledby='single-title'>
      <div className='panel-head'>
        <h2 id='single-title'>{t('level.single')}</h2>
        <span>{t(byCategory ? 'colorOfCategory' : 'colorOfStack')}</span>
      </div>
      <ul className='stack-list' aria-label={t(byCategory ? 'categoriesInSight' : 'stacksInSight')}>
        {shown.map((entry) => (
          <ColorRow key={entry.key} entry={entry} />
        ))}
        {more > 0 && <li className='panel-note'>{plotText('more', counted(more))}</li>}
      </ul>
      <Forms entries={singleForms(t)} />
      <p className='panel-note'>{t('idleNote')}</p>
    </section>
  )
}

function ColorRow({ entry: { title, color, bytes, count } }: { readonly entry: ColorEntry }) {
  const t = useTexts()
  const [name, place] = nameAndPlaceOf(title)
  return (
    <li title={`${title}\n${t('allocations', { count, allocations: formatCount(count) })}`}>
      <span className='swatch' style={{ background: cssColor(color) }} />
      <span className='truncate t1'>{name}</span>
      <span className='t1'>{formatBytes(bytes)}</span>
      {place !== '' && <span className='legend-place'>{place}</span>}
    </li>
  )
}

/** "name file:line" in its two parts; what has no line is all name. */
function nameAndPlaceOf(title: string): readonly [name: string, place: string] {
  const [, name, place] = /^(.+) (\S+:\d+)$/.exec(title) ?? []
  return name !== undefined && place !== undefined ? [name, place] : [title, '']
}

function Forms({ entries }: { readonly entries: readonly FormEntry[] }) {
  return (
    <ul className='form-list'>
      {entries.map(({ form, text }) => (
        <li key={form}>
          <FormSwatch form={form} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
