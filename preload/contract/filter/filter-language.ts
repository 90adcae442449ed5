// The filter language: what a text such as `size>10MiB stack:attention alive_at:peak` asks of allocations. Pure; what must be
// asked of an engine is in filter-answers.ts. Terms stand apart by blanks and must all hold; README.md has the table of them.
import { categoryNames } from '../categories.ts'
import { type Token, tokensOf } from './filter-tokens.ts'
import {
  type Bounds,
  boundsOf,
  bytesOf,
  inverse,
  type MomentText,
  meet,
  momentOfText,
  namedMoments,
  type Span,
  spanOfText,
} from './filter-units.ts'

export const filterKeys = [
  'size',
  'requested',
  'life',
  'made',
  'freed',
  'alive_at',
  'stack',
  'stack_id',
  'address',
  'stream',
  'pool',
  'category',
  'is',
] as const
export type FilterKey = (typeof filterKeys)[number]

export const traits = ['short_lived', 'never_freed', 'freed', 'large', 'no_stack', 'before_history'] as const
export type Trait = (typeof traits)[number]

/** A freed allocation alive for at most so many events is short-lived. */
export const temporaryEvents = 40
export const largeBytes = 2 ** 20

/** What is wrong with a text, and where: [at, end) of it. `expects`: what would be right, by key. */
export interface FilterError {
  readonly code: 'unknownTerm' | 'badValue' | 'notThere' | 'noNegation' | 'noTimes' | 'openQuote'
  readonly at: number
  readonly end: number
  readonly term: string // as typed
  readonly key: FilterKey | undefined
  readonly known: readonly string[] // what the capture has, of `notThere`
}

/** What of a capture decides whether a text can be asked of it. */
export interface FilterContext {
  readonly streams: readonly string[]
  readonly pools: readonly string[]
  readonly hasTimes: boolean
  readonly hasFailures: boolean // to allocate, on the device in view
}

/** From one moment to another, both included. */
export interface MomentBounds {
  readonly from?: MomentBound
  readonly to?: MomentBound
}
export interface MomentBound {
  readonly moment: MomentText
  readonly isInside: boolean // the moment itself counts too
}

/** What a text asks; all of it must hold. */
export interface FilterTerms {
  readonly size: Bounds
  readonly requested: Bounds
  readonly life: Bounds // events
  readonly lifeNs: Bounds
  readonly made: readonly MomentBounds[]
  readonly freed: readonly MomentBounds[]
  readonly aliveAt: readonly MomentText[]
  readonly stacks: readonly string[] // texts that a frame holds
  readonly withoutStacks: readonly string[]
  readonly stackIds: readonly (readonly number[])[] // of each of these sets
  readonly withoutStackIds: readonly number[]
  readonly addresses: readonly { readonly from: string; readonly to: string }[] // hexadecimal, half-open
  readonly streams: readonly (readonly string[])[] // of each of these sets
  readonly pools: readonly (readonly string[])[]
  readonly categories: readonly (readonly string[])[]
  readonly withoutCategories: readonly string[]
  readonly traits: readonly { readonly trait: Trait; readonly isNegated: boolean }[]
}

export type Parsed = { readonly ok: true; readonly terms: FilterTerms } | { readonly ok: false; readonly error: FilterError }

/** Asks nothing. */
export const noTerms: FilterTerms = {
  size: {},
  requested: {},
  life: {},
  lifeNs: {},
  made: [],
  freed: [],
  aliveAt: [],
  stacks: [],
  withoutStacks: [],
  stackIds: [],
  withoutStackIds: [],
  addresses: [],
  streams: [],
  pools: [],
  categories: [],
  withoutCategories: [],
  traits: [],
}

type Code = FilterError['code']
type Read = FilterTerms | Code | { readonly code: 'notThere'; readonly known: readonly string[] }

const isKey = (key: string): key is FilterKey => (filterKeys as readonly string[]).includes(key)

/** Reads a text; without a context what only a capture can tell is not checked. */
export function parseFilter(text: string, context?: FilterContext): Parsed {
  let terms = noTerms
  for (const token of tokensOf(text, filterKeys)) {
    const read = readTerm(terms, token, context)
    if (typeof read === 'object' && !('code' in read)) {
      terms = read
      continue
    }
    const { code, known } = typeof read === 'string' ? { code: read, known: [] } : read
    const key = token.key !== undefined && isKey(token.key) ? token.key : undefined
    return { ok: false, error: { code, at: token.at, end: token.end, term: text.slice(token.at, token.end), key, known } }
  }
  return { ok: true, terms }
}

function readTerm(terms: FilterTerms, token: Token, context: FilterContext | undefined): Read {
  if (token.isOpen) return 'openQuote'
  const { key } = token
  if (key === undefined) return readBare(terms, token)
  if (!isKey(key)) return 'unknownTerm'
  if (token.value === '') return 'badValue'
  return readers[key](terms, token, context)
}

