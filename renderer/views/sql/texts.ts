// The view's own texts.
import type { ParseKeys } from 'i18next'
import { type Translate as TranslatePart, textsOf, useTexts } from '../../i18n/part-texts.ts'

export type SqlKey = ParseKeys<'sql'>
export type Translate = TranslatePart<'sql'>

export const sqlViewText = textsOf('sql')

/** The texts in React; the component is drawn again when the language changes. */
export const useSqlTexts = (): Translate => useTexts(sqlViewText)
