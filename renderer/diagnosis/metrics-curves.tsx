// The metrics as small curves, each with its numbers in words.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { formatCount } from '../i18n/format.ts'
import { curveHeight, curveWidth, type MetricsCurve, shapeOf } from './curve-model.ts'
import { lastStepText, otherFieldsText } from './document.ts'
import { Section } from './section.tsx'
import { curveValue, useDiagnosisTexts } from './words.ts'

/** The section; nothing without metrics. */
export function MetricsCurves({ metrics, situation }: Pick<DiagnosisPage, 'metrics' | 'situation'>) {
  const t = useDiagnosisTexts()
  if (!metrics || metrics.curves.length + metrics.others.length === 0) return null
  const notes = [lastStepText({ metrics, situation }), otherFieldsText(metrics)].filter((text) => text !== null)
  return (
    <Section title={t('section.metrics')} note={t('metrics.read', { name: metrics.name, formatted: formatCount(metrics.steps) })}>
      <div className='diag-curves'>
        {metrics.curves.map((curve) => (
          <Curve key={curve.field} curve={curve} />
        ))}
      </div>
      {notes.map((note) => (
        <p key={note} className='panel-note'>
          {note}
        </p>
      ))}
    </Section>
  )
}

const edge = 2 // so that a line along the edge is drawn whole

function Curve({ curve }: { readonly curve: MetricsCurve }) {
  const t = useDiagnosisTexts()
  const { field, unit, perStep, isGrowing } = curve
  const shape = shapeOf(curve)
  if (!shape) return null
  const { points, ...numbers } = shape
  const value = (of: number) => curveValue(of, unit)
  const steps = { from: formatCount(numbers.fromStep), to: formatCount(numbers.toStep) }
  const words = {
    field,
    ...steps,
    first: value(numbers.first),
    last: value(numbers.last),
    least: value(numbers.least),
    most: value(numbers.most),
  }
  return (
    <figure className='diag-curve'>
      <figcaption>
        <span className='mono truncate' title={field}>
          {field}
        </span>{' '}
        <strong>{value(numbers.last)}</strong>
      </figcaption>
      <svg
        role='img'
        aria-label={t('metrics.curve', words)}
        viewBox={`0 ${-edge} ${curveWidth} ${curveHeight + 2 * edge}`}
        preserveAspectRatio='none'
      >
        <polyline points={points} vectorEffect='non-scaling-stroke' />
      </svg>
      <p className='weak'>
        {value(numbers.least)} – {value(numbers.most)} · {t('metrics.steps', steps)}
      </p>
      <p className={isGrowing ? 't1' : 'weak'}>
        {isGrowing && perStep !== null ? t('metrics.grows', { slope: curveValue(perStep, unit) }) : t('metrics.steady')}
      </p>
    </figure>
  )
}
