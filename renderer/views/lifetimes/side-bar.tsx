// The view's part of the side bar: what cells or bars mean.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatCount, formatTime } from '../../i18n/format.ts'
import { ScaleBar } from '../../panels/scale-bar.tsx'
import { spanOf } from '../../plot/scales.ts'
import { useView } from '../../state/use-view.ts'
import { useTokens } from '../../theme/theme.ts'
import { isSingle } from './assemble.ts'
import { FormSwatch } from './form-swatch.tsx'
import { heatColor } from './heat.ts'
import { type FormEntry, heatForms, singleForms } from './legend.ts'
import type { PlacedHeat } from './lifetimes-data.ts'
import { perWords, scaleWords } from './units.ts'
import { usePacedLifetimes, useTexts } from './use-lifetimes.ts'

const shownSteps = 48

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** The legend of the level that is shown. */
export function LifetimesSideBar({ capture }: CaptureProps) {
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  const data = usePacedLifetimes(capture.captureId)
  const { raster } = data
  if (!showLegend || !raster) return null
  return isSingle(data) ? <SingleLegend /> : <HeatLegend raster={raster} />
}

function HeatLegend({ raster }: { readonly raster: PlacedHeat }) {
  const t = useTexts()
  const tokens = useTokens()
  const { measure, scale, data, axis, range } = raster
  const steps = Array.from({ length: shownSteps }, (_, index) => heatColor(tokens, (index + 0.5) / shownSteps))
  const width = spanOf(range) / data.columns
  const events = t('unit.events', { events: width >= 100 ? formatCount(width) : width.toPrecision(3) })
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

function SingleLegend() {
  const t = useTexts()
  return (
    <section className='panel-section' aria-labelledby='single-title'>
      <div className='panel-head'>
        <h2 id='single-title'>{t('level.single')}</h2>
        <span>{t('colorOfStack')}</span>
      </div>
      <Forms entries={singleForms(t)} />
      <p className='panel-note'>{t('idleNote')}</p>
    </section>
  )
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
