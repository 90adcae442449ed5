// Categories and rules in the language shown.
import { type AllocationCategory, type Category, type CategoryRule, categoryNames } from '../../preload/contract/queries.ts'
import { formatPercent } from '../i18n/format.ts'
import { currentLanguage } from '../i18n/language.ts'
import { plotText } from '../i18n/part-texts.ts'
import { categoryText } from './texts.ts'

/** Colour slot of a category. */
export const slotOfCategory = (category: Category): number => categoryNames.indexOf(category) + 1

/** "Optimizer state". */
export const categoryName = (category: Category): string => plotText(`category.${category}`)

/** The name that belongs to a colour slot; undefined for slots that are no category's. */
export function categoryOfSlot(slot: number): string | undefined {
  const category = categoryNames[slot - 1]
  return category && categoryName(category)
}

/** What a rule is called. */
export const ruleTitle = ({ title }: CategoryRule): string => title[currentLanguage()]

/** Why it says so; '' where its author did not tell. */
export const ruleWhy = ({ why }: CategoryRule): string => why[currentLanguage()]

const degrees = [
  { least: 0.9, key: 'confidence.high' },
  { least: 0.7, key: 'confidence.likely' },
  { least: 0.5, key: 'confidence.maybe' },
  { least: 0, key: 'confidence.guess' },
] as const

/** "likely · 85 %". */
export function confidenceText(confidence: number): string {
  const { key } = degrees.find(({ least }) => confidence >= least) ?? degrees[3]
  return categoryText('confidence.text', { word: categoryText(key), share: formatPercent(confidence) })
}

/** The same of an allocation as lines of text: category, rule, why. */
export function categoryLines({ category, rule, confidence }: AllocationCategory): readonly string[] {
  if (!rule) return [categoryName(category)]
  const why = ruleWhy(rule)
  return [`${categoryName(category)} (${confidenceText(confidence)})`, why === '' ? ruleTitle(rule) : `${ruleTitle(rule)}: ${why}`]
}
