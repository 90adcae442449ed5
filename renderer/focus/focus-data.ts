// What the engine has answered about the cursor, the selected allocation and the annotations of a capture: facts that every view shows.
import { useStore } from 'zustand'
import type { AllocationDetails, EventRow, SpaceTotals } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'
import type { WithFailure } from '../data/questions.ts'
import type { AnnotationSpan } from '../plot/annotations.ts'
import type { RulerMark } from '../plot/note-flags.ts'
import type { EventState } from '../plot/placed.ts'
import type { AllocationFilter } from '../state/view-state.ts'

/** How many allocations of a device's whole history the filter lets pass. */
export interface Passing {
  readonly device: number
  readonly filter: AllocationFilter
  readonly count: number
}

/** A failure to allocate: what asked, and the memory at that moment. */
export interface MemoryError {
  readonly device: number
  readonly row: EventRow
  readonly totals: SpaceTotals
}

/** Cursor, passing and annotations are of `device`, the one in view: the loader empties them when another comes. */
export interface FocusData extends WithFailure {
  readonly device?: number | undefined
  readonly cursor: EventState | undefined // at the pinned cursor
  readonly details: AllocationDetails | undefined // of the selected allocation; of the one before until its answer is there
  readonly memoryError?: MemoryError | undefined // where the cursor stands on one
  readonly passing?: Passing | undefined // while a filter is set
  readonly annotations: readonly AnnotationSpan[]
  readonly annotationsLeftOut: number // more than an answer holds
  readonly noteMarks?: readonly RulerMark[] // notes and the mark of the moment, on the axis in view
}

const empty: FocusData = {
  cursor: undefined,
  details: undefined,
  annotations: [],
  annotationsLeftOut: 0,
  failure: undefined,
}

/** The store of a capture. Scenes subscribe outside React. */
export const focusData = captureStores(empty)

/** Part of it in React. */
export const useFocus = <T>(captureId: string, pick: (data: FocusData) => T): T => useStore(focusData(captureId), pick)
