// The filter of allocations that all views share: what its chips switch, what its text means, and how the engine is asked.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { Category } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'
import { engine } from '../data/engine-client.ts'
import { captureOf } from './captures.ts'
import { eventBound, filterJson, nothingResolved, type Resolved } from './filter-json.ts'
import {
  type FilterContext,
  type FilterTerms,
  largeBytes,
  type MomentBound,
  type MomentBounds,
  type Parsed,
  parseFilter,
  temporaryEvents,
} from './filter-language.ts'
import { type Bounds, type MomentText, meet } from './filter-units.ts'
import { parseTarget, type Target } from './go-to.ts'
import { deviceOf } from './initial-view.ts'
import { shownEvent } from './moment.ts'
import { type AllocationFilter, noFilter, patchView, viewOf } from './view-state.ts'

export { largeBytes, temporaryEvents }

export const sameFilter = (a: AllocationFilter, b: AllocationFilter): boolean =>
  a === b ||
  (a.text === b.text &&
    a.minBytes === b.minBytes &&
    a.mostEvents === b.mostEvents &&
    a.neverFreed === b.neverFreed &&
    a.within?.stacks === b.within?.stacks &&
    a.within?.categories === b.within?.categories &&
    a.within?.minBytes === b.within?.minBytes &&
    a.category === b.category)

/** True when the filter holds anything. */
export const isFiltering = (filter: AllocationFilter): boolean => !sameFilter({ ...filter, text: filter.text.trim() }, noFilter)

const chips = {
  large: { minBytes: largeBytes },
  temporary: { mostEvents: temporaryEvents },
  neverFreed: { neverFreed: true },
} as const satisfies Record<string, Partial<AllocationFilter>>
export type FilterChip = keyof typeof chips
export const filterChips = Object.keys(chips) as readonly FilterChip[]

const fieldOf = { large: 'minBytes', temporary: 'mostEvents', neverFreed: 'neverFreed' } as const

export const hasChip = (filter: AllocationFilter, chip: FilterChip): boolean => filter[fieldOf[chip]] !== undefined

/** The filter without a chip. Short-lived and never freed exclude each other, so both go. */
function withoutChip(filter: AllocationFilter, chip: FilterChip): AllocationFilter {
  const { minBytes, ...notLarge } = filter
  if (chip === 'large') return notLarge
  const { mostEvents, neverFreed, ...anyLife } = filter
  return anyLife
}

/** Switches a chip on or off. */
export function toggleChip(captureId: string, chip: FilterChip): void {
  const filter = viewOf(captureId)?.filter
  if (!filter) return
  const others = withoutChip(filter, chip)
  patchView(captureId, { filter: hasChip(filter, chip) ? others : { ...others, ...chips[chip] } })
}

/** The one allocation that a text names by address or number: something to go to, not to filter by. */
export function addressInText(text: string): Target | undefined {
  const target = parseTarget(text)
  return target?.kind === 'find' ? target : undefined
}

/** The filter without the stacks that it was narrowed to. */
export function withoutStacks({ within: _, ...others }: AllocationFilter): AllocationFilter {
  return others
}

/** What of a capture decides whether a text can be asked of it. */
export function contextOf(capture: CaptureSummary, device: number): FilterContext {
  const { streams, pools, hasTimes } = capture
  return { streams, pools, hasTimes, hasFailures: (deviceOf(capture, device)?.ooms.length ?? 0) > 0 }
}

/** What a text asks of a capture as it is looked at; an address asks nothing. */
export function termsOf(captureId: string, text: string): Parsed {
  const capture = captureOf(captureId)
  const device = viewOf(captureId)?.device ?? 0
  return parseFilter(addressInText(text) ? '' : text, capture && contextOf(capture, device))
}

/** Shows one category only; all again where it is the one shown. */
export function toggleCategory(captureId: string, category: Category): void {
  const filter = viewOf(captureId)?.filter
  if (!filter) return
  const { category: known, ...others } = filter
  patchView(captureId, { filter: known === category ? others : { ...others, category } })
}

const mostTexts = 64 // a capture

interface FoundStacks {
  readonly byText: ReadonlyMap<string, Promise<Result<readonly number[]>>>
}

const foundStacks = captureStores<FoundStacks>({ byText: new Map() })

