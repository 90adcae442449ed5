// Questions that screen and finished pictures share.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { type EngineInput, type LifetimeColor, maxSidePx } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import type { Frame } from '../../scene/display-list.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import type { Range, ViewState } from '../../state/view-state.ts'
import { mostBars } from './assemble.ts'
import { withStripes } from './heat.ts'
import { type Bars, packLanes } from './lanes.ts'
import type { LifetimesData, PlacedBars, PlacedHeat, PlacedLife, PlacedSpace } from './lifetimes-data.ts'
import { foldedGrid, foldRaster, foldSpace, type RowFold, toEngineY, toShownRow, toShownY, unitsLeft } from './row-fold.ts'
import { sharesRows, type YRange } from './y-axis.ts'

/** What is looked at, and how. */
export interface Place {
  readonly captureId: string
  readonly device: number
  readonly axis: ViewState['axis']
  readonly range: Range
  readonly y: YRange
  readonly order: LifetimesData['order']
  readonly fold?: RowFold | undefined
}

export const placeOf = (
  { captureId }: CaptureSummary,
  { device, axis }: Pick<ViewState, 'device' | 'axis'>,
  range: Range,
  y: YRange,
  { order, space }: Pick<LifetimesData, 'order' | 'space'>,
): Place => ({ captureId, device, axis, range, y, order, fold: space?.device === device && space.order === order ? space.fold : undefined })

/** A place as the engine's questions name it. */
export const rectangleOf = ({ captureId, device, axis, range, y, order, fold }: Place) => ({
  captureId,
  device,
  axis,
  ...range,
  order,
  y0: toEngineY(fold, y.y0),
  y1: toEngineY(fold, y.y1, true),
})

/** What lies along y; rows that the filter empties are folded away, unless nothing is left. */
export async function askSpace(
  capture: CaptureSummary,
  view: Pick<ViewState, 'device'>,
  order: LifetimesData['order'],
): Promise<Result<PlacedSpace>> {
  const { captureId } = capture
  const { device } = view
  const [space, filter] = await Promise.all([engine.call('lifetimes.space', { captureId, device, order }), askFilter(captureId)])
  if (!space.ok) return space
  if (!filter.ok) return filter
  const { y1 } = space.value
  const all = { device, order, data: space.value }
  if (filter.value === '' || !sharesRows(order) || y1 < 1) return ok(all)
  const history = { x0: -1, x1: Math.max(1, deviceOf(capture, device)?.eventCount ?? 1) }
  const rows = Math.ceil(y1)
  const look = { columns: 1, rows, measure: 'area', scale: 'linear', filter: filter.value } as const
  const left = await engine.call('lifetimes.raster', { captureId, device, axis: 'event', ...history, order, y0: 0, y1: rows, ...look })
  if (!left.ok) return left
  const fold = unitsLeft(left.value, rows)
  return ok(fold.length === 0 || fold.length === rows ? all : { device, order, fold, data: foldSpace(space.value, fold) })
}

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
  const { device, axis, range, order, fold } = place
  const folded = fold && foldedGrid(fold, place.y, rows, columns, maxSidePx)
  const asked = { ...rectangleOf(place), rows, ...(folded ? { ...folded.y, rows: folded.rows } : {}) }
  const answer = await engine.call('lifetimes.raster', { ...asked, columns, measure, scale, filter })
  if (!answer.ok) return answer
  const raster = folded ? foldRaster(answer.value, fold, folded) : answer.value
  const data = { ...raster, cells: withStripes(raster.cells, raster.rows) }
  const y = folded?.shown ?? place.y
  return ok({ device, axis, range, y, order, fold, measure, scale, data, meanPx: data.meanColumns / perPx })
}

/** Single lifetimes of a place; undefined when there are too many. */
export async function askBars(place: Place, filter: string, colorBy: LifetimeColor): Promise<Result<PlacedBars | undefined>> {
  const { device, axis, range, y, order, fold } = place
  const answer = await engine.call('lifetimes.bars', { ...rectangleOf(place), filter, limit: mostBars, colorBy })
  if (!answer.ok) return answer
  const { bars } = answer.value
  if (!bars) return ok(undefined)
  const data = sharesRows(order) ? packLanes(shownRows(bars, fold)) : bars
  const leastHeight = sharesRows(order)
    ? data.y0.reduce((least, from, at) => Math.min(least, (data.y1[at] ?? from) - from), Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY
  return ok({ device, axis, range, y, order, fold, colorBy, leastHeight, data })
}

/** Bars in the rows of the view; what passes the filter lies in rows that are left. */
function shownRows(bars: Bars, fold: RowFold | undefined): Bars {
  if (!fold) return bars
  const y0 = bars.y0.map((y) => toShownY(fold, y) ?? y)
  return { ...bars, y0, y1: y0.map((y) => y + 1) }
}

type LifeQuestion = Omit<EngineInput<'lifetimes.place'>, 'captureId'>

/** Where an allocation is drawn; undefined when its row is folded away. */
export async function askLife(
  captureId: string,
  question: LifeQuestion,
  fold: RowFold | undefined,
): Promise<Result<PlacedLife | undefined>> {
  const answer = await engine.call('lifetimes.place', { captureId, ...question })
  if (!answer.ok) return answer
  const { y0, y1, ...life } = answer.value
  const y = toShownRow(fold, { y0, y1 })
  return ok(y && { ...question, ...life, y })
}
