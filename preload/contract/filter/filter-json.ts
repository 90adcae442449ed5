// The terms of a filter and its chips as the JSON that the native library reads (native/README.md, Filters). Pure: moments are events
// and stacks are ids by now.
import type { Category } from '../categories.ts'
import { type FilterTerms, largeBytes, type MomentBound, type Trait, temporaryEvents } from './filter-language.ts'
import { type Bounds, meet } from './filter-units.ts'

/** What is asked besides the terms of a text, by chips and by what other views picked. */
export interface FilterChips {
  readonly minBytes?: number // rounded size at least
  readonly mostEvents?: number // temporary: freed, and alive for at most this many events
  readonly neverFreed?: boolean
  readonly within?: {
    readonly stacks?: readonly number[] | undefined
    readonly categories?: readonly Category[] | undefined
    readonly minBytes?: number | undefined
  }
}

/** What the engine has told about the terms. */
export interface Resolved {
  readonly stacks: readonly number[] | undefined // of all texts; undefined: none is asked for
  readonly withoutStacks: readonly number[] | undefined
  readonly aliveAt: readonly number[]
  /** Whole events [min, max], both included. */
  readonly made: Bounds
  readonly freed: Bounds
}

export const nothingResolved: Resolved = { stacks: undefined, withoutStacks: undefined, aliveAt: [], made: {}, freed: {} }

/** Items of both; an absent list holds all. */
function inBoth<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  if (!a || !b) return a ?? b
  const others = new Set(b)
  return a.filter((each) => others.has(each))
}

const inAll = <T>(sets: readonly (readonly T[])[]): readonly T[] | undefined =>
  sets.reduce<readonly T[] | undefined>((both, set) => inBoth(both, set), undefined)

interface TraitParts {
  readonly size?: Bounds
  readonly made?: Bounds
  readonly freed?: Bounds
  readonly mostEvents?: number
  readonly neverFreed?: boolean
  readonly stacks?: readonly number[]
  readonly withoutStacks?: readonly number[]
}

const beforeFirst = -1
const isFreed: TraitParts = { freed: { min: beforeFirst } }
const isNeverFreed: TraitParts = { neverFreed: true }

function traitParts(trait: Trait, isNegated: boolean): TraitParts {
  switch (trait) {
    case 'short_lived':
      return { mostEvents: temporaryEvents }
    case 'never_freed':
      return isNegated ? isFreed : isNeverFreed
    case 'freed':
      return isNegated ? isNeverFreed : isFreed
    case 'large':
      return { size: isNegated ? { max: largeBytes - 1 } : { min: largeBytes } }
    case 'no_stack':
      return isNegated ? { withoutStacks: [-1] } : { stacks: [-1] }
    default:
      return { made: isNegated ? { min: 0 } : { max: beforeFirst } }
  }
}

const pair = (low: string, high: string, { min, max }: Bounds): Record<string, number> => ({
  ...(min === undefined ? {} : { [low]: min }),
  ...(max === undefined ? {} : { [high]: max }),
})
/** Bounds of counts, which begin at 0: below that nothing passes. */
function counts(low: string, high: string, { min, max }: Bounds): Record<string, number> {
  if (max !== undefined && max < 0) return { [low]: Number.MAX_SAFE_INTEGER }
  return { ...(min === undefined || min <= 0 ? {} : { [low]: min }), ...(max === undefined ? {} : { [high]: max }) }
}
/** Half-open, as events are asked for. */
const events = (from: string, to: string, bounds: Bounds): Record<string, number> =>
  pair(from, to, bounds.max === undefined ? bounds : { ...bounds, max: bounds.max + 1 })

/** After the latest moment, and made by the earliest: allocated at all of them. */
function aliveParts(aliveAt: readonly number[]): { readonly at?: number; readonly made: Bounds } {
  if (aliveAt.length === 0) return { made: {} }
  const first = Math.min(...aliveAt)
  const last = Math.max(...aliveAt)
  return { at: last, made: first < last ? { max: first } : {} }
}

/** The smallest range of addresses in all of them. */
function addressParts(addresses: FilterTerms['addresses']): Record<string, string> {
  const inOrder = (key: 'from' | 'to') => addresses.map((each) => BigInt(each[key])).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const from = inOrder('from').at(-1) ?? 0n
  const to = inOrder('to')[0] ?? 0n
  return addresses.length === 0 ? {} : { address_from: `0x${from.toString(16)}`, address_to: `0x${to.toString(16)}` }
}

const sets = (parts: Readonly<Record<string, readonly (string | number)[] | undefined>>) =>
  Object.fromEntries(Object.entries(parts).filter(([, set]) => set !== undefined))

/** The filter for the engine; '' lets everything pass. */
export function filterJson(filter: FilterChips, terms: FilterTerms, resolved: Resolved): string {
  const parts = terms.traits.map(({ trait, isNegated }) => traitParts(trait, isNegated))
  const all = <K extends 'size' | 'made' | 'freed'>(key: K, first: Bounds): Bounds => parts.reduce((a, b) => meet(a, b[key] ?? {}), first)
  const alive = aliveParts(resolved.aliveAt)
  const size = all('size', meet(terms.size, { min: Math.max(filter.minBytes ?? 0, filter.within?.minBytes ?? 0) }))
  const temporary = [filter.mostEvents, ...parts.map(({ mostEvents }) => mostEvents)].filter((each) => each !== undefined)
  const left = [resolved.withoutStacks, terms.withoutStackIds, ...parts.map((part) => part.withoutStacks)].filter(
    (each) => each !== undefined,
  )
  const kept = inAll(
    [filter.within?.stacks, resolved.stacks, ...terms.stackIds, ...parts.map((part) => part.stacks)].filter((each) => each !== undefined),
  )
  const leftOut = new Set(left.flat())
  const without = terms.withoutCategories
  const json = {
    ...counts('min_bytes', 'max_bytes', size),
    ...counts('min_requested', 'max_requested', terms.requested),
    ...counts('min_life', 'max_life', terms.life),
    ...counts('min_life_ns', 'max_life_ns', terms.lifeNs),
    ...(temporary.length > 0 ? { most_events: Math.min(...temporary) } : {}),
    ...(filter.neverFreed || parts.some(({ neverFreed }) => neverFreed) ? { never_freed: true } : {}),
    ...(alive.at === undefined ? {} : { alive_at: alive.at }),
    ...events('made_from', 'made_to', all('made', meet(resolved.made, alive.made))),
    ...events('freed_from', 'freed_to', all('freed', resolved.freed)),
    ...addressParts(terms.addresses),
    ...sets({
      streams: inAll(terms.streams),
      pools: inAll(terms.pools),
      categories: inAll([...terms.categories, ...(filter.within?.categories ? [filter.within.categories] : [])]),
      without_categories: without.length > 0 ? without : undefined,
      stacks: kept?.filter((stack) => !leftOut.has(stack)),
      without_stacks: kept || leftOut.size === 0 ? undefined : [...leftOut],
    }),
  }
  return Object.keys(json).length === 0 ? '' : JSON.stringify(json)
}

/** A bound as whole events, its moment being after `event`. */
export const eventBound = ({ isInside }: MomentBound, event: number, side: 'from' | 'to'): Bounds => {
  if (side === 'from') return { min: isInside ? event : event + 1 }
  return { max: isInside ? event : event - 1 }
}
