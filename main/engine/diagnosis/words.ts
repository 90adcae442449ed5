// What a diagnosis says, in English and Chinese. {name} is filled in; the sentences of one measure carry its name.
import type { Texts } from './types.ts'
import { adviceWords } from './words/advice.ts'
import { doubtWords } from './words/doubts.ts'
import { evidenceWords } from './words/evidence.ts'
import { factStateWords } from './words/fact-states.ts'
import { factWords } from './words/facts.ts'

const words = { ...evidenceWords, ...factWords, ...factStateWords, ...adviceWords, ...doubtWords }

export type SentenceId = keyof typeof words

/** A sentence in both languages. A place without a word stays as it is. */
export function say(id: SentenceId, filled: Readonly<Record<string, string | number>> = {}): Texts {
  const [en, zh] = words[id]
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (place, name: string) => String(filled[name] ?? place))
  return { en: fill(en), 'zh-CN': fill(zh) }
}
