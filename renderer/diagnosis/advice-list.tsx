// What may help, and what would make the verdict certain.
import type { DiagnosisAdvice, DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { CopyButton } from '../widgets/copy-button.tsx'
import { PlaceLink } from './place-link.tsx'
import { Section } from './section.tsx'
import { advised, asSentence, gainText, sufficiencyText, useDiagnosisTexts } from './words.ts'

/** Numbered, most telling first. */
export function AdviceList({ advice, situation }: Pick<DiagnosisPage, 'advice' | 'situation'>) {
  const t = useDiagnosisTexts()
  if (advice.length === 0) return null
  return (
    <Section title={t('section.advice')} className='diag-advice'>
      <ol className='diag-cards'>
        {advised(advice).map((each) => (
          <Advice key={each.id} advice={each} situation={situation} />
        ))}
      </ol>
    </Section>
  )
}

interface AdviceProps extends Pick<DiagnosisPage, 'situation'> {
  readonly advice: DiagnosisAdvice
}

function Advice({ advice, situation }: AdviceProps) {
  const t = useDiagnosisTexts()
  const { text, code, basis, avoidsFailure, isEnough, place } = advice
  const [gain, sufficiency] = [gainText(advice), sufficiencyText(advice, situation)]
  return (
    <li className='diag-card' {...(avoidsFailure === null ? {} : { 'data-tried': '', tabIndex: -1 })}>
      {gain !== null && (
        <p>
          <strong className='diag-gain'>{gain}</strong>
          {basis !== 'none' && <span className='weak diag-basis'> {t(`advice.${basis}`)}</span>}
        </p>
      )}
      {code !== null && (
        <p className='diag-code'>
          <code className='mono'>{code}</code>
          <CopyButton
            className='link-button'
            text={code}
            label={t('action.copyCode')}
            done={t('action.copied')}
            name={t('action.copyCodeName', { code })}
          />
        </p>
      )}
      <p>{asSentence(text)}</p>
      {sufficiency !== null && (
        <p className={isEnough === true ? 'good' : 't1'}>
          {isEnough === null ? '' : isEnough ? '✓ ' : '– '}
          {sufficiency}
        </p>
      )}
      {avoidsFailure !== null && (
        <p className={avoidsFailure ? 'good' : 't1'}>
          {avoidsFailure ? '✓ ' : '– '}
          {t(avoidsFailure ? 'advice.avoids' : 'advice.avoidsNot')}
        </p>
      )}
      <PlaceLink place={place} what={code ?? asSentence(text)} />
    </li>
  )
}

/** What is missing for a certain verdict; nothing where nothing is. */
export function NeedsList({ needs }: Pick<DiagnosisPage, 'needs'>) {
  const t = useDiagnosisTexts()
  if (needs.length === 0) return null
  return (
    <Section title={t('section.needs')} className='diag-needs'>
      <ul>
        {needs.map((need) => (
          <li key={need.en}>{asSentence(need)}</li>
        ))}
      </ul>
    </Section>
  )
}
