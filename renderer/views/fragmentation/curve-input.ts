// Everything the curves' picture depends on. Same input, same picture: on screen, in PNG and in SVG.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { SpaceCurves } from '../../../preload/contract/queries.ts'
import type { AxisInput } from '../../plot/axis-input.ts'
import type { Placed } from '../../plot/placed.ts'
import type { Scales } from '../../plot/scales.ts'
import type { Line, Part } from '../../space/measures.ts'
import type { CurveLayout } from './curve-layout.ts'
import type { Translate } from './texts.ts'

/** The moment that tiles and tables are about. */
export interface Moment {
  readonly event: number
  readonly timeNs: number | null
  readonly isPinned: boolean // by the user; else chosen for him
}

export interface CurveInput extends AxisInput {
  readonly device: DeviceSummary
  readonly curves: Placed<SpaceCurves> | undefined
  readonly startsLate: boolean // memory was already in use before the first event
  readonly y1: number // bytes at the plot's top
  readonly emphasis: Part | Line | undefined
  readonly moment: Moment | undefined
  readonly layout: CurveLayout
  readonly t: Translate
}

export const scalesOf = ({ visible, y1, layout }: CurveInput): Scales => ({ visible, y1, plot: layout.plot })

/** Bytes at the plot's top: a little above the most that was ever reserved, so that panning does not move the scale. */
export const topBytes = ({ peakReservedBytes, peakAllocatedBytes }: DeviceSummary): number =>
  Math.max(peakReservedBytes, peakAllocatedBytes, 1) * 1.18
