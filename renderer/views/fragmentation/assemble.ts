// View state + answers → what the models draw from. Answers for another device or axis are left out.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { FocusData } from '../../focus/focus-data.ts'
import { homeOf, shownRange, startsLate } from '../../focus/home.ts'
import { placedSpans } from '../../plot/annotations.ts'
import type { Frame, Measure } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { type CurveInput, type Moment, topBytes } from './curve-input.ts'
import type { FragmentationData, PlacedReport } from './fragmentation-data.ts'
import { type SizeBar, sizeBarsOf } from './size-bars.ts'
import type { SizeInput } from './size-model.ts'
import { fragmentationText } from './texts.ts'

/** The failed allocation of an event: its size. */
export const failedBytesAt = ({ ooms }: Pick<DeviceSummary, 'ooms'>, event: number): number | undefined =>
  ooms.find((oom) => oom.event === event)?.sizeBytes

/** The moment shown, with its time where it is known without asking. */
export function momentOf(
  view: Pick<ViewState, 'cursorEvent'>,
  device: DeviceSummary,
  focus: Pick<FocusData, 'cursor'>,
): Moment | undefined {
  if (device.eventCount === 0) return undefined
  const event = shownEvent(view, device)
  const known = [focus.cursor, ...device.ooms].find((each) => each?.event === event)
  return {
    event,
    timeNs: known ? known.timeNs : event === device.peakEvent ? device.peakTimeNs : null,
    isPinned: view.cursorEvent !== undefined,
  }
}

/** The report when it belongs to the device in view; it may still be of an earlier moment. */
export const reportNow = (view: Pick<ViewState, 'device'>, { report }: Pick<FragmentationData, 'report'>): PlacedReport | undefined =>
  report?.device === view.device ? report : undefined

/** The curves' input; undefined until the canvas has a size. */
export function assembleCurves(
  capture: CaptureSummary,
  view: ViewState,
  data: FragmentationData,
  focus: FocusData,
  tokens: Tokens,
  measure: Measure,
): CurveInput | undefined {
  const device = deviceOf(capture, view.device)
  if (!device || !data.layout) return undefined
  const fits = <T extends { readonly device: number; readonly axis: ViewState['axis'] }>(answer: T | undefined): T | undefined =>
    answer?.device === view.device && answer.axis === view.axis ? answer : undefined
  return {
    device,
    axis: view.axis,
    hasTimes: capture.hasTimes,
    visible: shownRange(capture, view),
    home: homeOf(capture, view),
    startsLate: startsLate(capture),
    y1: topBytes(device),
    overviewTop: topBytes(device),
    emphasis: data.emphasis,
    curves: fits(data.curves),
    overview: fits(data.overview),
    spans: placedSpans(focus.annotations, view.axis, view.full.x1),
    moment: momentOf(view, device, focus),
    selectedRange: data.dragging ?? view.selectedRange,
    noteMarks: focus.noteMarks,
    layout: data.layout,
    tokens,
    measure,
    t: fragmentationText,
  }
}

let lastBars: { readonly report: PlacedReport; readonly bars: readonly SizeBar[] } | undefined

/** The bars of a report; kept, since hovering asks for them with every move. */
export function barsOf(report: PlacedReport): readonly SizeBar[] {
  if (lastBars?.report !== report) lastBars = { report, bars: sizeBarsOf(report.value) }
  return lastBars.bars
}

/** The histogram's input; undefined until the first report. */
export function assembleSizes(
  capture: CaptureSummary,
  data: FragmentationData,
  frame: Frame,
  tokens: Tokens,
  measure: Measure,
): SizeInput | undefined {
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  const report = view && reportNow(view, data)
  if (!device || !report) return undefined
  return {
    bars: barsOf(report),
    unit: data.unit,
    largestFree: report.value.totals.largestFreeBytes,
    failedBytes: failedBytesAt(device, report.event),
    frame,
    tokens,
    measure,
    t: fragmentationText,
  }
}
