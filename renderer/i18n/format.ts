// Numbers and dates for people. Numbers read the same in every language and on the command line; only dates follow the language.
import { formatCount } from '../../preload/contract/format.ts'

export * from '../../preload/contract/format.ts'

/** A number for a text with plural forms: what chooses the form, and what is shown. */
export const counted = (count: number): { readonly count: number; readonly formatted: string } => ({ count, formatted: formatCount(count) })

/** A wall-clock moment in the language's own form. */
export function formatDate(unixMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(unixMs)
}
