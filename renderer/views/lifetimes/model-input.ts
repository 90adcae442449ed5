// Everything the picture depends on. Same input, same picture: on screen, in PNG and in SVG.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { LifetimeOrder, LifetimeSpace, TimelineCurves } from '../../../preload/contract/queries.ts'
import type { AxisInput } from '../../plot/axis-input.ts'
import type { EventState, Placed } from '../../plot/placed.ts'
import type { Range } from '../../state/view-state.ts'
import type { PlacedBars, PlacedHeat, PlacedLife } from './lifetimes-data.ts'
import type { Translate } from './texts.ts'
import type { YRange, YScale } from './y-axis.ts'

export interface LifetimesInput extends AxisInput {
  readonly device: DeviceSummary
  readonly startsLate: boolean // memory was already in use before the first event
  readonly order: LifetimeOrder
  readonly space: LifetimeSpace | undefined
  readonly y: YRange // in sight
  readonly curves: Placed<TimelineCurves> | undefined
  readonly raster: PlacedHeat | undefined
  readonly bars: PlacedBars | undefined // while single lifetimes are drawn
  readonly place: PlacedLife | undefined // of the selected allocation
  readonly band: YRange | undefined // of the selected range; undefined = its whole height
  readonly cursor: EventState | undefined
  readonly t: Translate
}

export const yScaleOf = ({ y, layout }: Pick<LifetimesInput, 'y' | 'layout'>): YScale => ({ y, plot: layout.plot })

/** Start and end of the history on the axis. */
export function historyOf({ axis, device }: Pick<LifetimesInput, 'axis' | 'device'>): { readonly x0: number; readonly x1: number } {
  return axis === 'time' ? { x0: device.firstTimeNs ?? 0, x1: device.lastTimeNs ?? 0 } : { x0: 0, x1: device.eventCount }
}

/** The part of a range that the history covers: nobody lived in the margin that is drawn around it. Never empty, as questions want it. */
export function insideHistory(range: Range, look: Pick<LifetimesInput, 'axis' | 'device'>): Range {
  const { x0, x1 } = historyOf(look)
  const from = Math.max(x0, Math.min(range.x0, x1 - 1))
  return { x0: from, x1: Math.max(from + 1, Math.min(range.x1, Math.max(x1, x0 + 1))) }
}

/** An allocation alive for longer than this is an idle candidate from then on: a quarter of the history. */
export function idleAfter(input: Pick<LifetimesInput, 'axis' | 'device'>): number {
  const { x0, x1 } = historyOf(input)
  return (x1 - x0) / 4
}
