// The block map's texts.
import { type Translate as TranslatePart, textsOf, useTexts } from '../../i18n/part-texts.ts'

export type Translate = TranslatePart<'blocks'>

export const blocksText: Translate = textsOf('blocks')

/** The same in React: the component is drawn again when the language changes. */
export const useBlocksTexts = (): Translate => useTexts<'blocks'>(blocksText)
