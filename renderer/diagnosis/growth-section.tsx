// What grew: the last large rise, and the stacks that hold more with every step.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { exactBytes, formatBytes, formatCount } from '../i18n/format.ts'
import { lastGrowthText, stepsLeftText } from './document.ts'
import { stackTitle } from './names.ts'
import { PlaceLink, PlaceName } from './place-link.tsx'
import { Section } from './section.tsx'
import { bytesText, useDiagnosisTexts } from './words.ts'

type GrowthProps = Pick<DiagnosisPage, 'lastGrowth' | 'growing' | 'isGrowthSought' | 'steps'>

/** The section; nothing where neither is known. */
export function GrowthSection({ lastGrowth, growing, isGrowthSought, steps }: GrowthProps) {
  const t = useDiagnosisTexts()
  if (!lastGrowth && growing.length === 0) return null
  return (
    <Section
      title={t('section.growth')}
      {...(steps === null ? {} : { note: t('growth.steps', { count: steps, formatted: formatCount(steps) }) })}
    >
      {lastGrowth && (
        <p className='diag-line'>
          {lastGrowthText(lastGrowth)} <PlaceLink place={lastGrowth.place} what={t('growth.show')} />
        </p>
      )}
      {growing.length > 0 && <GrowingTable growing={growing} />}
      {growing.length === 0 && isGrowthSought && <p className='panel-note'>{t('growth.none')}</p>}
    </Section>
  )
}

function GrowingTable({ growing }: Pick<DiagnosisPage, 'growing'>) {
  const t = useDiagnosisTexts()
  return (
    <table className='data-table diag-table growing'>
      <thead>
        <tr>
          <th scope='col'>{t('column.stack')}</th>
          <th scope='col' className='middle-column'>
            {t('column.kind')}
          </th>
          <th scope='col'>{t('column.perStep')}</th>
          <th scope='col'>{t('column.grown')}</th>
          <th scope='col'>{t('column.stepsLeft')}</th>
        </tr>
      </thead>
      <tbody>
        {growing.map((stack) => (
          <tr key={`${stack.title} ${stack.kind}`}>
            <th scope='row'>
              <PlaceName place={stack.place} what={stackTitle(stack.title)}>
                {stackTitle(stack.title)}
              </PlaceName>
            </th>
            <td className='middle-column'>{t(`growth.${stack.kind}`)}</td>
            <td className='t1'>{bytesText(stack.bytesPerStep)}</td>
            <td title={exactBytes(stack.grownBytes)}>{formatBytes(stack.grownBytes)}</td>
            <td>{stepsLeftText(stack)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
