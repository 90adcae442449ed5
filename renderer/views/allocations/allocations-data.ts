// How the table of a capture is looked at, and what the engine has answered about it.
import { useStore } from 'zustand'
import type { AllocationRow, AllocationSort } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { Order } from '../../panels/table-order.ts'
import { lookOf } from '../../state/own-look.ts'

/** Columns of the table, by what they sort. `life` is in events or time, as the axis. */
export const columns = [
  'stack',
  'size',
  'requested',
  'category',
  'life',
  'made',
  'freed',
  'address',
  'stream',
  'pool',
  'id',
] as const satisfies readonly AllocationSort[]
export type Column = (typeof columns)[number]

export interface AllocationsData extends WithFailure {
  readonly order: Order<Column>
  readonly first: number // row in sight at the top
  readonly shown: number // rows in sight; 0 until the table has a size
  readonly answered: string // the list that count and rows are of, '' none
  readonly asked: string // the list that is asked for
  readonly count: number // rows
  readonly bytes: number
  readonly rows: ReadonlyMap<number, AllocationRow> // by place in the list
  readonly place: { readonly list: string; readonly allocationId: number; readonly index: number | null } | undefined // of the selected one
}

const empty: AllocationsData = {
  order: { column: 'size', descending: true },
  first: 0,
  shown: 0,
  answered: '',
  asked: '',
  count: 0,
  bytes: 0,
  rows: new Map(),
  place: undefined,
  failure: undefined,
}

/** The store of a capture. */
export const allocationsData = captureStores(empty)

/** Part of it in React. */
export const useAllocations = <T>(captureId: string, pick: (data: AllocationsData) => T): T => useStore(allocationsData(captureId), pick)

export const allocationsLook = lookOf(allocationsData, ['order'])
