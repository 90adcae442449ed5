// The filter of allocations that all views share: what its chips switch, what its text means, and how the engine is asked.
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { captureStores } from '../data/capture-stores.ts'
import { engine } from '../data/engine-client.ts'
import { parseTarget, type Target } from './go-to.ts'
import { type AllocationFilter, noFilter, patchView, viewOf } from './view-state.ts'

/** A freed allocation alive for at most so many events counts as temporary. */
export const temporaryEvents = 40
export const largeBytes = 2 ** 20

export const sameFilter = (a: AllocationFilter, b: AllocationFilter): boolean =>
  a === b ||
  (a.text === b.text &&
    a.minBytes === b.minBytes &&
    a.mostEvents === b.mostEvents &&
    a.neverFreed === b.neverFreed &&
    a.within?.stacks === b.within?.stacks)

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

/** The filter without a chip. Temporary and never freed exclude each other, so both go. */
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

const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  kib: 2 ** 10,
  kb: 2 ** 10,
  mib: 2 ** 20,
  mb: 2 ** 20,
  gib: 2 ** 30,
  gb: 2 ** 30,
}

/** Bytes of a text such as "4 MiB", ">= 512 KiB" or "≥ 1.5GiB"; undefined when it is no size. The unit is needed: a bare number may be a line. */
export function sizeInText(text: string): number | undefined {
  const [, digits, unit = ''] = /^(?:>=?|≥)?\s*(\d+(?:\.\d+)?)\s*([kmg]i?b|b)\s*$/i.exec(text.trim()) ?? []
  return digits === undefined ? undefined : Math.ceil(Number(digits) * (sizeUnits[unit.toLowerCase()] ?? 1))
}

/** The one allocation that a text names by address or number: something to go to, not to filter by. */
export function addressInText(text: string): Target | undefined {
  const target = parseTarget(text)
  return target?.kind === 'find' ? target : undefined
}

/** What is looked for in stacks; undefined when the text is empty, a size or an address. */
export function stackText({ text }: AllocationFilter): string | undefined {
  const typed = text.trim()
  return typed === '' || sizeInText(typed) !== undefined || addressInText(typed) ? undefined : typed
}

/** Stacks of both sets; an absent set holds all. */
function inBoth(a: readonly number[] | undefined, b: readonly number[] | undefined): readonly number[] | undefined {
  if (!a || !b) return a ?? b
  const others = new Set(b)
  return a.filter((stack) => others.has(stack))
}

/** The filter without the stacks that it was narrowed to. */
export function withoutStacks({ within: _, ...others }: AllocationFilter): AllocationFilter {
  return others
}

/**
 * The filter as the native library reads it (native/README.md, Filters); '' lets everything pass. `stackIds`: the stacks that hold the
 * filter's text, undefined when it asks for none (`stackText`).
 */
export function filterJson(filter: AllocationFilter, stackIds: readonly number[] | undefined): string {
  const stacks = inBoth(filter.within?.stacks, stackIds)
  const typed = sizeInText(filter.text) ?? 0
  const minBytes = Math.max(typed, filter.minBytes ?? 0)
  const parts = {
    ...(minBytes > 0 ? { min_bytes: minBytes } : {}),
    ...(filter.mostEvents === undefined ? {} : { most_events: filter.mostEvents }),
    ...(filter.neverFreed ? { never_freed: true } : {}),
    ...(stacks ? { stacks } : {}),
  }
  return Object.keys(parts).length === 0 ? '' : JSON.stringify(parts)
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

/** A filter for the engine, that of the capture's view unless given: `filterJson` with the stacks that hold its text. Equal texts are looked up once. */
export async function askFilter(captureId: string, filter = viewOf(captureId)?.filter): Promise<Result<string>> {
  if (!filter) return fail('query/unknown_capture', 'The capture has no view.')
  const text = stackText(filter)
  if (text === undefined) return ok(filterJson(filter, undefined))
  const found = await findStacks(captureId, text)
  return found.ok ? ok(filterJson(filter, found.value)) : found
}
