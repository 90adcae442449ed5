// What may help, and what would make the verdict certain.
import type { DiagnosisAdvice, DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { formatBytes } from '../i18n/format.ts'
import { CopyButton } from '../widgets/copy-button.tsx'
import { PlaceLink } from './place-link.tsx'
import { Section } from './section.tsx'
import { advised, asSentence, useDiagnosisTexts } from './words.ts'

/** Numbered, most telling first. */
export function AdviceList({ advice }: Pick<DiagnosisPage, 'advice'>) {
  const t = useDiagnosisTexts()
  if (advice.length === 0) return null
  return (
    <Section title={t('section.advice')} className='diag-advice'>
      <ol className='diag-cards'>
        {advised(advice).map((each) => (
          <Advice key={each.id} advice={each} />
        ))}
      </ol>
    </Section>
  )
}

function Advice({ advice: { text, code, gainBytes, basis, avoidsFailure, place } }: { readonly advice: DiagnosisAdvice }) {
  const t = useDiagnosisTexts()
  return (
    <li className='diag-card'>
      {gainBytes !== null && (
        <p>
          <strong className='diag-gain'>{t('advice.gain', { bytes: formatBytes(gainBytes) })}</strong>
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
