// The view's own texts.
import { type Translate as TranslatePart, textsOf, useTexts } from '../../i18n/part-texts.ts'

export type Translate = TranslatePart<'allocations'>

export const allocationsText = textsOf('allocations')

/** The texts in React; the component is drawn again when the language changes. */
export const useAllocationsTexts = (): Translate => useTexts(allocationsText)
