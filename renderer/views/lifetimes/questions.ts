// Questions that screen and finished pictures share.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { type EngineInput, maxSidePx } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import type { Frame } from '../../scene/display-list.ts'
import type { Range, ViewState } from '../../state/view-state.ts'
import { mostBars } from './assemble.ts'
import { withStripes } from './heat.ts'
import { packLanes } from './lanes.ts'
import type { LifetimesData, PlacedBars, PlacedHeat, PlacedLife } from './lifetimes-data.ts'
import { sharesRows, type YRange } from './y-axis.ts'

/** What is looked at, and how. */
export interface Place {
  readonly captureId: string
  readonly device: number
  readonly axis: ViewState['axis']
  readonly range: Range
  readonly y: YRange
  readonly order: LifetimesData['order']
}

export const placeOf = (
  { captureId }: CaptureSummary,
  { device, axis }: Pick<ViewState, 'device' | 'axis'>,
  range: Range,
  y: YRange,
  { order }: Pick<LifetimesData, 'order'>,
): Place => ({ captureId, device, axis, range, y, order })

/** A place as the engine's questions name it. */
export const rectangleOf = ({ captureId, device, axis, range, y, order }: Place) => ({ captureId, device, axis, ...range, order, ...y })

export interface Grid {
  readonly columns: number
  readonly rows: number
  readonly scale: number // columns a CSS pixel
}

/** Cells for a plot in CSS pixels at `wanted` cells a pixel, bounded; whole fours of rows, as the texture wants them. */
export function gridOf({ widthPx, heightPx }: Frame, wanted: number, mostCells: number): Grid {
  const scale = Math.min(wanted, Math.sqrt(mostCells / (widthPx * heightPx)), maxSidePx / widthPx, maxSidePx / heightPx)
  const columns = Math.max(1, Math.floor(widthPx * scale))
  return { columns, rows: Math.max(4, Math.floor((heightPx * scale) / 4) * 4), scale: columns / widthPx }
}

/** The heat map of a place. */
export async function askHeat(
  place: Place,
  { columns, rows, scale: perPx }: Grid,
  { measure, scale }: Pick<PlacedHeat, 'measure' | 'scale'>,
  filter: string,
): Promise<Result<PlacedHeat>> {
  const { device, axis, range, y, order } = place
  const answer = await engine.call('lifetimes.raster', { ...rectangleOf(place), columns, rows, measure, scale, filter })
  if (!answer.ok) return answer
  const data = { ...answer.value, cells: withStripes(answer.value.cells, rows) }
  return ok({ device, axis, range, y, order, measure, scale, data, meanPx: data.meanColumns / perPx })
}

/** Single lifetimes of a place; undefined when there are too many. */
export async function askBars(place: Place, filter: string): Promise<Result<PlacedBars | undefined>> {
  const { device, axis, range, y, order } = place
  const answer = await engine.call('lifetimes.bars', { ...rectangleOf(place), filter, limit: mostBars })
  if (!answer.ok) return answer
  const { bars } = answer.value
  if (!bars) return ok(undefined)
  const data = sharesRows(order) ? packLanes(bars) : bars
  const leastHeight = sharesRows(order)
    ? data.y0.reduce((least, from, at) => Math.min(least, (data.y1[at] ?? from) - from), Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY
  return ok({ device, axis, range, y, order, leastHeight, data })
}

type LifeQuestion = Omit<EngineInput<'lifetimes.place'>, 'captureId'>

/** Where an allocation is drawn. */
export async function askLife(captureId: string, question: LifeQuestion): Promise<Result<PlacedLife>> {
  const answer = await engine.call('lifetimes.place', { captureId, ...question })
  if (!answer.ok) return answer
  const { y0, y1, ...life } = answer.value
  return ok({ ...question, ...life, y: { y0, y1 } })
}
