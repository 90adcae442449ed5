// The view's own texts.
import { type Translate as TranslatePart, textsOf, useTexts } from '../../i18n/part-texts.ts'

export type Translate = TranslatePart<'fragmentation'>

export const fragmentationText = textsOf('fragmentation')

/** The texts in React; the component is drawn again when the language changes. */
export const useFragmentationTexts = (): Translate => useTexts(fragmentationText)
