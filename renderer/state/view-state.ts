// What is looked at in each capture: view, device, axis, visible range, cursor, range, selection, filter. Shared by all views; one entry a
// capture.
// The visible range changes at pointer rate: scenes subscribe to the store outside React.
import { z } from 'zod'
import { createStore } from 'zustand'
import { type Axis, type Category, type ColorBy, categorySchema } from '../../preload/contract/queries.ts'
import { mostFilterText, type ViewId } from '../../preload/contract/shell.ts'

/** Half-open, in the unit of `axis`: events (state after event ⌊x⌋; x < 0 = before the first) or nanoseconds since the capture's start. */
export interface Range {
  readonly x0: number
  readonly x1: number
}

/** Allocations of some stacks (−1 = those without one) and categories, and what they have in common, for people. An absent part lets all pass. */
export interface StackSet {
  readonly stacks?: readonly number[] | undefined
  readonly categories?: readonly Category[] | undefined
  readonly minBytes?: number | undefined // rounded size at least
  readonly title: string
}

/** Which allocations views show; what does not pass stays visible as a whole but steps back. An absent part lets everything pass. */
export interface AllocationFilter {
  readonly minBytes?: number // rounded size at least
  readonly mostEvents?: number // short-lived: freed, and alive for at most this many events
  readonly neverFreed?: boolean
  readonly within?: StackSet
  readonly text: string // as typed: terms of filter-language.ts
  readonly cursor?: number // the pinned cursor's event while the text names it
}

export const noFilter: AllocationFilter = { text: '' }

const mostStacks = 50_000
const mostStackId = 2 ** 31
const mostTitle = 10_000

/** How each part of a filter is checked that comes back from a session; the cursor's event follows the cursor. */
const filterParts: { readonly [K in keyof Omit<AllocationFilter, 'cursor'>]-?: z.ZodType<AllocationFilter[K]> } = {
  minBytes: z.number().nonnegative(),
  mostEvents: z.number().nonnegative(),
  neverFreed: z.boolean(),
  within: z.object({
    stacks: z.array(z.number().int().min(-1).max(mostStackId)).max(mostStacks).optional(),
    categories: z.array(categorySchema).optional(),
    minBytes: z.number().nonnegative().optional(),
    title: z.string().max(mostTitle),
  }),
  text: z.string().max(mostFilterText),
}

/** A text that also asks for a category. In front, since the end may be an open quote. */
export const withCategory = (text: string, category: Category): string => `category:${category} ${text.trim()}`.trimEnd()

/** The filter that was kept, without the parts that do not fit. Older versions kept a category beside the text. */
export function readFilter(kept: unknown): AllocationFilter {
  if (typeof kept !== 'object' || kept === null) return noFilter
  const fitting = Object.entries(filterParts).flatMap(([name, schema]) => {
    const parsed = Object.hasOwn(kept, name) ? schema.safeParse(Reflect.get(kept, name)) : undefined
    return parsed?.success ? [[name, parsed.data]] : []
  })
  const filter: AllocationFilter = { ...noFilter, ...Object.fromEntries(fitting) }
  const { data: category } = categorySchema.safeParse(Reflect.get(kept, 'category'))
  return category ? { ...filter, text: withCategory(filter.text, category) } : filter
}

export interface ViewState {
  readonly view: ViewId
  readonly device: number
  readonly axis: Axis
  readonly full: Range // all there is on this device and axis
  readonly visible: Range
  readonly cursorEvent: number | undefined // pinned cursor, an event of the device
  readonly selectedRange: Range | undefined // on the current axis
  readonly selectedAllocation: number | undefined // allocation_id
  readonly selectedSlice: number | undefined // slice_id, of a trace
  readonly selectedNode: number | undefined // of the flame graph, as its options stand
  readonly colorBy: ColorBy
  readonly filter: AllocationFilter
  readonly showLegend: boolean
  readonly showTable: boolean // table twin
  readonly showDetails: boolean // the drawer, while it has something to tell
  readonly showEmptyDetails: boolean // the drawer, opened by hand while it has nothing to tell
}

interface ViewStates {
  readonly byCapture: Readonly<Record<string, ViewState>>
}

export const viewStates = createStore<ViewStates>(() => ({ byCapture: {} }))

/** How a capture is looked at now. */
export const viewOf = (captureId: string): ViewState | undefined => viewStates.getState().byCapture[captureId]

const namesCursor = /\bcursor\b/i

/** A filter that names the cursor is another one wherever the cursor is, so that views ask anew when it moves. */
function followingCursor(view: ViewState): ViewState {
  const { cursor: kept, ...filter } = view.filter
  const cursor = namesCursor.test(filter.text) ? view.cursorEvent : undefined
  if (kept === cursor) return view
  return { ...view, filter: cursor === undefined ? filter : { ...filter, cursor } }
}

/** Changes part of a capture's view state; other fields stay. */
export function patchView(captureId: string, patch: Partial<ViewState>): void {
  viewStates.setState((state) => {
    const old = state.byCapture[captureId]
    return old ? { byCapture: { ...state.byCapture, [captureId]: followingCursor({ ...old, ...patch }) } } : state
  })
}

/** Enters or removes a capture. */
export function setView(captureId: string, view: ViewState | undefined): void {
  viewStates.setState((state) => {
    const { [captureId]: _, ...byCapture } = state.byCapture
    return { byCapture: view ? { ...byCapture, [captureId]: view } : byCapture }
  })
}
