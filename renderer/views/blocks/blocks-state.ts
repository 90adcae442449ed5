// How the block map of a capture is looked at: what only this view knows. Event, selection and filter are shared (state/view-state.ts).
import { z } from 'zod'
import { useStore } from 'zustand'
import { type BlockColor, type SegmentOrder, segmentOrderSchema } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { KeptFields } from '../../state/own-look.ts'
import type { Range } from '../../state/view-state.ts'
import { rowHeights } from './layout.ts'
import { type Scaling, scalings } from './lines.ts'
import type { BlockSort, SegmentSort } from './table-rows.ts'

export interface BlocksState {
  readonly order: SegmentOrder | undefined // undefined until chosen: by address where all lines can be seen at once, else largest first
  readonly scaling: Scaling
  readonly colorBy: BlockColor
  readonly visible: Range | undefined // bytes from a line's start; undefined = all
  readonly scrollPx: number
  readonly rowPx: number | undefined // undefined = as high as fits
  readonly segment: string | undefined // address of the selected segment
  readonly request: string | undefined // size as typed; undefined = that of the failed request, where there is one
  readonly stream: string | undefined // of the request; undefined = the allocator's default
  readonly pool: string | undefined
  readonly tableOf: 'segments' | 'blocks'
  readonly segmentSort: SegmentSort // of the table and its CSV
  readonly blockSort: BlockSort
}

const initial: BlocksState = {
  order: undefined,
  scaling: 'scale',
  colorBy: 'state',
  visible: undefined,
  scrollPx: 0,
  rowPx: undefined,
  segment: undefined,
  request: undefined,
  stream: undefined,
  pool: undefined,
  tableOf: 'segments',
  segmentSort: { column: 'address', descending: false },
  blockSort: { column: 'address', descending: false },
}

/** The store of a capture. */
export const blocksState = captureStores(initial)

const bytes = z
  .number()
  .min(0)
  .max(2 ** 62)

/** What of it is kept in a session. Scrolled farther than there are rows, the last are shown. */
export const keptLook: KeptFields<BlocksState> = {
  order: segmentOrderSchema,
  scaling: z.enum(scalings),
  visible: z.object({ x0: bytes, x1: bytes }).refine(({ x0, x1 }) => x1 > x0),
  rowPx: z.literal(rowHeights),
  scrollPx: z.number().min(0),
}

/** Part of it in React. */
export const useBlocksState = <T>(captureId: string, pick: (state: BlocksState) => T): T => useStore(blocksState(captureId), pick)

/** Changes part of it; other fields stay. */
export const patchBlocks = (captureId: string, patch: Partial<BlocksState>): void => blocksState(captureId).setState(patch)
