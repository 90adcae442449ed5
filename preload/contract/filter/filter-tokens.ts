// A filter's text cut into its terms. What they mean is read by filter-language.ts.
import type { Operator } from './filter-units.ts'

export interface Token {
  readonly at: number // of its first character in the text
  readonly end: number
  readonly isNegated: boolean
  readonly key: string | undefined // lower case; undefined: a bare word or size
  readonly operator: Operator
  readonly value: string // without quotes
  readonly isQuoted: boolean
  readonly isOpen: boolean // a quote that does not end
}

const blanks = /\s*/y
const negation = /[-!](?=[^\s\d])/y
// A key with a comparison. `at::native` and `file.py:3` are none.
const keyed = /([a-z_]+)(?::(?!:)(?:(>=|<=|≥|≤|>|<|=)\s*)?|\s*(>=|<=|≥|≤|>|<|=)\s*)/iy
const bareSize = /(?:(>=|<=|≥|≤|>|<|=)\s*)?(\d[\d_]*(?:\.\d+)?\s*(?:[kmgt]i?b|b))(?=\s|$)/iy
const quoted = /"((?:[^"\\]|\\["\\])*)("?)/y
// Amounts may stand apart from their units, and ranges from their dots.
const unit = String.raw`\d[\d_]*(?:\.\d+)?\s*(?:[kmgt]i?b|b|ns|us|µs|μs|ms|min|s|events?)`
const amounts = new RegExp(String.raw`(?:\.\.\s*)?${unit}(?:\s*\.\.(?:\s*${unit})?)?(?=\s|$)`, 'iy')
const word = /\S*/y

const plain: Readonly<Record<string, Operator>> = { '≥': '>=', '≤': '<=' }
const operatorOf = (text: string | undefined): Operator => (text === undefined ? ':' : (plain[text] ?? (text as Operator)))

/** Reads from a place onwards, each time what a sticky pattern finds there. */
class Reader {
  at = 0
  readonly #text: string
  readonly #keys: readonly string[]
  constructor(text: string, keys: readonly string[]) {
    this.#text = text
    this.#keys = keys
  }
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)
    if (found) this.at += found[0].length
    return found ?? undefined
  }
  get isAtEnd(): boolean {
    return this.at >= this.#text.length
  }
  /** A key with its comparison. Of an unknown one < and > need a number after them: `vector<int>` is a word. */
  takeKey(): { readonly key: string; readonly operator: Operator } | undefined {
    const { at } = this
    const [, name, colon, plain] = this.take(keyed) ?? []
    const key = name?.toLowerCase()
    if (key === undefined) return undefined
    if (this.#keys.includes(key) || !/^[<>]/.test(plain ?? '') || /\d/.test(this.#text.charAt(this.at)))
      return { key, operator: operatorOf(colon ?? plain) }
    this.at = at
    return undefined
  }
}

/** The terms of a text, in its order. `keys`: those that are known. */
export function tokensOf(text: string, keys: readonly string[]): Token[] {
  const reader = new Reader(text, keys)
  const tokens: Token[] = []
  for (reader.take(blanks); !reader.isAtEnd; reader.take(blanks)) tokens.push(readToken(reader))
  return tokens
}

function readToken(reader: Reader): Token {
  const at = reader.at
  const size = reader.take(bareSize)
  const common = { at, isQuoted: false, isOpen: false }
  if (size)
    return { ...common, end: reader.at, isNegated: false, key: undefined, operator: operatorOf(size[1] ?? '>='), value: size[2] ?? '' }
  const isNegated = reader.take(negation) !== undefined
  const { key, operator = ':' } = reader.takeKey() ?? {}
  const quote = reader.take(quoted)
  if (quote) {
    const value = (quote[1] ?? '').replace(/\\(["\\])/g, '$1')
    return { at, end: reader.at, isNegated, key, operator, value, isQuoted: true, isOpen: quote[2] === '' }
  }
  const value = ((key !== undefined && reader.take(amounts)) || reader.take(word))?.[0] ?? ''
  return { ...common, end: reader.at, isNegated, key, operator, value }
}

/** A value as it must be typed, in quotes where it needs them. */
export const asTyped = (value: string): string => (/^[^\s"]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)
