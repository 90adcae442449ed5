// The numbers behind the verdict as cards, and those of the other candidates below.
import type { DiagnosisEvidence, DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { PlaceLink } from './place-link.tsx'
import { Section } from './section.tsx'
import { Meter } from './verdict-head.tsx'
import { asSentence, confidenceText, labelName, useDiagnosisTexts, valueText } from './words.ts'

/** Cards of the first candidate; the others can be unfolded. */
export function EvidenceCards({ candidates, verdict }: Pick<DiagnosisPage, 'candidates' | 'verdict'>) {
  const t = useDiagnosisTexts()
  const [first, ...others] = candidates
  if (!first) return null
  const name = labelName(first.label)
  // Where the verdict is another, how sure this is stands nowhere else.
  const note = first.label === verdict.label ? name : `${name} · ${t('confidence.said', { confidence: confidenceText(first.confidence) })}`
  return (
    <Section title={t('section.evidence')} note={note} className='diag-evidence'>
      <Cards evidence={first.evidence} />
      {others.length > 0 && <p className='panel-note'>{t('evidence.scale')}</p>}
      {others.map(({ label, confidence, evidence }) => (
        <details key={label} className='diag-other'>
          <summary>
            <span className='weak'>{t('evidence.also')}</span> <strong>{labelName(label)}</strong>
            <Meter confidence={confidence} />
            <span>{t('confidence.said', { confidence: confidenceText(confidence) })}</span>
          </summary>
          <Cards evidence={evidence} />
        </details>
      ))}
    </Section>
  )
}

const Cards = ({ evidence }: { readonly evidence: readonly DiagnosisEvidence[] }) => (
  <ul className='diag-cards'>
    {evidence.map((each, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a measure may come twice, and the list never changes
      <li key={at} className='diag-card'>
        <p className={each.unit === 'text' ? 'diag-value mono' : 'diag-value'}>{valueText(each)}</p>
        <p>{asSentence(each.text)}</p>
        <PlaceLink place={each.place} what={valueText(each)} />
      </li>
    ))}
  </ul>
)
