// The side bar's section of hot spots: which template, and what each of its spots weighs. Pointing at one marks its boxes, a click filters by it.
import type { HotSpot, HotSpotTemplate } from '../../../preload/contract/queries.ts'
import { formatShare } from '../../i18n/format.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { Chooser } from '../../panels/chooser.tsx'
import { withoutStacks } from '../../state/filter.ts'
import { useView } from '../../state/use-view.ts'
import { noFilter, patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { measuredOf } from './assemble.ts'
import { flameData, useFlameData } from './flame-data.ts'
import { isSigned, patchFlame, useFlameState } from './flame-state.ts'
import { autoTemplate, isHeld, noTemplate, spotNumbers, templateOf } from './hot-spots.ts'
import { useFlameTexts } from './texts.ts'
import { formatChange, formatWeight, type Measured } from './words.ts'

/** The section; empty until the engine has answered. */
export function SpotSection({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const chosen = useFlameState(captureId, (state) => state.template)
  const templates = useFlameData(captureId, (data) => data.spots?.templates)
  const failure = useFlameData(captureId, (data) => data.spotsFailure)
  const template = templateOf(templates ?? [], chosen)
  const language = currentLanguage()
  return (
    <section className='panel-section' aria-labelledby='flame-spots'>
      <div className='panel-head'>
        <h2 id='flame-spots'>{t('spots.title')}</h2>
      </div>
      <div className='flame-spot-template'>
        <Chooser
          label={t('spots.template')}
          title={template?.explanation[language] ?? t('spots.templateHint')}
          value={chosen}
          options={[
            { value: autoTemplate, label: autoLabel(templates, t) },
            ...(templates ?? []).map(({ id, title }) => ({ value: id, label: title[language] })),
            { value: noTemplate, label: t('spots.none') },
          ]}
          onChoose={(value) => patchFlame(captureId, { template: value })}
        />
      </div>
      {failure && (
        <p className='panel-note' role='alert'>
          {failureSentence(failure)} {failure.message}
        </p>
      )}
      {template && <Spots capture={capture} template={template} />}
    </section>
  )
}

function autoLabel(templates: readonly HotSpotTemplate[] | undefined, t: ReturnType<typeof useFlameTexts>): string {
  const fitting = templateOf(templates ?? [], autoTemplate)
  return fitting ? t('spots.auto', { name: fitting.title[currentLanguage()] }) : t(templates ? 'spots.autoNone' : 'spots.autoPending')
}

function Spots({ capture, template }: ViewProps & { readonly template: HotSpotTemplate }) {
  const t = useFlameTexts()
  const weighed = useFlameData(capture.captureId, (data) => data.answer?.weighed)
  const language = currentLanguage()
  if (!weighed) return null
  const measured = measuredOf(capture, weighed)
  const numbers = spotNumbers(template)
  return (
    <>
      <ol className='flame-spots'>
        {template.spots.map((spot, index) => (
          <li key={spot.id}>
            <SpotButton capture={capture} spot={spot} number={numbers[index]} measured={measured} />
          </li>
        ))}
      </ol>
      <details className='flame-spot-words'>
        <summary>{t('spots.meaning')}</summary>
        <p>{template.explanation[language]}</p>
        <dl>
          {template.spots.map(({ id, label, explanation }) => (
            <div key={id}>
              <dt>{label[language]}</dt>
              <dd>{explanation[language]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

interface SpotButtonProps extends ViewProps {
  readonly spot: HotSpot
  readonly number: number | undefined // of its marks
  readonly measured: Measured
}

function SpotButton({ capture, spot, number, measured }: SpotButtonProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const { id, value, base, share } = spot
  const filter = useView(captureId, (view) => view.filter) ?? noFilter
  const title = spot.label[currentLanguage()]
  const isOn = filter.within?.title === title
  const point = (pointed: string | undefined) => flameData(captureId).setState({ pointedSpot: pointed })
  const toggle = () => patchView(captureId, { filter: isOn ? withoutStacks(filter) : { ...filter, within: { ...spot.within, title } } })
  return (
    <button
      type='button'
      aria-pressed={isOn}
      disabled={!isHeld(spot) && !isOn}
      title={`${spot.explanation[currentLanguage()]} ${t(isOn ? 'spots.offHint' : 'spots.onHint')}`}
      onClick={toggle}
      onPointerEnter={() => point(id)}
      onPointerLeave={() => point(undefined)}
      onFocus={() => point(id)}
      onBlur={() => point(undefined)}
    >
      <span className={number === undefined ? 'flame-spot-number flame-spot-unmarked' : 'flame-spot-number'}>{number ?? '–'}</span>
      <span>{title}</span>
      <span className='flame-spot-weight'>
        <span className='t1'>{isSigned(measured.weight) ? formatChange(value - base, measured) : formatWeight(value, measured, t)}</span>
        {!isSigned(measured.weight) && <span className='weak'>{formatShare(share, 1)}</span>}
      </span>
    </button>
  )
}
