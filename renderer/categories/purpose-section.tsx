// The section of a side bar that says what the memory of a moment is for.
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { isTold } from '../../preload/contract/categories.ts'
import type { Category, CategoryTotals } from '../../preload/contract/queries.ts'
import { exactBytes, formatBytes, formatCount, formatShare } from '../i18n/format.ts'
import { useTexts } from '../i18n/part-texts.ts'
import { failureSentence } from '../i18n/texts.ts'
import { isFiltering, isOfCategory, toggleCategory } from '../state/filter.ts'
import { useView } from '../state/use-view.ts'
import { cssColor, slotColor } from '../theme/palette.ts'
import { useTokens } from '../theme/theme.ts'
import { categoryText } from './texts.ts'
import { bytesOf, type Held, useTotals } from './totals.ts'
import { categoryName, confidenceText, ruleTitle, ruleWhy, slotOfCategory } from './words.ts'
import './categories.css'

interface PurposeProps {
  readonly capture: CaptureSummary
  readonly device: number
  readonly event: number // −1 = before the first
  readonly when: string // the moment in words
}

/** Bar and rows; nothing where no rule has matched anything that is held. */
export function PurposeSection({ capture, device, event, when }: PurposeProps) {
  const t = useTexts(categoryText)
  const { answer, isPending, failure } = useTotals(capture.captureId, { device, event })
  const isFiltered = useView(capture.captureId, (view) => isFiltering(view.filter))
  const held = answer?.totals.categories ?? []
  if (failure) return <p className='panel-note'>{failureSentence(failure)}</p>
  if (!answer || !isTold(held)) return null
  return (
    <section className='panel-section' aria-labelledby='purpose-title'>
      <div className='panel-head purpose-head'>
        <h2 id='purpose-title'>{t('purpose.title')}</h2>
        <span>{[when, ...(isFiltered ? [t('purpose.unfiltered')] : [])].filter(Boolean).join(' · ')}</span>
      </div>
      <div className={isPending ? 'pending' : undefined}>
        <Bar held={held} />
        <ul className='purpose-rows'>
          {held.map((each) => (
            <PurposeRow key={each.category} capture={capture} held={each} totals={answer.totals} />
          ))}
        </ul>
      </div>
    </section>
  )
}

const useColor = (): ((category: Category) => string) => {
  const tokens = useTokens()
  return (category) => cssColor(slotColor(tokens, 'category', slotOfCategory(category)) ?? [0, 0, 0])
}

/** Shares of all that is allocated, in the order of the rows, which say the same in words. */
function Bar({ held }: { readonly held: readonly Held[] }) {
  const colorOf = useColor()
  return (
    <div className='purpose-bar' aria-hidden='true'>
      {held.map(({ category, bytes }) => (
        <span key={category} style={{ flexGrow: bytes, background: colorOf(category) }} />
      ))}
    </div>
  )
}

interface RowProps {
  readonly capture: CaptureSummary
  readonly held: Held
  readonly totals: CategoryTotals
}

/** A category as two buttons: one opens its rules, the other filters all views by it. */
function PurposeRow({ capture, held, totals }: RowProps) {
  const t = useTexts(categoryText)
  const colorOf = useColor()
  const id = useId()
  const [isOpen, open] = useState(false)
  const { captureId } = capture
  const { category, bytes, count } = held
  const isOn = useView(captureId, (view) => isOfCategory(view.filter.text, category))
  const name = categoryName(category)
  const allocations = t('purpose.allocations', { count, allocations: formatCount(count) })
  const share = formatShare(bytes, bytesOf(totals.categories))
  return (
    <li>
      <div className='purpose-row'>
        <button
          type='button'
          className='icon-button'
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={t(isOpen ? 'purpose.hideRules' : 'purpose.showRules', { name })}
          title={t(isOpen ? 'purpose.hideRules' : 'purpose.showRules', { name })}
          onClick={() => open(!isOpen)}
        >
          <ChevronRight aria-hidden='true' size={12} />
        </button>
        <button
          type='button'
          className='purpose-filter'
          aria-pressed={isOn}
          title={`${name}\n${exactBytes(bytes)}\n${t('purpose.filterHint')}`}
          onClick={() => toggleCategory(captureId, category)}
        >
          <span className='swatch' style={{ background: colorOf(category) }} />
          <span className='truncate t1'>{name} </span>
          <span className='t1'>{formatBytes(bytes)} </span>
          <span className='purpose-count'>{allocations} </span>
          <span className='purpose-share'>{share}</span>
        </button>
      </div>
      {isOpen && (
        <ul className='purpose-rules' id={id}>
          {held.rules.map((each) => (
            <RuleRow key={each.rule} held={each} totals={totals} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** A rule with what it holds, and why it matched. */
function RuleRow({ held, totals }: { readonly held: Held['rules'][number]; readonly totals: CategoryTotals }) {
  const t = useTexts(categoryText)
  const rule = totals.rules.find(({ id }) => id === held.rule)
  return (
    <li>
      <div className='purpose-rule'>
        <span className='t1'>{rule ? ruleTitle(rule) : t('noRule')}</span>
        <span title={exactBytes(held.bytes)}>{formatBytes(held.bytes)}</span>
      </div>
      <p>{rule ? ruleWhy(rule) : t('noRuleWhy')}</p>
      {rule && <p className='purpose-sure'>{confidenceText(held.confidence)}</p>}
    </li>
  )
}
