// What the user does to this view alone, as functions on its stores. Commands, pointer and panels call these.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type LifetimeColor, type LifetimeOrder, lifetimeColorSchema, lifetimeOrderSchema } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { shownRange } from '../../focus/home.ts'
import { fitAll, focusAllocation, focusSelection, showRange } from '../../focus/range-actions.ts'
import * as selection from '../../focus/selection-actions.ts'
import { spanOf } from '../../plot/scales.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import { stepBy } from '../../state/step.ts'
import { patchView, type Range, type ViewState, viewOf } from '../../state/view-state.ts'
import { selectedBand, shownY, spaceNow } from './assemble.ts'
import { lifetimesData, type ShownBand } from './lifetimes-data.ts'
import { askLife, placeOf, rectangleOf } from './questions.ts'
import { toEngineY, toShownY } from './row-fold.ts'
import { clampY, heightOf, type YRange, zoomY } from './y-axis.ts'

const focusMargin = 0.15
const slices = 8 // in which the folded are counted
const mostNeighbours = 5000
const neighbourShares = [4096, 64, 8, 1] // parts of y in which neighbours are looked for, nearest first

const lookOf = ({ captureId }: CaptureSummary) => lifetimesData(captureId).getState()

/** Shows a part of y; all of it when it covers everything. */
export function showY(capture: CaptureSummary, range: YRange): void {
  const view = viewOf(capture.captureId)
  const look = lookOf(capture)
  const space = view && spaceNow(view, look)
  if (!view || !space) return
  const end = Math.max(space.data.y1, 1)
  const y = clampY(range, look.order, end)
  const { fold } = space
  const shown: ShownBand | undefined = heightOf(y) >= end ? undefined : { device: view.device, order: look.order, y, fold }
  lifetimesData(capture.captureId).setState({ shownY: shown })
}

export const fitY = ({ captureId }: CaptureSummary): void => lifetimesData(captureId).setState({ shownY: undefined })

/** Scrolls y so that a part of it lies in sight; nothing moves when it does already. */
export function bringIntoSight(capture: CaptureSummary, { y0, y1 }: YRange): void {
  const y = yNow(capture)
  if (!y || (y1 > y.y0 && y0 < y.y1)) return
  const [middle, half] = [(y0 + y1) / 2, heightOf(y) / 2]
  showY(capture, { y0: middle - half, y1: middle + half })
}

/** Zooms y about a place; without one about the middle of what is in sight. */
export function zoomYBy(capture: CaptureSummary, factor: number, at?: number): void {
  const y = yNow(capture)
  if (y) showY(capture, zoomY(y, factor, at ?? (y.y0 + y.y1) / 2))
}

/** Moves y by a share of what is in sight. */
export function panYBy(capture: CaptureSummary, share: number): void {
  const y = yNow(capture)
  if (y) showY(capture, { y0: y.y0 + share * heightOf(y), y1: y.y1 + share * heightOf(y) })
}

function yNow(capture: CaptureSummary): YRange | undefined {
  const view = viewOf(capture.captureId)
  return view && shownY(view, lookOf(capture))
}

/** True while only a part of y is in sight. */
export const isYZoomed = (capture: CaptureSummary): boolean => {
  const { shownY: band, order } = lookOf(capture)
  return band !== undefined && band.order === order && band.device === viewOf(capture.captureId)?.device
}

export function fitBoth(capture: CaptureSummary): void {
  fitY(capture)
  fitAll(capture)
}

/** What lies along y. */
export const setOrder = ({ captureId }: CaptureSummary, order: LifetimeOrder): void => lifetimesData(captureId).setState({ order })

const orders = lifetimeOrderSchema.options

/** The next order. */
export function cycleOrder(capture: CaptureSummary): void {
  setOrder(capture, orders[(orders.indexOf(lookOf(capture).order) + 1) % orders.length] ?? 'address_sqrt')
}

