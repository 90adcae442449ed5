// Which plain facts hold, which do not, and which cannot be known.
import { CircleHelp, Minus, TriangleAlert } from 'lucide-react'
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import { Section } from './section.tsx'
import { asSentence, holdsKey, useDiagnosisTexts } from './words.ts'

type Fact = DiagnosisSituation['facts'][number]

/** The list; nothing where none was checked. */
export function CheckedFacts({ facts }: { readonly facts: readonly Fact[] }) {
  const t = useDiagnosisTexts()
  if (facts.length === 0) return null
  return (
    <Section title={t('section.checked')} className='diag-checked'>
      <ul>
        {facts.map((fact) => (
          <FactRow key={fact.code} fact={fact} />
        ))}
      </ul>
    </Section>
  )
}

function FactRow({ fact }: { readonly fact: Fact }) {
  const t = useDiagnosisTexts()
  const { code, holds, text } = fact
  const Icon = holds === null ? CircleHelp : holds ? TriangleAlert : Minus
  return (
    <li className={holds ? 'holds' : undefined}>
      <Icon className={holds ? 'bad' : 'weak'} aria-hidden='true' size={14} />
      <span className='diag-fact'>{t(`fact.${code}`)}</span>
      <span className='diag-answer'>{t(holdsKey(fact))}</span>
      {holds !== false && <p>{asSentence(text)}</p>}
    </li>
  )
}
