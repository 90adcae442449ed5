// The request with its stack, and the error as the program wrote it.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { formatBytes } from '../i18n/format.ts'
import { poolTitle, streamTitle } from '../plot/legend.ts'
import { errorPlaceText, noFramesKey } from './document.ts'
import { Section } from './section.tsx'
import { saidSizeText } from './source-words.ts'
import { useDiagnosisTexts } from './words.ts'

/** The section; nothing without a capture. */
export function RequestSection({ request, situation, work }: Pick<DiagnosisPage, 'request' | 'situation' | 'work'>) {
  const t = useDiagnosisTexts()
  if (!request) return null
  const { frames, stream, pool, segmentType } = request
  const said = saidSizeText(situation)
  return (
    <Section
      title={t('section.request')}
      {...(situation.requestedBytes === null ? {} : { note: formatBytes(situation.requestedBytes) })}
      className='diag-request'
    >
      <p className='diag-line'>
        {t('request.where', {
          stream: streamTitle(stream),
          pool: poolTitle(pool),
          segment: t(segmentType === 'small' ? 'segmentOf.small' : 'segmentOf.large'),
        })}
      </p>
      {said !== null && <p className='panel-note'>{said}</p>}
      {frames.length === 0 ? (
        <p className='panel-note'>{t(noFramesKey(work))}</p>
      ) : (
        <ol className='diag-frames mono'>
          {frames.map((frame, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a frame may come twice, and the list never changes
            <li key={at}>{frame}</li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** The section; nothing without a text. */
export function ErrorTextSection({ errorText }: Pick<DiagnosisPage, 'errorText'>) {
  const t = useDiagnosisTexts()
  if (!errorText) return null
  return (
    <Section title={t('section.errorText')} note={errorPlaceText(errorText)}>
      <pre className='diag-text'>{errorText.text}</pre>
    </Section>
  )
}
