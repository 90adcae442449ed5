// What a diagnosis says, in English and Chinese. {name} is filled in, {name|line|lines} by whether it
// is one; the sentences of one measure carry its name.
import type { Texts } from './types.ts'
import { adviceWords } from './words/advice.ts'
import { doubtWords } from './words/doubts.ts'
import { evidenceWords } from './words/evidence.ts'
import { factStateWords } from './words/fact-states.ts'
import { factWords } from './words/facts.ts'
import { sourceWords } from './words/sources.ts'

const words = { ...evidenceWords, ...factWords, ...factStateWords, ...adviceWords, ...doubtWords, ...sourceWords }

export type SentenceId = keyof typeof words

/** A sentence in both languages. A place without a word stays as it is. */
export function say(id: SentenceId, filled: Readonly<Record<string, string | number>> = {}): Texts {
  const [en, zh] = words[id]
  const one = (name: string): boolean => String(filled[name]) === '1'
  const fill = (text: string): string =>
    text
      .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (_, name: string, single: string, several: string) => (one(name) ? single : several))
      .replace(/\{(\w+)\}/g, (place, name: string) => String(filled[name] ?? place))
  return { en: fill(en), 'zh-CN': fill(zh) }
}

/** A sentence with places that are themselves words of a language. */
export function sayWith(
  id: SentenceId,
  texts: Readonly<Record<string, Texts>>,
  filled: Readonly<Record<string, string | number>> = {},
): Texts {
  const inLanguage = (language: keyof Texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text[language]]))
  return { en: say(id, { ...filled, ...inLanguage('en') }).en, 'zh-CN': say(id, { ...filled, ...inLanguage('zh-CN') })['zh-CN'] }
}
