// The numbers of the moment and the settings of the allocator: in the side bar of the view, else on the page.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { exactBytes, formatBytes, formatTime } from '../i18n/format.ts'
import { momentRows } from './document.ts'
import { useDiagnosisTexts } from './words.ts'

interface FactsProps {
  readonly diagnosis: DiagnosisPage
}

/** Rows of numbers; those that are not known are left out. */
export function MomentFacts({ diagnosis }: FactsProps) {
  const t = useDiagnosisTexts()
  const rows = momentRows(diagnosis)
  if (rows.length === 0) return null
  return (
    <section className='panel-section' aria-labelledby='diag-moment'>
      <h2 id='diag-moment'>{t(diagnosis.situation.isFailure ? 'section.moment' : 'section.momentPeak')}</h2>
      <dl>
        {rows.map(({ name, bytes, timeNs, text }) => (
          <div key={name} className='row'>
            <dt>{t(`moment.${name}`)}</dt>
            <dd title={bytes === undefined ? undefined : exactBytes(bytes)}>
              {text ?? (bytes !== undefined ? formatBytes(bytes) : formatTime(timeNs ?? 0))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** How the allocator was set. */
export function SettingsFacts({ diagnosis: { settings } }: FactsProps) {
  const t = useDiagnosisTexts()
  return (
    <section className='panel-section' aria-labelledby='diag-settings'>
      <h2 id='diag-settings'>{t('section.settings')}</h2>
      {settings.length === 0 ? (
        <p className='panel-note'>{t('settings.none')}</p>
      ) : (
        <dl className='diag-settings'>
          {settings.map(({ name, value }) => (
            <div key={name} className='row'>
              <dt className='truncate' title={name}>
                {name}
              </dt>
              <dd className='truncate' title={value}>
                {value === '' ? t('settings.empty') : value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
