// Texts in files of people's own: one for both languages, or one for each.
import { z } from 'zod'

/** A text of both languages, or one for each. */
export const textSchema = z.union([
  z.string().transform((text) => ({ en: text, 'zh-CN': text })),
  z.strictObject({ en: z.string(), 'zh-CN': z.string() }),
])

/** Where in a file something does not fit: `rules[2].title`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`), '') ||
  'The file'
