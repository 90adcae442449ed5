// What is wrong with a filter's text, in words: which term, and what would be right.

import { type FilterError, filterKeys } from '../../preload/contract/filter/filter-language.ts'
import { textsOf } from '../i18n/part-texts.ts'

export const filterText = textsOf('filter')

const mostKnown = 6

function knownWords(known: readonly string[]): string {
  if (known.length === 0) return filterText('nothingKnown')
  const left = known.length - mostKnown
  return [...known.slice(0, mostKnown), ...(left > 0 ? [filterText('more', { count: left })] : [])].join(', ')
}

/** One sentence, or two. */
export function errorWords({ code, term, key, known }: FilterError): string {
  if (code === 'badValue' && key === undefined) return filterText('error.badWord', { term })
  return filterText(`error.${code}`, {
    term,
    keys: filterKeys.join(', '),
    right: key === undefined ? '' : filterText(`keys.${key}`),
    known: knownWords(known),
  })
}
