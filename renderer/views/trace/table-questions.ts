// What the tables ask: about the selected range with its tracks, else about what is in sight, and only names that a search has found.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { EngineInput, TraceSelection } from '../../../preload/contract/queries.ts'
import type { Range } from '../../state/view-state.ts'
import type { TraceSearch } from './trace-data.ts'

/** The range that tables are about, with its tracks. */
export interface TableRange {
  readonly range: Range
  readonly tracks: readonly number[] | null // null = all
  readonly isSelected: boolean
}

export interface TableQuestions {
  readonly isSelected: boolean // of the selected range
  readonly search: string | undefined // text of the search that leaves rows out
  readonly isExact: boolean // the search is of the one name that is the text
  readonly slices: {
    readonly captureId: string
    readonly tracks: number[] | null
    readonly names: number[] | null
    readonly fromNs: number
    readonly toNs: number
  }
}

/** What the tables ask about a range. */
export function questionsOf(
  { captureId }: CaptureSummary,
  { range, tracks, isSelected }: TableRange,
  search?: TraceSearch,
): TableQuestions {
  const slices = {
    captureId,
    tracks: tracks && [...tracks],
    names: search ? [...search.names] : null,
    fromNs: range.x0,
    toNs: range.x1,
  }
  return { isSelected, search: search?.text, isExact: search?.isExact === true, slices }
}

/** What the table of instants asks: the same range and tracks, whatever is searched for. */
export function instantsQuestion({ slices: { captureId, tracks, fromNs, toNs } }: Pick<TableQuestions, 'slices'>) {
  return { captureId, tracks, fromNs, toNs }
}

/** Asks which memory events lie in the selected range; nothing without one. */
export function eventRangeQuestion({ isSelected, slices }: TableQuestions): EngineInput<'trace.selection'> | undefined {
  const { captureId, fromNs, toNs } = slices
  return isSelected ? { captureId, tracks: [], fromNs, toNs, by: 'category', limit: 1 } : undefined
}

export interface DeviceEvents {
  readonly device: number
  readonly range: { readonly fromEvent: number; readonly toEvent: number } // half-open
}

/** The events of a device that memory by op is about: those in the selected range, else all. undefined: there are none, or they are not known yet. */
export function eventsOf(
  { device, eventCount }: Pick<DeviceSummary, 'device' | 'eventCount'>,
  { isSelected }: Pick<TableQuestions, 'isSelected'>,
  inRange: { readonly value: Pick<TraceSelection, 'memory'> | undefined; readonly isPending: boolean },
): DeviceEvents | undefined {
  if (eventCount === 0) return undefined
  if (!isSelected) return { device, range: { fromEvent: 0, toEvent: eventCount } }
  const change = inRange.isPending ? undefined : inRange.value?.memory.find((each) => each.device === device)
  return change && { device, range: { fromEvent: change.fromEvent, toEvent: change.toEvent } }
}
