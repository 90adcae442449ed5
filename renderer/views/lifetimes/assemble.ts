// Puts the model's input together from the capture, the view state and the engine's answers.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { FocusData } from '../../focus/focus-data.ts'
import { homeOf, shownRange, startsLate } from '../../focus/home.ts'
import { placedSpans } from '../../plot/annotations.ts'
import { sameRange } from '../../plot/scales.ts'
import type { Measure } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import type { ViewState } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { Band, LifetimesData, PlacedHeat, PlacedLife, PlacedSpace } from './lifetimes-data.ts'
import type { LifetimesInput } from './model-input.ts'
import { sameFold } from './row-fold.ts'
import { lifetimesText } from './texts.ts'
import { clampY, heightOf, sharesRows, type YRange } from './y-axis.ts'

/** Single lifetimes are drawn from this mean width on, and up to so many. */
export const leastMeanPx = 4
export const mostBars = 4000
/** … and while no more than this share of them is too small to be told apart. */
export const mostFoldedShare = 0.04
const leastSharedPx = 2 // of bars that share a row

type Shown = Pick<ViewState, 'device' | 'axis'>

/** The extent of y, when it is known for the device and order shown. */
export function spaceNow(
  { device }: Pick<Shown, 'device'>,
  { space, order }: Pick<LifetimesData, 'space' | 'order'>,
): PlacedSpace | undefined {
  return space?.device === device && space.order === order ? space : undefined
}

/** A part of y, when it belongs to the device and order shown. */
const bandNow = ({ device }: Shown, { order }: Pick<LifetimesData, 'order'>, band: Band | undefined): YRange | undefined =>
  band?.device === device && band.order === order ? band.y : undefined

/** What is in sight of y; all of it unless zoomed. */
export function shownY(view: Shown, data: Pick<LifetimesData, 'space' | 'order' | 'shownY'>): YRange | undefined {
  const space = spaceNow(view, data)
  if (!space) return undefined
  const end = Math.max(space.data.y1, 1)
  return clampY(bandNow(view, data, data.shownY) ?? { y0: 0, y1: end }, data.order, end)
}

/**
 * The y part of the selected rectangle; undefined = its whole height, as for a range that was selected otherwise. When the axis is switched
 * the range is converted and the band stays.
 */
export function selectedBand(
  view: Pick<ViewState, 'device' | 'axis' | 'selectedRange'>,
  data: Pick<LifetimesData, 'order' | 'band'>,
): YRange | undefined {
  const { band } = data
  const isOfRange = band !== undefined && (band.axis !== view.axis || sameRange(band.range, view.selectedRange))
  return isOfRange ? bandNow(view, data, band) : undefined
}

/** Why single lifetimes cannot be told apart; undefined when they can. */
export function notFine({ meanPx, data: { shown, folded } }: PlacedHeat): 'narrow' | 'tooMany' | 'folded' | undefined {
  if (meanPx < leastMeanPx) return 'narrow'
  if (shown > mostBars) return 'tooMany'
  return folded > shown * mostFoldedShare ? 'folded' : undefined
}

/** True when single lifetimes can be shown, though some of them may be too small to see. */
export function canBeSingle(raster: LifetimesData['raster']): boolean {
  const reason = raster && notFine(raster)
  return raster !== undefined && (reason === undefined || reason === 'folded')
}

/** True when single lifetimes suit what is in sight, or are wanted and can be shown. */
export function isFine({ raster, level }: Pick<LifetimesData, 'raster' | 'level'>): boolean {
  if (!raster || level === 'heat') return false
  return level === 'single' ? canBeSingle(raster) : notFine(raster) === undefined
}

type Level = Pick<LifetimesData, 'raster' | 'bars' | 'layout' | 'level'>

/** True when bars that share a row are high enough to be told apart there. */
export function areHighEnough({ bars, layout }: Pick<Level, 'bars' | 'layout'>): boolean {
  if (!bars || !layout) return false
  return (bars.leastHeight / heightOf(bars.y)) * layout.plot.heightPx >= leastSharedPx
}

/** True while single lifetimes are what is shown. */
export const isSingle = (look: Level): boolean => isFine(look) && areHighEnough(look)

/** Where the selected allocation is drawn: its bar while single lifetimes share rows, else its place. */
function placeNow(view: ViewState, data: LifetimesData, bars: LifetimesData['bars']): PlacedLife | undefined {
  const { place, order } = data
  if (!place || place.allocationId !== view.selectedAllocation || place.device !== view.device) return undefined
  if (place.axis !== view.axis || place.order !== order) return undefined
  const bar = bars && sharesRows(order) ? bars.data.allocation.indexOf(place.allocationId) : -1
  return bars && bar >= 0 ? { ...place, y: { y0: bars.data.y0[bar] ?? 0, y1: bars.data.y1[bar] ?? 0 } } : place
}

/** The model's input; undefined until the canvas has a size and y an extent. Answers for another device, axis, order or other rows are left out. */
export function assemble(
  capture: CaptureSummary,
  view: ViewState,
  data: LifetimesData,
  focus: FocusData,
  tokens: Tokens,
  measure: Measure,
): LifetimesInput | undefined {
  const device = deviceOf(capture, view.device)
  const y = shownY(view, data)
  if (!device || !data.layout || !y) return undefined
  const fits = <T extends { readonly device: number; readonly axis: ViewState['axis'] }>(answer: T | undefined): T | undefined =>
    answer?.device === view.device && answer.axis === view.axis ? answer : undefined
  const space = spaceNow(view, data)
  const ordered = <T extends Pick<PlacedHeat, 'order' | 'fold'>>(answer: T | undefined): T | undefined =>
    answer?.order === data.order && sameFold(answer.fold, space?.fold) ? answer : undefined
  const raster = ordered(fits(data.raster))
  const answered = ordered(fits(data.bars))
  const bars = isSingle({ ...data, raster, bars: answered }) ? answered : undefined
  return {
    device,
    axis: view.axis,
    hasTimes: capture.hasTimes,
    startsLate: startsLate(capture),
    visible: shownRange(capture, view),
    home: homeOf(capture, view),
    overviewTop: Math.max(device.peakReservedBytes, device.peakAllocatedBytes, 1) * 1.1,
    order: data.order,
    space: space?.data,
    y,
    curves: fits(data.curves),
    overview: fits(data.overview),
    raster,
    bars,
    spans: placedSpans(focus.annotations, view.axis, view.full.x1),
    place: placeNow(view, data, bars),
    selectedRange: data.dragging ? data.dragging.range : view.selectedRange,
    noteMarks: focus.noteMarks,
    band: data.dragging ? data.dragging.y : selectedBand(view, data),
    cursor: focus.cursor,
    layout: data.layout,
    tokens,
    measure,
    t: lifetimesText,
  }
}
