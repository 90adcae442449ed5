// The filter of allocations that all views share: what its chips switch, what its text means, and how the engine is asked.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { compileFilter, type FilterQuestions, namedEvents } from '../../preload/contract/filter/filter-answers.ts'
import { filterJson, nothingResolved } from '../../preload/contract/filter/filter-json.ts'
import {
  type FilterContext,
  filterKeys,
  largeBytes,
  noTerms,
  type Parsed,
  parseFilter,
  temporaryEvents,
} from '../../preload/contract/filter/filter-language.ts'
import { type Token, tokensOf } from '../../preload/contract/filter/filter-tokens.ts'
import type { Category } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'
import { engine } from '../data/engine-client.ts'
import { captureOf } from './captures.ts'
import { parseTarget, type Target } from './go-to.ts'
import { deviceOf } from './initial-view.ts'
import { shownEvent } from './moment.ts'
import { type AllocationFilter, noFilter, patchView, viewOf, withCategory } from './view-state.ts'

export { largeBytes, temporaryEvents }

export const sameFilter = (a: AllocationFilter, b: AllocationFilter): boolean =>
  a === b ||
  (a.text === b.text &&
    a.minBytes === b.minBytes &&
    a.mostEvents === b.mostEvents &&
    a.neverFreed === b.neverFreed &&
    a.within?.stacks === b.within?.stacks &&
    a.within?.categories === b.within?.categories &&
    a.within?.minBytes === b.within?.minBytes)

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

const categoryTerms = (text: string): readonly Token[] =>
  tokensOf(text, filterKeys).filter(({ key, isNegated }) => key === 'category' && !isNegated)

/** True where a text asks for one category and no other. */
export function isOfCategory(text: string, category: Category): boolean {
  const terms = categoryTerms(text)
  return terms.length === 1 && terms[0]?.value.toLowerCase() === category
}

/** Shows one category only, as a term of the filter's text; all again where it is the one shown. */
export function toggleCategory(captureId: string, category: Category): void {
  const filter = viewOf(captureId)?.filter
  if (!filter) return
  const text = addressInText(filter.text) ? '' : filter.text
  const others = categoryTerms(text).reduceRight(
    (left, { at, end }) => `${left.slice(0, at).trimEnd()} ${left.slice(end).trimStart()}`,
    text,
  )
  patchView(captureId, { filter: { ...filter, text: isOfCategory(text, category) ? others.trim() : withCategory(others, category) } })
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

/** What the terms of a filter ask of the capture in view. */
function questionsOf(captureId: string, device: number, cursor: number | undefined): Result<FilterQuestions> {
  const capture = captureOf(captureId)
  const summary = capture && deviceOf(capture, device)
  if (!summary) return fail('query/unknown_capture', 'The capture is not open.')
  return ok({
    findStacks: (text) => findStacks(captureId, text),
    eventAt: async (timeNs) => {
      const answer = await engine.call('timeline.eventAt', { captureId, device, timeNs })
      return answer.ok ? ok(answer.value.event) : answer
    },
    named: namedEvents(summary, shownEvent({ cursorEvent: cursor }, summary)),
  })
}

/** A filter for the engine, that of the capture's view unless given; '' lets everything pass. Equal texts are looked up once. */
export async function askFilter(captureId: string, filter = viewOf(captureId)?.filter): Promise<Result<string>> {
  const view = viewOf(captureId)
  if (!filter || !view) return fail('query/unknown_capture', 'The capture has no view.')
  const parsed = termsOf(captureId, filter.text)
  if (!parsed.ok) return fail('query/bad_argument', `The filter's term ${parsed.error.term} does not fit the capture.`)
  if (parsed.terms === noTerms) return ok(filterJson(filter, noTerms, nothingResolved))
  const questions = questionsOf(captureId, view.device, view.cursorEvent)
  return questions.ok ? compileFilter(filter, parsed.terms, questions.value) : questions
}
