// Texts of the join, in and outside React.
import { textsOf, useTexts as useTextsOf } from '../i18n/part-texts.ts'

const joinText = textsOf('join')

/** Texts of the join; the component is drawn again when the language changes. */
export const useJoinTexts = () => useTextsOf(joinText)
