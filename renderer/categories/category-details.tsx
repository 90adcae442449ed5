// The drawer's section about what the selected allocation is for, and why that is believed.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { useTexts } from '../i18n/part-texts.ts'
import { isOfCategory, toggleCategory } from '../state/filter.ts'
import { useView } from '../state/use-view.ts'
import { cssColor, slotColor } from '../theme/palette.ts'
import { useTokens } from '../theme/theme.ts'
import { categoryText } from './texts.ts'
import { categoryName, confidenceText, ruleTitle, ruleWhy, slotOfCategory } from './words.ts'
import './categories.css'

interface CategoryDetailsProps {
  readonly capture: CaptureSummary
  readonly details: Pick<AllocationDetails, 'category'>
}

/** Category as a button that filters by it, how sure it is, the rule and its reason. */
export function CategoryDetails({ capture: { captureId }, details }: CategoryDetailsProps) {
  const t = useTexts(categoryText)
  const tokens = useTokens()
  const { category, rule, confidence } = details.category
  const isOn = useView(captureId, (view) => isOfCategory(view.filter.text, category))
  return (
    <section className='panel-section category-details' aria-labelledby='category-title'>
      <div className='panel-head'>
        <h3 id='category-title'>{t('purpose.ofOne')}</h3>
        {rule && <span title={t('confidence.hint')}>{confidenceText(confidence)}</span>}
      </div>
      <button
        type='button'
        className='purpose-filter'
        aria-pressed={isOn}
        title={t('purpose.filterHint')}
        onClick={() => toggleCategory(captureId, category)}
      >
        <span className='swatch' style={{ background: cssColor(slotColor(tokens, 'category', slotOfCategory(category)) ?? [0, 0, 0]) }} />
        <span className='t1'>{categoryName(category)}</span>
      </button>
      <p>{rule ? <span className='t1'>{ruleTitle(rule)}</span> : t('noRule')}</p>
      <p className='weak'>{rule ? ruleWhy(rule) : t('noRuleWhy')}</p>
    </section>
  )
}
