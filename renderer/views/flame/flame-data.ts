// What the engine has answered for one capture's flame graph, and pointer-rate state. Scenes subscribe outside React.
import { useStore } from 'zustand'
import type { ProfileValueType } from '../../../preload/contract/capture.ts'
import type { Failure } from '../../../preload/contract/errors.ts'
import type { FlameMeasure, FlameOptions, FlameUnit } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { Pointer } from '../../plot/placed.ts'
import type { Weight } from './flame-state.ts'
import type { SpotsAnswer } from './hot-spots.ts'
import type { FlameLayout } from './layout.ts'
import type { FlameNodes } from './nodes.ts'

/** What nodes are weighed by. */
export interface Weighed {
  readonly device: number
  readonly weight: Weight
  readonly unit: FlameUnit
  readonly measure: FlameMeasure
  readonly fromEvent: number
  readonly toEvent: number
  readonly from: number // events [from, end) of the range; of a moment: that event alone
  readonly end: number
  readonly isSelected: boolean // of the selected range, not of what is visible
  readonly valueType: ProfileValueType | undefined // of a profile, whose device and events say nothing
  readonly isDump: boolean // the device has no history: the state that the file ends in
}

export interface Answer {
  readonly weighed: Weighed
  readonly options: string // JSON: what the numbers of nodes depend on
  readonly direction: FlameOptions['direction']
  readonly nodes: FlameNodes
}

/** What the text of the search weighs, of the node shown. */
export interface Match {
  readonly text: string
  readonly total: number
  readonly baseTotal: number
  readonly count: number
  readonly nodes: number
}

export interface FlameData extends WithFailure {
  readonly layout: FlameLayout | undefined
  readonly answer: Answer | undefined
  readonly functions: Answer | undefined // from the outermost frames on, for the table, where the picture is upside down
  readonly match: Match | undefined
  readonly hover: Pointer | undefined
  readonly spots: SpotsAnswer | undefined
  readonly spotsFailure: Failure | undefined // shown beside the graph, which does without them
  readonly pointedSpot: string | undefined // id of the spot under the pointer or with the focus
}

const empty: FlameData = {
  layout: undefined,
  answer: undefined,
  functions: undefined,
  match: undefined,
  hover: undefined,
  spots: undefined,
  spotsFailure: undefined,
  pointedSpot: undefined,
  failure: undefined,
}

/** The store of a capture. */
export const flameData = captureStores(empty)

/** Part of it in React. */
export const useFlameData = <T>(captureId: string, pick: (data: FlameData) => T): T => useStore(flameData(captureId), pick)
