// Texts of the tab of failures.
import { type Translate, textsOf, useTexts } from '../i18n/part-texts.ts'

export const failuresText = textsOf('failures')

/** The texts in React; the component is drawn again when the language changes. */
export const useFailuresTexts = (): Translate<'failures'> => useTexts(failuresText)
