// What pictures over events or time have in common: overview, ruler, lane and plot on one horizontal axis.
import type { Axis } from '../../preload/contract/queries.ts'
import type { Measure } from '../scene/display-list.ts'
import type { Range } from '../state/view-state.ts'
import type { Tokens } from '../theme/tokens.ts'
import type { PlacedSpan } from './annotations.ts'
import type { AreaCurves } from './draw-area.ts'
import type { AxisLayout } from './layout.ts'
import type { RulerMark } from './note-flags.ts'
import type { CurveFrame, Placed } from './placed.ts'
import type { XScale } from './scales.ts'

export interface AxisInput {
  readonly axis: Axis
  readonly hasTimes: boolean
  readonly visible: Range
  readonly home: Range // all there is, with a little room
  readonly curves: Placed<CurveFrame> | undefined // of the visible range: events and times of its columns
  readonly overview: Placed<AreaCurves> | undefined
  readonly overviewTop: number // value at the overview's top: bytes, or what else its area counts
  readonly spans: readonly PlacedSpan[]
  readonly selectedRange: Range | undefined
  readonly noteMarks?: readonly RulerMark[] | undefined // notes
  readonly layout: AxisLayout
  readonly tokens: Tokens
  readonly measure: Measure
}

export const xScaleOf = ({ visible, layout }: Pick<AxisInput, 'visible' | 'layout'>): XScale => ({ visible, plot: layout.plot })

/** Where an event is drawn: in the middle of its step, or at its time. undefined when the axis is time and the event has none. */
export function xOfEvent(axis: Axis, event: number, timeNs: number | null): number | undefined {
  if (axis === 'event') return event + 0.5
  return timeNs === null || Number.isNaN(timeNs) ? undefined : timeNs
}
