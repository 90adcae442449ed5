// Which languages there are, and which one to show.
export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

/** A text that the main process shows itself, in every language. */
export type LocalText = Readonly<Record<Language, string>>

/** The language to show for a choice. systemTag: the system's own, as a language tag (zh-TW) or a POSIX locale (zh_CN.UTF-8). */
export function resolveLanguage(choice: Language | 'system', systemTag: string): Language {
  if (choice !== 'system') return choice
  return /^zh(?![a-z])/i.test(systemTag) ? 'zh-CN' : 'en'
}
