// Names of categories and stacks as the page writes them.
import { type Category, categoryNames } from '../../preload/contract/queries.ts'
import { categoryName, slotOfCategory } from '../categories/words.ts'
import { diagnosisText } from './words.ts'

const isCategory = (name: string): name is Category => categoryNames.some((each) => each === name)

/** The category's name in the language shown; one of the user's own rules as it is. */
export const categoryTitle = (category: string): string => (isCategory(category) ? categoryName(category) : category)

/** Its colour slot; 0 = none. */
export const categorySlot = (category: string): number => (isCategory(category) ? slotOfCategory(category) : 0)

/** What a stack is called. */
export const stackTitle = (title: string): string => (title === '' ? diagnosisText('held.noStack') : title)