/** What colours single lifetimes. */
export const setColorBy = ({ captureId }: CaptureSummary, colorBy: LifetimeColor): void => lifetimesData(captureId).setState({ colorBy })

/** The next way to colour. */
export function cycleColorBy(capture: CaptureSummary): void {
  const all = lifetimeColorSchema.options
  setColorBy(capture, all[(all.indexOf(lookOf(capture).colorBy) + 1) % all.length] ?? 'stack')
}

/** Selects a rectangle; without y its whole height. */
export function selectRectangle(capture: CaptureSummary, range: Range, y: YRange | undefined): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const { order } = lookOf(capture)
  const { device, axis } = view
  lifetimesData(capture.captureId).setState({ band: y && { device, axis, range, order, y }, listTab: true })
  patchView(capture.captureId, { selectedRange: range, showDetails: true })
}

/** Selects an allocation and shows it in the drawer. */
export function select(capture: CaptureSummary, allocationId: number | undefined): void {
  lifetimesData(capture.captureId).setState({ listTab: allocationId === undefined })
  patchView(capture.captureId, { selectedAllocation: allocationId, ...(allocationId === undefined ? {} : { showDetails: true }) })
}

/** True while device, axis and order are those that something was asked about: an answer about others is not acted on. */
export function isStill({ captureId }: CaptureSummary, asked: Pick<ViewState, 'device' | 'axis'>, order: LifetimeOrder): boolean {
  const now = viewOf(captureId)
  return now?.device === asked.device && now.axis === asked.axis && lifetimesData(captureId).getState().order === order
}

/** Selects what lies at a place; says whether anything does, undefined when there is no answer or another picture is shown by now. */
export async function pickAt(capture: CaptureSummary, x: number, y: number): Promise<boolean | undefined> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const look = lookOf(capture)
  const filter = await askFilter(captureId)
  if (!view || !filter.ok) return undefined
  const input = {
    captureId,
    device: view.device,
    axis: view.axis,
    order: look.order,
    x,
    y: toEngineY(spaceNow(view, look)?.fold, y),
    filter: filter.value,
  }
  const answer = await engine.latest('lifetimes.pick', 'lifetimes.pick', input)
  if (!answer.ok || !isStill(capture, view, look.order)) return undefined
  select(capture, answer.value.allocation?.allocationId)
  return answer.value.allocation !== null
}

/** Brings the selected allocation's rows into sight, closer when they are low. */
async function focusRows(capture: CaptureSummary, view: ViewState, allocationId: number): Promise<void> {
  const look = lookOf(capture)
  const question = { device: view.device, axis: view.axis, order: look.order, allocationId }
  const life = await askLife(capture.captureId, question, spaceNow(view, look)?.fold)
  if (!life.ok || !life.value) return
  const { y } = life.value
  const margin = heightOf(y) * 3
  showY(capture, { y0: y.y0 - margin, y1: y.y1 + margin })
}

/** Zooms to the selected rectangle or allocation; when that is in sight already, to everything. */
export async function focusBoth(capture: CaptureSummary): Promise<void> {
  const view = viewOf(capture.captureId)
  if (!view) return
  const band = selectedBand(view, lookOf(capture))
  const before = view.visible
  if (view.selectedRange && band) {
    const margin = heightOf(band) * focusMargin
    showY(capture, { y0: band.y0 - margin, y1: band.y1 + margin })
  } else if (!view.selectedRange && view.selectedAllocation !== undefined) await focusRows(capture, view, view.selectedAllocation)
  await focusSelection(capture)
  const now = viewOf(capture.captureId)
  if (now && now.visible === now.full && now.visible !== before) fitY(capture)
}

/** Zooms to the selected allocation in both directions; says whether one is selected. */
export async function focusPicked(capture: CaptureSummary): Promise<boolean> {
  const view = viewOf(capture.captureId)
  if (view?.selectedAllocation === undefined) return false
  await focusRows(capture, view, view.selectedAllocation)
  const isFocused = await focusAllocation(capture)
  const now = viewOf(capture.captureId)
  if (now && now.visible === now.full) fitY(capture)
  return isFocused
}

