// Numbers and dates for people. Numbers read the same in every language and on the command line; only dates follow the language.
export * from '../../preload/contract/format.ts'

/** A wall-clock moment in the language's own form. */
export function formatDate(unixMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(unixMs)
}
