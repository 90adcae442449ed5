// Puts the model's input together from the capture, the view state and the engine's answers.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { Measure } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import type { Range, ViewState } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { type PlacedSpan, placeSpans } from './annotations.ts'
import { maxLaneRows } from './layout.ts'
import { topBytes } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { homeRange, sameRange } from './scales.ts'
import { timelineText } from './texts.ts'
import type { AnnotationSpan, Emphasis, TimelineData } from './timeline-data.ts'

/** True when memory was in use before the first recorded event. */
export const startsLate = (capture: CaptureSummary): boolean => capture.findings.some(({ code }) => code === 'snapshot/history_starts_late')

export const homeOf = (capture: CaptureSummary, view: ViewState): Range => homeRange(view.full, startsLate(capture))

/** What the canvas shows: everything is drawn with a little room at its ends. */
export const shownRange = (capture: CaptureSummary, view: ViewState): Range =>
  sameRange(view.visible, view.full) ? homeOf(capture, view) : view.visible

export const topOf = (device: DeviceSummary): number => topBytes(device.peakReservedBytes, device.peakAllocatedBytes)

/** Bytes at the plot's top as things stand: the device's, or what was fitted to the allocated memory in view. */
export const topNow = (device: DeviceSummary, { fitsHeight, fitted }: Pick<TimelineData, 'fitsHeight' | 'fitted'>): number =>
  fitsHeight && fitted?.device === device.device ? fitted.bytes : topOf(device)

/** The emphasis when it belongs to what is shown. */
export const emphasisNow = (
  view: Pick<ViewState, 'device' | 'colorBy'>,
  { emphasis }: Pick<TimelineData, 'emphasis'>,
): Emphasis | undefined => (emphasis?.device === view.device && emphasis.colorBy === view.colorBy ? emphasis : undefined)

let lastPacked:
  | { readonly spans: readonly AnnotationSpan[]; readonly axis: ViewState['axis']; readonly placed: readonly PlacedSpan[] }
  | undefined

/** Annotations in rows; kept between frames, since only spans and axis decide. */
export function placedSpans(spans: readonly AnnotationSpan[], view: ViewState): readonly PlacedSpan[] {
  if (lastPacked?.spans === spans && lastPacked.axis === view.axis) return lastPacked.placed
  lastPacked = { spans, axis: view.axis, placed: placeSpans(spans, view.axis, view.full.x1, maxLaneRows) }
  return lastPacked.placed
}

/** The model's input; undefined until the canvas has a size. Answers for another device or axis are left out. */
export function assemble(
  capture: CaptureSummary,
  view: ViewState,
  data: TimelineData,
  tokens: Tokens,
  measure: Measure,
): TimelineInput | undefined {
  const device = deviceOf(capture, view.device)
  if (!device || !data.layout) return undefined
  const fits = <T extends { readonly device: number; readonly axis: ViewState['axis'] }>(answer: T | undefined): T | undefined =>
    answer?.device === view.device && answer.axis === view.axis ? answer : undefined
  const raster = fits(data.raster)
  const outline = fits(data.outline)
  return {
    device,
    axis: view.axis,
    colorBy: raster?.colorBy ?? view.colorBy,
    hasTimes: capture.hasTimes,
    startsLate: startsLate(capture),
    visible: shownRange(capture, view),
    home: homeOf(capture, view),
    y1: topNow(device, data),
    overviewTop: topOf(device),
    emphasised: emphasisNow({ device: view.device, colorBy: raster?.colorBy ?? view.colorBy }, data)?.slots,
    curves: fits(data.curves),
    raster,
    overview: fits(data.overview),
    spans: placedSpans(data.annotations, view),
    outline: outline?.allocationId === view.selectedAllocation ? outline : undefined,
    cursor: data.cursor,
    selectedRange: data.dragging ?? view.selectedRange,
    layout: data.layout,
    tokens,
    measure,
    t: timelineText,
  }
}
