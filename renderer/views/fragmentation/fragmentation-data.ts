// What the engine has answered for one capture's fragmentation, and pointer-rate state. Scenes subscribe outside React.
import { useStore } from 'zustand'
import type { SpaceCurves, SpaceReport, TimelineCurves } from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import { usePaced } from '../../data/paced.ts'
import type { WithFailure } from '../../data/questions.ts'
import type { Placed, Pointer } from '../../plot/placed.ts'
import type { GroupOrder } from '../../space/groups.ts'
import type { Line, Measures, Part } from '../../space/measures.ts'
import type { Range } from '../../state/view-state.ts'
import type { CurveLayout } from './curve-layout.ts'
import type { MomentOrder } from './moments.ts'
import type { SizeOrder } from './size-bars.ts'

export interface PlacedReport {
  readonly device: number
  readonly event: number
  readonly timeNs: number // NaN where the file has none
  readonly value: SpaceReport
}

/** Measures at moments that the table twin lists. */
export interface Moments {
  readonly device: number
  readonly rows: readonly Measures[]
}

export const twins = ['moments', 'sizes', 'groups'] as const
export type Twin = (typeof twins)[number]
export type Unit = 'count' | 'bytes'

export interface FragmentationData extends WithFailure {
  readonly layout: CurveLayout | undefined
  readonly curves: Placed<SpaceCurves> | undefined
  readonly overview: Placed<TimelineCurves> | undefined
  readonly ranged: Placed<SpaceCurves> | undefined // over the selected range, as finely as is told
  readonly report: PlacedReport | undefined
  readonly moments: Moments | undefined // all but the cursor's
  readonly cursorMoment: Moments | undefined // one row, or that of a cursor before
  readonly hover: Pointer | undefined
  readonly dragging: Range | undefined // range being drawn
  readonly emphasis: Part | Line | undefined
  readonly unit: Unit // of the histogram's bars
  readonly twin: Twin // which table the twin shows
  readonly groupOrder: GroupOrder
  readonly momentOrder: MomentOrder
  readonly sizeOrder: SizeOrder
}

const empty: FragmentationData = {
  layout: undefined,
  curves: undefined,
  overview: undefined,
  ranged: undefined,
  report: undefined,
  moments: undefined,
  cursorMoment: undefined,
  failure: undefined,
  hover: undefined,
  dragging: undefined,
  emphasis: undefined,
  unit: 'count',
  twin: 'moments',
  groupOrder: { column: 'reserved', descending: true },
  momentOrder: { column: 'event', descending: false },
  sizeOrder: { column: 'sizes', descending: false },
}

/** The store of a capture. */
export const fragmentationData = captureStores(empty)

/** Part of it in React. */
export const useFragmentation = <T>(captureId: string, pick: (data: FragmentationData) => T): T =>
  useStore(fragmentationData(captureId), pick)

/** All of it in React, at most ten times a second. */
export const usePacedFragmentation = (captureId: string): FragmentationData => usePaced(fragmentationData(captureId))
