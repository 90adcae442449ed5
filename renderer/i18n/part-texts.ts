// Texts of one part of the window (a language file), in and outside React. Keys are those of the file, so the compiler knows them.
import i18next, { type ParseKeys } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { english } from './language.ts'
import './language.ts'

export type Part = keyof typeof english

/** What is put into a text. `count` chooses its plural form and is not shown: `formatted` is the number for people (`counted`). */
export type Values = Readonly<Record<string, string | number>> & { readonly count?: number }

/** Text of a key in the language shown, with values put in. */
export type Translate<P extends Part> = (key: ParseKeys<P>, values?: Values) => string

/** The texts of a part. */
export function textsOf<P extends Part>(part: P): Translate<P> {
  return (key, values) => String(i18next.t(key as never, { ns: part, ...values } as never))
}

export const plotText = textsOf('plot')
export const panelText = textsOf('panels')
export const noteText = textsOf('notes')

/** Draws the component again when the language changes; answers the texts handed in. */
export function useTexts<P extends Part>(texts: Translate<P>): Translate<P> {
  useTranslation()
  return texts
}

/** Texts of the panels; the component is drawn again when the language changes. */
export const usePanelTexts = (): Translate<'panels'> => useTexts(panelText)
