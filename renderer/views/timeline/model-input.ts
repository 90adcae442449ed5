// Everything the timeline's picture depends on. Same input, same picture: on screen, in PNG and in SVG.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { Axis, ColorBy, TimelineCurves } from '../../../preload/contract/queries.ts'
import type { Measure } from '../../scene/display-list.ts'
import type { Range } from '../../state/view-state.ts'
import { type Emphasised, parseHex, type Rgb } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { PlacedSpan } from './annotations.ts'
import type { TimelineLayout } from './layout.ts'
import type { Scales } from './scales.ts'
import type { Translate } from './texts.ts'
import type { EventState, Placed, PlacedOutline, PlacedRaster } from './timeline-data.ts'

export interface TimelineInput {
  readonly device: DeviceSummary
  readonly axis: Axis
  readonly colorBy: ColorBy
  readonly hasTimes: boolean
  readonly startsLate: boolean // memory was already in use before the first event
  readonly visible: Range
  readonly home: Range
  readonly y1: number // bytes at the plot's top
  readonly overviewTop: number // bytes at the overview's top
  readonly emphasised: Emphasised
  readonly curves: Placed<TimelineCurves> | undefined
  readonly raster: PlacedRaster | undefined
  readonly overview: Placed<TimelineCurves> | undefined
  readonly spans: readonly PlacedSpan[]
  readonly outline: PlacedOutline | undefined
  readonly cursor: EventState | undefined
  readonly selectedRange: Range | undefined
  readonly layout: TimelineLayout
  readonly tokens: Tokens
  readonly measure: Measure
  readonly t: Translate
}

/** The theme's colours as numbers, once a theme. */
export interface Ink {
  readonly canvas: Rgb
  readonly panel: Rgb
  readonly raised: Rgb
  readonly line: Rgb
  readonly line2: Rgb
  readonly mark: Rgb
  readonly grid: Rgb
  readonly t1: Rgb
  readonly t2: Rgb
  readonly t3: Rgb
  readonly curve: Rgb
  readonly curve2: Rgb
  readonly bad: Rgb
  readonly selection: Rgb
  readonly selectionEdge: Rgb
  readonly hatch: Rgb
}

const inks = new Map<Tokens, Ink>()

export function inkOf(tokens: Tokens): Ink {
  const known = inks.get(tokens)
  if (known) return known
  const ink: Ink = {
    canvas: parseHex(tokens.canvas),
    panel: parseHex(tokens.panel),
    raised: parseHex(tokens.raised),
    line: parseHex(tokens.line),
    line2: parseHex(tokens.line2),
    mark: parseHex(tokens.mark),
    grid: parseHex(tokens.grid),
    t1: parseHex(tokens.t1),
    t2: parseHex(tokens.t2),
    t3: parseHex(tokens.t3),
    curve: parseHex(tokens.curve),
    curve2: parseHex(tokens.curve2),
    bad: parseHex(tokens.bad),
    selection: parseHex(tokens.selection),
    selectionEdge: parseHex(tokens.selectionEdge),
    hatch: parseHex(tokens.hatch),
  }
  inks.set(tokens, ink)
  return ink
}

export const scalesOf = (input: TimelineInput): Scales => ({ visible: input.visible, y1: input.y1, plot: input.layout.plot })

/** Where an event is drawn: in the middle of its step, or at its time. undefined when the axis is time and the event has none. */
export function xOfEvent(axis: Axis, event: number, timeNs: number | null): number | undefined {
  if (axis === 'event') return event + 0.5
  return timeNs === null || Number.isNaN(timeNs) ? undefined : timeNs
}
