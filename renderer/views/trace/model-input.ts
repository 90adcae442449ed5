// Everything the picture depends on. Same input, same picture: on screen, in PNG and in SVG.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow, TimelineCurves, TraceColorBy, TraceFlow, TraceTracks } from '../../../preload/contract/queries.ts'
import type { AxisInput } from '../../plot/axis-input.ts'
import type { EventState, Placed } from '../../plot/placed.ts'
import type { Frame } from '../../scene/display-list.ts'
import { lanePx, type Row, rowPaddingPx, type ShownRow, type TraceRows } from './layout.ts'
import type { Translate } from './texts.ts'
import type { PlacedMarks, PlacedRaster, PlacedSeries, PlacedStack } from './trace-data.ts'

export interface TraceInput extends AxisInput {
  readonly colorBy: TraceColorBy
  readonly emphasis: ReadonlySet<number> | undefined // colour slots that stand out
  readonly tracks: TraceTracks
  readonly devices: readonly DeviceSummary[]
  readonly rows: TraceRows
  readonly scrollPx: number
  readonly shown: readonly ShownRow[]
  readonly raster: PlacedRaster | undefined
  readonly series: ReadonlyMap<number, PlacedSeries>
  readonly stacks: ReadonlyMap<number, PlacedStack>
  readonly stackPeaks: ReadonlyMap<number, number>
  readonly marks: ReadonlyMap<number, PlacedMarks>
  readonly memory: ReadonlyMap<number, Placed<TimelineCurves>>
  readonly floors: ReadonlyMap<number, number>
  readonly marksLeftOut: number // steps and annotations more than an answer holds
  readonly searchText: string | undefined // what a search did not find is drawn as left out
  readonly selected: SliceRow | undefined
  readonly op: SliceRow | undefined // that the selected slice belongs to
  readonly flows: readonly TraceFlow[] // of the selected slice
  readonly areaRows: readonly string[] | undefined // rows of the selected range; undefined = all
  readonly cursor: EventState | undefined
  readonly chosenRow: string | undefined // key of the row chosen by key
  readonly hoverRow: string | undefined // key of the row whose heading is under the pointer
  readonly t: Translate
}

/** True for a finished picture, which has no map of itself and nothing to press. */
export const isStill = ({ layout }: Pick<TraceInput, 'layout'>): boolean => layout.overview.heightPx === 0

/** Where rows that scroll are drawn: the plot without its pinned rows. */
export function scrolledFrame({ layout: { plot }, rows }: Pick<TraceInput, 'layout' | 'rows'>): Frame {
  return { ...plot, yPx: plot.yPx + rows.pinnedPx, heightPx: Math.max(0, plot.heightPx - rows.pinnedPx) }
}

/** The frame that a row is cut to. */
export const clipOf = (input: Pick<TraceInput, 'layout' | 'rows'>, row: Row): Frame =>
  row.isPinned ? { ...input.layout.plot, heightPx: input.rows.pinnedPx } : scrolledFrame(input)

/** Top of a lane of a track's row on the canvas; undefined while it is folded away. */
export function laneTop({ row, topPx }: ShownRow, laneId: number): number | undefined {
  if (row.kind !== 'track') return undefined
  const index = laneId - row.track.firstLane
  return index >= 0 && index < row.laneCount ? topPx + rowPaddingPx + index * lanePx : undefined
}

/** Where a lane would be drawn, also outside of what is in sight; undefined while its row is folded away. Lanes of a folded track lie in its first. */
export function placeOfLane(
  input: Pick<TraceInput, 'layout' | 'rows' | 'scrollPx'>,
  row: Row | undefined,
  laneId: number,
): number | undefined {
  if (row?.kind !== 'track') return undefined
  const index = Math.min(laneId - row.track.firstLane, row.laneCount - 1)
  const { plot } = input.layout
  const topPx = row.isPinned ? plot.yPx + row.yPx : plot.yPx + input.rows.pinnedPx + row.yPx - input.scrollPx
  return topPx + rowPaddingPx + Math.max(0, index) * lanePx
}
