// The head of the page: what happened, the cause, how sure, what to do with the page.
import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { isOutcomeUnknown, outcomeLine } from './outcome.ts'
import { confidenceText, explanation, hasCause, labelName, useDiagnosisTexts } from './words.ts'

interface HeadProps {
  readonly diagnosis: DiagnosisPage
  readonly actions: ReactNode
}

/** Headline, cause and buttons. */
export function VerdictHead({ diagnosis, actions }: HeadProps) {
  const t = useDiagnosisTexts()
  const { verdict, situation } = diagnosis
  const isCause = hasCause(diagnosis)
  const Icon = situation.isFailure ? TriangleAlert : isCause || isOutcomeUnknown(diagnosis) ? CircleHelp : CircleCheck
  return (
    <header className='diag-verdict'>
      <h2>
        <Icon className={situation.isFailure ? 'bad' : 'weak'} aria-hidden='true' size={20} />
        <span>{outcomeLine(diagnosis)}</span>
      </h2>
      {verdict.label !== 'healthy' && (
        <p className='diag-cause'>
          {isCause && <span className='weak'>{t('verdict.cause')}</span>}
          <strong>{labelName(verdict.label)}</strong>
          {isCause && (
            <span className='diag-sure'>
              <Meter confidence={verdict.confidence} />
              {t('confidence.said', { confidence: confidenceText(verdict.confidence) })}
              {verdict.isUncertain && ` · ${t('verdict.uncertain')}`}
            </span>
          )}
        </p>
      )}
      <p className='diag-why'>{explanation(diagnosis)}</p>
      <div className='actions'>{actions}</div>
    </header>
  )
}

/** The confidence as a short bar; the words beside it say the same. */
export const Meter = ({ confidence }: { readonly confidence: number }) => (
  <span className='diag-meter' aria-hidden='true'>
    <span style={{ width: `${Math.round(confidence * 100)}%` }} />
  </span>
)