const readBare = (terms: FilterTerms, token: Token): Read => {
  const { value, isQuoted } = token
  if (value === '') return isQuoted ? 'badValue' : terms
  if (token.operator !== ':') return readers.size(terms, token, undefined)
  if (!isQuoted && /^0x[0-9a-f_]+$/i.test(value)) return readers.address(terms, token, undefined)
  return readers.stack(terms, token, undefined)
}

type TermReader = (terms: FilterTerms, token: Token, context: FilterContext | undefined) => Read

/** Ends of `a..b`, either of which may be missing; undefined: no range. */
function endsOf(value: string): readonly [string, string] | undefined {
  const [, from, to] = /^(.*?)\s*\.\.\s*(.*)$/.exec(value) ?? []
  return from === undefined || to === undefined || (from === '' && to === '') ? undefined : [from, to]
}

/** The numbers that a comparison or a range leaves. */
function readBounds({ operator, value, isNegated }: Token, numberOf: (text: string) => number | undefined): Bounds | Code {
  const ends = operator === ':' ? endsOf(value) : undefined
  if (ends) {
    if (isNegated) return 'noNegation'
    const [from, to] = ends.map((end) => (end === '' ? undefined : (numberOf(end) ?? Number.NaN)))
    if (Number.isNaN(from) || Number.isNaN(to)) return 'badValue'
    return { ...(from === undefined ? {} : { min: Math.ceil(from) }), ...(to === undefined ? {} : { max: Math.floor(to) }) }
  }
  const number = numberOf(value)
  if (number === undefined) return 'badValue'
  const asked = isNegated ? inverse[operator] : operator
  return asked === undefined ? 'noNegation' : boundsOf(asked, number)
}

const bytesReader =
  (field: 'size' | 'requested'): TermReader =>
  (terms, token) => {
    const bounds = readBounds(token, bytesOf)
    return typeof bounds === 'string' ? bounds : { ...terms, [field]: meet(terms[field], bounds) }
  }

const readLife: TermReader = (terms, token, context) => {
  if (token.isNegated) return 'noNegation'
  const units = new Set<Span['unit']>()
  const bounds = readBounds(token, (text) => {
    const span = spanOfText(text)
    if (span) units.add(span.unit)
    return span?.value
  })
  if (typeof bounds === 'string') return bounds
  const [unit] = units
  if (units.size !== 1) return 'badValue'
  if (unit === 'ns' && context?.hasTimes === false) return 'noTimes'
  const field = unit === 'ns' ? 'lifeNs' : 'life'
  return { ...terms, [field]: meet(terms[field], bounds) }
}

