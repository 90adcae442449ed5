// The view's own texts.
import type { ParseKeys } from 'i18next'
import { type Translate as TranslatePart, textsOf, useTexts } from '../../i18n/part-texts.ts'

export type FlameKey = ParseKeys<'flame'>
export type Translate = TranslatePart<'flame'>

export const flameText = textsOf('flame')

/** The texts in React; the component is drawn again when the language changes. */
export const useFlameTexts = (): Translate => useTexts(flameText)
