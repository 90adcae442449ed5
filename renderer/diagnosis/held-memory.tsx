// What held the memory at the moment: by category, by stack, by age.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { exactBytes, formatBytes, formatCount, formatShare } from '../i18n/format.ts'
import { cssColor, slotColor } from '../theme/palette.ts'
import { useTokens } from '../theme/theme.ts'
import { categorySlot, categoryTitle, stackTitle } from './names.ts'
import { PlaceName } from './place-link.tsx'
import { Section } from './section.tsx'
import { useDiagnosisTexts } from './words.ts'

type Held = NonNullable<DiagnosisPage['held']>

/** The section; nothing without a capture. */
export function HeldMemory({ held }: { readonly held: DiagnosisPage['held'] }) {
  const t = useDiagnosisTexts()
  if (!held || (held.categories.length === 0 && held.stacks.length === 0)) return null
  const total = held.categories.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <Section title={t('section.held')} note={formatBytes(total)} className='diag-held'>
      <Categories categories={held.categories} total={total} />
      <div className='diag-columns'>
        <Stacks stacks={held.stacks} total={total} />
        <Ages ages={held.ages} />
      </div>
    </Section>
  )
}

function Categories({ categories, total }: { readonly categories: Held['categories']; readonly total: number }) {
  const tokens = useTokens()
  const colorOf = (category: string) => cssColor(slotColor(tokens, 'category', categorySlot(category)) ?? [128, 128, 128])
  return (
    <>
      <div className='diag-categories' aria-hidden='true'>
        {categories.map(({ category, bytes }) => (
          <span key={category} style={{ flexGrow: bytes, background: colorOf(category) }} />
        ))}
      </div>
      <ul className='diag-legend'>
        {categories.map(({ category, bytes, place }) => (
          <li key={category} title={exactBytes(bytes)}>
            <span className='swatch' style={{ background: colorOf(category) }} />
            <PlaceName place={place} what={categoryTitle(category)}>
              {categoryTitle(category)}
            </PlaceName>
            <span className='t1'>{formatBytes(bytes)}</span>
            <span className='weak'>{formatShare(bytes, total)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const shownStacks = 8

function Stacks({ stacks, total }: { readonly stacks: Held['stacks']; readonly total: number }) {
  const t = useDiagnosisTexts()
  const more = stacks.length - shownStacks
  return (
    <div>
      <table className='data-table diag-table'>
        <thead>
          <tr>
            <th scope='col'>{t('column.stack')}</th>
            <th scope='col' className='middle-column'>
              {t('column.mostCategory')}
            </th>
            <th scope='col'>{t('column.bytes')}</th>
            <th scope='col'>{t('column.share')}</th>
            <th scope='col'>{t('column.count')}</th>
          </tr>
        </thead>
        <tbody>
          {stacks.slice(0, shownStacks).map((stack) => (
            <tr key={`${stack.title} ${stack.category}`}>
              <th scope='row'>
                <PlaceName place={stack.place} what={stackTitle(stack.title)}>
                  {stackTitle(stack.title)}
                </PlaceName>
              </th>
              <td className='middle-column'>{categoryTitle(stack.category)}</td>
              <td className='t1' title={exactBytes(stack.bytes)}>
                {formatBytes(stack.bytes)}
              </td>
              <td>{formatShare(stack.bytes, total)}</td>
              <td>{formatCount(stack.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className='panel-note'>{t('held.more', { count: more, formatted: formatCount(more) })}</p>}
    </div>
  )
}

function Ages({ ages }: { readonly ages: Held['ages'] }) {
  const t = useDiagnosisTexts()
  const most = Math.max(1, ...ages.map(({ bytes }) => bytes))
  if (ages.length === 0) return null
  return (
    <div className='diag-ages'>
      <h4>{t('held.ages')}</h4>
      <dl>
        {ages.map(({ age, bytes }) => (
          <div key={age}>
            <dt>{t(`age.${age}`)}</dt>
            <dd title={exactBytes(bytes)}>{formatBytes(bytes)}</dd>
            <dd className='diag-age-bar' aria-hidden='true'>
              <span style={{ width: `${(bytes / most) * 100}%` }} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
