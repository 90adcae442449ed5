// What may come next in a filter's text: keys, and the values that a key has. Pure.

import { type FilterContext, type FilterKey, filterKeys, traits } from '../../preload/contract/filter/filter-language.ts'
import { asTyped, type Token, tokensOf } from '../../preload/contract/filter/filter-tokens.ts'
import { namedMoments } from '../../preload/contract/filter/filter-units.ts'
import { categoryNames } from '../../preload/contract/queries.ts'

export interface Completion {
  readonly insert: string // in place of [from, to) of the text
  readonly key: FilterKey // whose meaning tells what it is
}

export interface Completions {
  readonly from: number
  readonly to: number
  readonly items: readonly Completion[]
}

const none: Completions = { from: 0, to: 0, items: [] }

const openings: Readonly<Record<FilterKey, string>> = {
  size: 'size>',
  requested: 'requested>',
  life: 'life>',
  made: 'made>',
  freed: 'freed>',
  alive_at: 'alive_at:',
  stack: 'stack:',
  stack_id: 'stack_id:',
  address: 'address:',
  stream: 'stream:',
  pool: 'pool:',
  category: 'category:',
  is: 'is:',
}

function valuesOf(key: FilterKey, context: FilterContext): readonly string[] {
  if (key === 'alive_at') return context.hasFailures ? namedMoments : namedMoments.filter((each) => each !== 'oom')
  if (key === 'is') return traits
  if (key === 'category') return categoryNames
  if (key === 'stream') return context.streams
  return key === 'pool' ? context.pools : []
}

/** What fits the term that ends at the caret; on an empty place all keys. */
export function completionsOf(text: string, caret: number, context: FilterContext): Completions {
  const token = tokensOf(text.slice(0, caret), filterKeys).at(-1)
  if (!token || token.end < caret) return { from: caret, to: caret, items: filterKeys.map((key) => ({ insert: openings[key], key })) }
  const sign = token.isNegated ? text.charAt(token.at) : ''
  const key = filterKeys.find((each) => each === token.key)
  return key ? valueItems(token, key, sign, context) : keyItems(token, sign)
}

function valueItems({ at, end, value, operator }: Token, key: FilterKey, sign: string, context: FilterContext): Completions {
  if (operator !== ':') return none
  const typed = value.toLowerCase()
  const fitting = valuesOf(key, context).filter((each) => each.toLowerCase().startsWith(typed) && each.toLowerCase() !== typed)
  return { from: at, to: end, items: fitting.map((each) => ({ insert: `${sign}${openings[key]}${asTyped(each)} `, key })) }
}

function keyItems({ at, end, key, value, isQuoted }: Token, sign: string): Completions {
  if (key !== undefined || isQuoted || value === '') return none
  const fitting = filterKeys.filter((each) => each.startsWith(value.toLowerCase()))
  return { from: at, to: end, items: fitting.map((each) => ({ insert: `${sign}${openings[each]}`, key: each })) }
}