function findStacks(captureId: string, text: string): Promise<Result<readonly number[]>> {
  const store = foundStacks(captureId)
  const { byText } = store.getState()
  const known = byText.get(text)
  if (known) return known
  const asked = engine.call('stacks.find', { captureId, text }).then((answer): Result<readonly number[]> => {
    if (!answer.ok) store.setState((now) => ({ byText: new Map([...now.byText].filter(([each]) => each !== text)) }))
    return answer.ok ? ok(answer.value.stackIds) : answer
  })
  store.setState({ byText: new Map([...(byText.size < mostTexts ? byText : []), [text, asked]]) })
  return asked
}

/** All values, or the first failure. */
async function every<T>(asked: readonly Promise<Result<T>>[]): Promise<Result<readonly T[]>> {
  const values: T[] = []
  for (const answer of await Promise.all(asked)) {
    if (!answer.ok) return answer
    values.push(answer.value)
  }
  return ok(values)
}

/** Stacks that hold each of the texts, one set a text. */
const stacksOf = (captureId: string, texts: readonly string[]) => every(texts.map((text) => findStacks(captureId, text)))

interface Place {
  readonly captureId: string
  readonly device: number
  readonly cursor: number | undefined // the pinned one
}

/** The event at which a capture is at a moment: the last one at or before a time, −1 = before the first. */
async function eventOf({ captureId, device, cursor }: Place, moment: MomentText): Promise<Result<number>> {
  if (moment.unit === 'events') return ok(moment.value)
  if (moment.unit === 'ns') {
    const answer = await engine.call('timeline.eventAt', { captureId, device, timeNs: moment.value })
    return answer.ok ? ok(answer.value.event) : answer
  }
  const capture = captureOf(captureId)
  const summary = capture && deviceOf(capture, device)
  if (!summary) return fail('query/unknown_capture', 'The capture is not open.')
  const last = summary.eventCount - 1
  const shown = shownEvent({ cursorEvent: cursor }, summary)
  const named = { start: -1, peak: summary.peakEvent, end: last, oom: summary.ooms.at(-1)?.event ?? -1, cursor: shown }
  return ok(named[moment.value])
}

/** A bound in events. A time lies between events: what is at it was made by the last event until then. */
async function boundOf(place: Place, bound: MomentBound | undefined, side: 'from' | 'to'): Promise<Result<Bounds>> {
  if (!bound) return ok({})
  const { moment, isInside } = bound
  if (moment.unit !== 'ns') {
    const event = await eventOf(place, moment)
    return event.ok ? ok(eventBound(bound, event.value, side)) : event
  }
  const isBefore = (side === 'from') === isInside
  const timeNs = isBefore ? Math.ceil(moment.value) - 1 : Math.floor(moment.value)
  const last = await eventOf(place, { unit: 'ns', value: timeNs })
  if (!last.ok) return last
  return ok(side === 'from' ? { min: last.value + 1 } : { max: last.value })
}

async function boundsIn(place: Place, asked: readonly MomentBounds[]): Promise<Result<Bounds>> {
  const all = await every(asked.flatMap(({ from, to }) => [boundOf(place, from, 'from'), boundOf(place, to, 'to')]))
  return all.ok ? ok(all.value.reduce(meet, {})) : all
}

async function resolve(place: Place, terms: FilterTerms): Promise<Result<Resolved>> {
  const { captureId } = place
  const [stacks, without, aliveAt, made, freed] = await Promise.all([
    stacksOf(captureId, terms.stacks),
    stacksOf(captureId, terms.withoutStacks),
    every(terms.aliveAt.map((moment) => eventOf(place, moment))),
    boundsIn(place, terms.made),
    boundsIn(place, terms.freed),
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

/** A filter for the engine, that of the capture's view unless given; '' lets everything pass. Equal texts are looked up once. */
export async function askFilter(captureId: string, filter = viewOf(captureId)?.filter): Promise<Result<string>> {
  const view = viewOf(captureId)
  if (!filter || !view) return fail('query/unknown_capture', 'The capture has no view.')
  const parsed = termsOf(captureId, filter.text)
  if (!parsed.ok) return fail('query/bad_argument', `The filter's term ${parsed.error.term} does not fit the capture.`)
  const resolved = await resolve({ captureId, device: view.device, cursor: view.cursorEvent }, parsed.terms)
  return resolved.ok ? ok(filterJson(filter, parsed.terms, resolved.value)) : resolved
}
