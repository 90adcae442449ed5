// What the engine has answered for one capture's block map, and pointer-rate state. The scene subscribes outside React; panels select the
// settled parts.
import { useStore } from 'zustand'
import type {
  AllocationDetails,
  BlockAt,
  BlockColor,
  EventRow,
  SegmentOrder,
  Segments,
  SpaceReport,
  StackShare,
  WouldFit,
} from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { Pointer } from '../../plot/placed.ts'
import type { AllocationFilter, Range } from '../../state/view-state.ts'
import type { Chunk, ComposedRaster } from './compose.ts'
import type { BlocksLayout } from './layout.ts'
import type { LineList, Scaling } from './lines.ts'
import type { Refusal } from './verdict.ts'

/** A moment of a device: the state after an event. */
export interface Moment {
  readonly device: number
  readonly event: number // −1 = before the first
}

export const sameMoment = (a: Moment | undefined, b: Moment | undefined): boolean => a?.device === b?.device && a?.event === b?.event

/** Segments, blocks and report of one moment, answered together so that they fit each other. */
export interface Picture extends Moment {
  readonly order: SegmentOrder
  readonly scaling: Scaling
  readonly colorBy: BlockColor
  readonly segments: Segments
  readonly report: SpaceReport // all totals come from it
  readonly list: LineList
  readonly range: Range // of the raster, bytes of the shown scale
  readonly first: number // rows of the raster
  readonly end: number
  readonly chunks: readonly Chunk[]
  readonly raster: ComposedRaster
}

/** A block with what its allocation's row tells, where it has one. */
export interface FoundBlock extends Moment {
  readonly block: BlockAt
  readonly details: AllocationDetails | undefined
}

export interface Placed<T> extends Moment {
  readonly value: T
}

/** What the engine says of a request, and of the one that the capture says was refused at the moment. */
export interface PlacedFit extends Placed<WouldFit> {
  readonly refused: Refusal | undefined
}

/** Blocks in use at a moment that the filter lets pass. */
export interface Matching extends Moment {
  readonly filter: AllocationFilter
  readonly count: number
  readonly bytes: number
}

export interface BlocksData extends WithFailure {
  readonly layout: BlocksLayout | undefined
  readonly picture: Picture | undefined
  readonly report: Placed<SpaceReport> | undefined // of the picture, once that has rested: for lists that are not to change with every frame
  readonly fit: PlacedFit | undefined // of the size asked for
  readonly change: Placed<EventRow> | undefined // what the event did
  readonly topStacks: Placed<readonly StackShare[]> | undefined
  readonly selected: FoundBlock | undefined // block of the selected allocation
  readonly absent: (Moment & { readonly allocationId: number }) | undefined // the selected allocation, where it has no block
  readonly matching: Matching | undefined // what the filter lets pass, while one is set
  readonly hover: Pointer | undefined
  readonly hovered: FoundBlock | undefined // under the resting pointer
  readonly dragging: Range | undefined // stretch being drawn
  readonly isFlashing: boolean // what the last step changed
  readonly heldX: number | undefined // while the history plays: where x ends, so that its scale stands still
}

const empty: BlocksData = {
  layout: undefined,
  picture: undefined,
  report: undefined,
  fit: undefined,
  change: undefined,
  topStacks: undefined,
  selected: undefined,
  absent: undefined,
  matching: undefined,
  failure: undefined,
  hover: undefined,
  hovered: undefined,
  dragging: undefined,
  isFlashing: false,
  heldX: undefined,
}

/** The store of a capture. */
export const blocksData = captureStores(empty)

/** Part of it in React. */
export const useBlocksData = <T>(captureId: string, pick: (data: BlocksData) => T): T => useStore(blocksData(captureId), pick)