/** Selects the neighbour above (−1) or below (+1) among what is alive at the cursor. */
export async function selectNeighbour(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const view = viewOf(capture.captureId)
  const look = lookOf(capture)
  const device = view && deviceOf(capture, view.device)
  const end = view && spaceNow(view, look)?.data.y1
  if (!view || !device || end === undefined) return
  if (view.cursorEvent === undefined) return stepBy(capture, 0)
  const from = look.place?.allocationId === view.selectedAllocation ? look.place?.y : undefined
  const at = direction > 0 ? (from?.y1 ?? 0) : (from?.y0 ?? end)
  const found = await neighbourFrom(capture, view, shownEvent(view, device), { at, direction, end })
  if (found !== undefined) select(capture, found)
}

interface Search {
  readonly at: number
  readonly direction: 1 | -1
  readonly end: number // of y
}

/** The allocation alive after an event that lies next on y; looked for farther and farther away, so that few answers are large. */
async function neighbourFrom(
  capture: CaptureSummary,
  { device }: ViewState,
  event: number,
  { at, direction, end }: Search,
): Promise<number | undefined> {
  const filter = await askFilter(capture.captureId)
  if (!filter.ok) return undefined
  for (const share of neighbourShares) {
    const reach = end / share
    const y = direction > 0 ? { y0: at, y1: Math.min(at + reach, end) } : { y0: Math.max(0, at - reach), y1: at }
    if (heightOf(y) <= 0) return undefined
    const place = placeOf(capture, { device, axis: 'event' }, { x0: event, x1: event + 1 }, y, lookOf(capture))
    const answer = await engine.call('lifetimes.bars', { ...rectangleOf(place), filter: filter.value, limit: mostNeighbours })
    const bars = answer.ok ? answer.value.bars : null
    if (!bars) return undefined
    const nearest = nearestOf(place.fold ? bars.y0.map((each) => toShownY(place.fold, each) ?? each) : bars.y0, direction, at)
    if (nearest >= 0) return bars.allocation[nearest]
  }
  return undefined
}

/** Index of the first row at or after `at` downwards, or of the last before it upwards; −1 when there is none. */
function nearestOf(y0: Float64Array, direction: 1 | -1, at: number): number {
  let best = -1
  for (const [index, y] of y0.entries()) {
    const isAhead = direction > 0 ? y >= at : y < at
    const before = y0[best]
    if (isAhead && (before === undefined || (direction > 0 ? y < before : y > before))) best = index
  }
  return best
}

/** Zooms to where most of the folded allocations lie: the part of the range that holds most of them. */
export async function unfold(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const look = lookOf(capture)
  const y = view && shownY(view, look)
  const filter = await askFilter(captureId)
  if (!view || !y || !look.raster || !filter.ok) return
  const range = shownRange(capture, view)
  const width = spanOf(range) / slices
  const parts = Array.from({ length: slices }, (_, index) => ({ x0: range.x0 + index * width, x1: range.x0 + (index + 1) * width }))
  const grid = { columns: Math.max(1, Math.floor(look.raster.data.columns / slices)), rows: look.raster.data.rows }
  const { measure, scale } = look.raster
  let best: { readonly part: Range; readonly folded: number } | undefined
  for (const part of parts) {
    const place = rectangleOf(placeOf(capture, view, part, y, look))
    const answer = await engine.call('lifetimes.raster', { ...place, ...grid, measure, scale, filter: filter.value })
    if (answer.ok && answer.value.folded > (best?.folded ?? 0)) best = { part, folded: answer.value.folded }
  }
  if (best && isStill(capture, view, look.order)) showRange(capture, best.part)
}

/** One step back; a rectangle's band goes with its range. */
export function stepBack(capture: CaptureSummary): void {
  if (viewOf(capture.captureId)?.selectedRange) lifetimesData(capture.captureId).setState({ band: undefined })
  selection.stepBack(capture)
}
