// What the terms of a filter mean in a capture: which stacks hold a text, which event a moment is. Pure but for the questions it is given.
import { ok, type Result } from '../errors.ts'
import { eventBound, type FilterChips, filterJson, nothingResolved, type Resolved } from './filter-json.ts'
import type { FilterTerms, MomentBound, MomentBounds } from './filter-language.ts'
import { type Bounds, type MomentText, meet } from './filter-units.ts'

type NamedMoment = Extract<MomentText, { readonly unit: 'named' }>['value']

/** What is asked of an engine about one device of a capture. */
export interface FilterQuestions {
  /** Stacks one of whose frames holds the text. */
  readonly findStacks: (text: string) => Promise<Result<readonly number[]>>
  /** The last event at or before a time in nanoseconds, −1 = before the first. */
  readonly eventAt: (timeNs: number) => Promise<Result<number>>
  readonly named: Readonly<Record<NamedMoment, number>>
}

interface Moments {
  readonly eventCount: number
  readonly peakEvent: number
  readonly ooms: readonly { readonly event: number }[]
}

/** The events of the moments that have names. */
export const namedEvents = ({ eventCount, peakEvent, ooms }: Moments, cursor: number): FilterQuestions['named'] => ({
  start: -1,
  peak: peakEvent,
  end: eventCount - 1,
  oom: ooms.at(-1)?.event ?? -1,
  cursor,
})

/** All values, or the first failure. */
async function every<T>(asked: readonly Promise<Result<T>>[]): Promise<Result<readonly T[]>> {
  const values: T[] = []
  for (const answer of await Promise.all(asked)) {
    if (!answer.ok) return answer
    values.push(answer.value)
  }
  return ok(values)
}

/** The event at which a capture is at a moment: the last one at or before a time, −1 = before the first. */
async function eventOf({ eventAt, named }: FilterQuestions, moment: MomentText): Promise<Result<number>> {
  if (moment.unit === 'events') return ok(moment.value)
  return moment.unit === 'ns' ? eventAt(moment.value) : ok(named[moment.value])
}

/** A bound in events. A time lies between events: what is at it was made by the last event until then. */
async function boundOf(questions: FilterQuestions, bound: MomentBound | undefined, side: 'from' | 'to'): Promise<Result<Bounds>> {
  if (!bound) return ok({})
  const { moment, isInside } = bound
  if (moment.unit !== 'ns') {
    const event = await eventOf(questions, moment)
    return event.ok ? ok(eventBound(bound, event.value, side)) : event
  }
  const isBefore = (side === 'from') === isInside
  const last = await questions.eventAt(isBefore ? Math.ceil(moment.value) - 1 : Math.floor(moment.value))
  if (!last.ok) return last
  return ok(side === 'from' ? { min: last.value + 1 } : { max: last.value })
}

async function boundsIn(questions: FilterQuestions, asked: readonly MomentBounds[]): Promise<Result<Bounds>> {
  const all = await every(asked.flatMap(({ from, to }) => [boundOf(questions, from, 'from'), boundOf(questions, to, 'to')]))
  return all.ok ? ok(all.value.reduce(meet, {})) : all
}

async function resolve(questions: FilterQuestions, terms: FilterTerms): Promise<Result<Resolved>> {
  const [stacks, without, aliveAt, made, freed] = await Promise.all([
    every(terms.stacks.map(questions.findStacks)),
    every(terms.withoutStacks.map(questions.findStacks)),
    every(terms.aliveAt.map((moment) => eventOf(questions, moment))),
    boundsIn(questions, terms.made),
    boundsIn(questions, terms.freed),
  ])
  if (!stacks.ok) return stacks
  if (!without.ok) return without
  if (!aliveAt.ok) return aliveAt
  if (!made.ok) return made
  if (!freed.ok) return freed
  const [first, ...others] = stacks.value
  const sets = others.map((set) => new Set(set))
  return ok({
    ...nothingResolved,
    stacks: first?.filter((stack) => sets.every((set) => set.has(stack))),
    withoutStacks: terms.withoutStacks.length > 0 ? without.value.flat() : undefined,
    aliveAt: aliveAt.value,
    made: made.value,
    freed: freed.value,
  })
}

/** The filter for the engine; '' lets everything pass. Errors: those of the questions. */
export async function compileFilter(chips: FilterChips, terms: FilterTerms, questions: FilterQuestions): Promise<Result<string>> {
  const resolved = await resolve(questions, terms)
  return resolved.ok ? ok(filterJson(chips, terms, resolved.value)) : resolved
}
