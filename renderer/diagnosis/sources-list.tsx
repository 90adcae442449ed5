// The files that the page was made from; those that the user gave can be taken off.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { Section } from './section.tsx'
import { sourceName, sourceUse } from './source-words.ts'
import { useDiagnosisTexts } from './words.ts'

interface SourcesProps extends Pick<DiagnosisPage, 'sources'> {
  /** Takes off what the user gave, by its place among the given; absent: nothing can be taken off now. */
  readonly onRemove: ((given: number) => void) | undefined
}

/** The section; nothing where nothing is known of them. */
export function SourcesList({ sources, onRemove }: SourcesProps) {
  const t = useDiagnosisTexts()
  if (sources.length === 0) return null
  return (
    <Section title={t('section.sources')} className='diag-sources'>
      <ul>
        {sources.map((source, at) => {
          const { given } = source
          const name = sourceName(source)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
            <li key={at}>
              <span className='mono'>{name}</span> <span className={source.use === 'read' ? 'weak' : 't1'}>{sourceUse(source)}</span>
              {given !== null && onRemove && (
                <button type='button' className='link-button' aria-label={t('source.removeName', { name })} onClick={() => onRemove(given)}>
                  {t('source.remove')}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