function readMomentBounds({ operator, value }: Token): MomentBounds | Code {
  const bound = (text: string, isInside: boolean): MomentBound | undefined => {
    const moment = momentOfText(text)
    return moment && { moment, isInside }
  }
  const ends = operator === ':' ? endsOf(value) : undefined
  if (ends) {
    const [from, to] = ends.map((end) => (end === '' ? undefined : bound(end, true)))
    if ((ends[0] !== '' && !from) || (ends[1] !== '' && !to)) return 'badValue'
    return { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  }
  const inside = bound(value, operator !== '>' && operator !== '<')
  if (!inside) return 'badValue'
  if (operator === '>' || operator === '>=') return { from: inside }
  return operator === '<' || operator === '<=' ? { to: inside } : { from: inside, to: inside }
}

/** Why a capture cannot tell of moments; undefined: it can. */
function missing(moments: readonly (MomentText | undefined)[], context: FilterContext | undefined): Read | undefined {
  if (context?.hasTimes === false && moments.some((moment) => moment?.unit === 'ns')) return 'noTimes'
  const isOom = moments.some((moment) => moment?.unit === 'named' && moment.value === 'oom')
  return isOom && context?.hasFailures === false ? { code: 'notThere', known: namedMoments.filter((each) => each !== 'oom') } : undefined
}

const eventReader =
  (field: 'made' | 'freed'): TermReader =>
  (terms, token, context) => {
    const asked = token.isNegated && field === 'made' ? inverse[token.operator] : token.isNegated ? undefined : token.operator
    if (asked === undefined) return 'noNegation'
    const bounds = readMomentBounds({ ...token, operator: asked })
    if (typeof bounds === 'string') return bounds
    return missing([bounds.from?.moment, bounds.to?.moment], context) ?? { ...terms, [field]: [...terms[field], bounds] }
  }

const readAlive: TermReader = (terms, { operator, value, isNegated }, context) => {
  if (isNegated) return 'noNegation'
  const moment = operator === ':' || operator === '=' ? momentOfText(value) : undefined
  if (!moment) return 'badValue'
  return missing([moment], context) ?? { ...terms, aliveAt: [...terms.aliveAt, moment] }
}

const isEqual = ({ operator }: Token): boolean => operator === ':' || operator === '='

const readStack: TermReader = (terms, token) => {
  if (!isEqual(token)) return 'badValue'
  const field = token.isNegated ? 'withoutStacks' : 'stacks'
  return { ...terms, [field]: [...terms[field], token.value] }
}

/** Ids are those of the relation `stack`; −1 is what has no frames. */
const readStackId: TermReader = (terms, token) => {
  const ids = listed(token.value).map((each) => (/^(?:-1|\d{1,10})$/.test(each) ? Number(each) : Number.NaN))
  if (!isEqual(token) || ids.some(Number.isNaN)) return 'badValue'
  if (token.isNegated) return { ...terms, withoutStackIds: [...terms.withoutStackIds, ...ids] }
  return { ...terms, stackIds: [...terms.stackIds, ids] }
}

const hexOf = (text: string): bigint | undefined => {
  const digits = text.replaceAll('_', '').toLowerCase()
  return /^0x[0-9a-f]{1,16}$/.test(digits) ? BigInt(digits) : undefined
}
const hexText = (value: bigint): string => `0x${value.toString(16)}`
const lastAddress = 2n ** 64n - 1n

const readAddress: TermReader = (terms, token) => {
  if (token.isNegated) return 'noNegation'
  const [first, last] = endsOf(token.value) ?? [token.value, token.value]
  const from = first === '' ? 0n : hexOf(first)
  const to = last === '' ? lastAddress : hexOf(last)
  if (!isEqual(token) || from === undefined || to === undefined) return 'badValue'
  const end = to < lastAddress ? to + 1n : to
  return { ...terms, addresses: [...terms.addresses, { from: hexText(from), to: hexText(end) }] }
}

/** Names of a list apart by commas; of a pool's name the comma is part, so that it stands in brackets. */
const listed = (value: string): string[] => value.split(/,(?![^(]*\))/).map((each) => each.trim())

const bare = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase()

/** What of `all` each name means; a name that means nothing is not there. */
function choose(token: Token, all: readonly string[], fits: (each: string, name: string) => boolean): readonly string[] | Read {
  if (!isEqual(token)) return 'badValue'
  const chosen = new Set<string>()
  for (const name of listed(token.value)) {
    const found = all.filter((each) => fits(each, name))
    if (found.length === 0) return { code: 'notThere', known: all }
    for (const each of found) chosen.add(each)
  }
  return token.isNegated ? all.filter((each) => !chosen.has(each)) : [...chosen]
}

const isList = (read: readonly string[] | Read): read is readonly string[] => Array.isArray(read)

const readStream: TermReader = (terms, token, context) => {
  const chosen = choose(token, context?.streams ?? [], (handle, name) => {
    if (name === 'default') return handle === '0'
    return handle === name || (/^0x/i.test(name) && hexOf(name) === BigInt.asUintN(64, BigInt(handle)))
  })
  return isList(chosen) ? { ...terms, streams: [...terms.streams, chosen] } : chosen
}

const readPool: TermReader = (terms, token, context) => {
  const chosen = choose(token, context?.pools ?? [], (pool, name) => bare(pool) === (name === 'default' ? '(0,0)' : bare(name)))
  return isList(chosen) ? { ...terms, pools: [...terms.pools, chosen] } : chosen
}

const readCategory: TermReader = (terms, token) => {
  const chosen = choose({ ...token, isNegated: false }, categoryNames, (category, name) => category === name.toLowerCase())
  if (!isList(chosen)) return typeof chosen === 'object' ? 'badValue' : chosen
  if (token.isNegated) return { ...terms, withoutCategories: [...terms.withoutCategories, ...chosen] }
  return { ...terms, categories: [...terms.categories, chosen] }
}

const readTrait: TermReader = (terms, { value, isNegated }) => {
  // A filter that was saved when it was called so still works.
  const word = value.toLowerCase() === 'temporary' ? 'short_lived' : value.toLowerCase()
  const trait = traits.find((each) => each === word)
  if (!trait) return 'badValue'
  return isNegated && trait === 'short_lived' ? 'noNegation' : { ...terms, traits: [...terms.traits, { trait, isNegated }] }
}

const readers: Readonly<Record<FilterKey, TermReader>> = {
  size: bytesReader('size'),
  requested: bytesReader('requested'),
  life: readLife,
  made: eventReader('made'),
  freed: eventReader('freed'),
  alive_at: readAlive,
  stack: readStack,
  stack_id: readStackId,
  address: readAddress,
  stream: readStream,
  pool: readPool,
  category: readCategory,
  is: readTrait,
}
