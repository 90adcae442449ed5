// Everything the timeline's picture depends on. Same input, same picture: on screen, in PNG and in SVG.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { ColorBy, TimelineCurves } from '../../../preload/contract/queries.ts'
import type { AxisInput } from '../../plot/axis-input.ts'
import type { EventState, Placed } from '../../plot/placed.ts'
import type { Scales } from '../../plot/scales.ts'
import type { Emphasised } from '../../theme/palette.ts'
import type { Translate } from './texts.ts'
import type { PlacedOutline, PlacedRaster } from './timeline-data.ts'

export interface TimelineInput extends AxisInput {
  readonly device: DeviceSummary
  readonly colorBy: ColorBy
  readonly startsLate: boolean // memory was already in use before the first event
  readonly y1: number // bytes at the plot's top
  readonly emphasised: Emphasised
  readonly curves: Placed<TimelineCurves> | undefined
  readonly raster: PlacedRaster | undefined
  readonly outline: PlacedOutline | undefined
  readonly cursor: EventState | undefined
  readonly t: Translate
}

export const scalesOf = (input: TimelineInput): Scales => ({ visible: input.visible, y1: input.y1, plot: input.layout.plot })
