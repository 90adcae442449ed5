// How a table of failures is looked at: kept by the tab, so that it is the same after the engine died and the table was read again.
import { useStore } from 'zustand'
import { captureStores } from '../data/capture-stores.ts'
import type { Order } from '../panels/table-order.ts'

export const columns = ['name', 'verdict', 'confidence', 'reason', 'requested', 'evidence'] as const
export type Column = (typeof columns)[number]

export interface FailuresLook {
  readonly text: string // that a row must have
  readonly pattern: number | undefined // only its failures
  readonly order: Order<Column | 'given'> // given: as the files were read
  readonly selected: number | undefined // index of a row
  readonly open: number | undefined // index of the row whose page is shown
}

const initial: FailuresLook = {
  text: '',
  pattern: undefined,
  order: { column: 'given', descending: false },
  selected: undefined,
  open: undefined,
}

const looks = captureStores<FailuresLook>(initial)

/** Under which name the look of a tab is kept, beside the ids of captures. */
export const lookKey = (tabId: number): string => `failures-${tabId}`

/** How a tab is looked at; as at first where nothing was changed. */
export const lookOf = (tabId: number): FailuresLook => looks(lookKey(tabId)).getState()

/** As `lookOf`, in React. */
export const useLook = (tabId: number): FailuresLook => useStore(looks(lookKey(tabId)))

/** Changes how a tab is looked at. */
export const patchLook = (tabId: number, patch: Partial<FailuresLook>): void => looks(lookKey(tabId)).setState(patch)
