// Puts the model's input together from the capture, the view state and the engine's answers.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { FocusData } from '../../focus/focus-data.ts'
import { homeOf, shownRange, startsLate } from '../../focus/home.ts'
import { placedSpans } from '../../plot/annotations.ts'
import type { Emphasis } from '../../plot/placed.ts'
import type { Measure } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import type { ViewState } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { topBytes } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { timelineText } from './texts.ts'
import type { TimelineData } from './timeline-data.ts'

export const topOf = (device: DeviceSummary): number => topBytes(device.peakReservedBytes, device.peakAllocatedBytes)

/** Bytes at the plot's top as things stand: the device's, or what was fitted to the allocated memory in view. */
export const topNow = (device: DeviceSummary, { fitsHeight, fitted }: Pick<TimelineData, 'fitsHeight' | 'fitted'>): number =>
  fitsHeight && fitted?.device === device.device ? fitted.bytes : topOf(device)

/** The emphasis when it belongs to what is shown. */
export const emphasisNow = (
  view: Pick<ViewState, 'device' | 'colorBy'>,
  { emphasis }: Pick<TimelineData, 'emphasis'>,
): Emphasis | undefined => (emphasis?.device === view.device && emphasis.colorBy === view.colorBy ? emphasis : undefined)

/** The model's input; undefined until the canvas has a size. Answers for another device or axis are left out. */
export function assemble(
  capture: CaptureSummary,
  view: ViewState,
  data: TimelineData,
  focus: FocusData,
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
    spans: placedSpans(focus.annotations, view.axis, view.full.x1),
    outline: outline?.allocationId === view.selectedAllocation ? outline : undefined,
    cursor: focus.cursor,
    selectedRange: data.dragging ?? view.selectedRange,
    noteMarks: focus.noteMarks,
    layout: data.layout,
    tokens,
    measure,
    t: timelineText,
  }
}
