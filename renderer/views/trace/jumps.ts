// Where panels of a trace lead: to a moment of a device, to a range in another view, to a step.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow, InstantRow, TraceStep } from '../../../preload/contract/queries.ts'
import type { ViewId } from '../../../preload/contract/shell.ts'
import { shownRange } from '../../focus/home.ts'
import { showRange } from '../../focus/range-actions.ts'
import { spanOf } from '../../plot/scales.ts'
import { goToAllocation, goToEvent } from '../../state/go-to.ts'
import { chooseDevice } from '../../state/initial-view.ts'
import { patchView, type Range, viewOf } from '../../state/view-state.ts'
import { reveal, selectArea } from './actions.ts'
import { panelData, showInstant } from './panel-data.ts'
import { traceData } from './trace-data.ts'

const marginShare = 0.15

/** A range with some room around it. */
const withMargin = (range: Range): Range => {
  const margin = spanOf(range) * marginShare
  return { x0: range.x0 - margin, x1: range.x1 + margin }
}

/** Shows another device where it is not the one in view already; the range in sight stays. */
function switchDevice(capture: CaptureSummary, device: number): void {
  const view = viewOf(capture.captureId)
  if (!view || view.device === device) return
  chooseDevice(capture, device, 'time')
}

/** Pins the cursor to an event of a device. */
export async function goToDeviceEvent(capture: CaptureSummary, device: number, event: number): Promise<void> {
  switchDevice(capture, device)
  await goToEvent(capture.captureId, event)
}

/** Selects an allocation of a device, and tells about it in the drawer, where a selected slice would come before it. */
export async function goToDeviceAllocation(
  capture: CaptureSummary,
  device: number,
  allocation: Pick<AllocationRow, 'allocationId' | 'allocEvent'>,
): Promise<void> {
  switchDevice(capture, device)
  panelData(capture.captureId).setState({ tab: 'allocation' })
  await goToAllocation(capture.captureId, allocation)
}

/** Selects a range and shows it in another view, on the device it is about. */
export function showRangeIn(capture: CaptureSummary, id: ViewId, device: number, range: Range): void {
  switchDevice(capture, device)
  patchView(capture.captureId, { view: id, selectedRange: range })
  showRange(capture, withMargin(range))
}

/** Tells about an instant in the drawer, and brings it into sight. */
export function goToInstant(capture: CaptureSummary, { instantId, trackId, timeNs }: InstantRow): void {
  const track = traceData(capture.captureId).getState().tracks?.tracks[trackId]
  if (track) reveal(capture, { trackId, laneId: track.firstLane, startNs: timeNs, durNs: 0 })
  showInstant(capture.captureId, instantId)
}

/** Selects a step on all tracks, and brings it into sight. */
export function selectStep(capture: CaptureSummary, { startNs, endNs }: Pick<TraceStep, 'startNs' | 'endNs'>): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const range = { x0: startNs, x1: Math.max(endNs, startNs + 1) }
  selectArea(capture, range, undefined)
  const shown = shownRange(capture, view)
  if (range.x1 <= shown.x0 || range.x0 >= shown.x1) showRange(capture, withMargin(range))
}
