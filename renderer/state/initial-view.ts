// How a capture is looked at when it opens, and what changes with its device.
import { busiestDevice, type CaptureSummary, type DeviceSummary } from '../../preload/contract/capture.ts'
import type { Axis } from '../../preload/contract/queries.ts'
import { noFilter, patchView, type Range, type ViewState, viewOf } from './view-state.ts'

/** The summary of one device of a capture. */
export function deviceOf(capture: CaptureSummary, device: number): DeviceSummary | undefined {
  return capture.devices.find((each) => each.device === device)
}

/** All there is on an axis: events [0, n), or nanoseconds from the first event to the last; of a trace its whole length. */
export function fullRange(capture: Pick<CaptureSummary, 'trace' | 'durationNs'>, device: DeviceSummary | undefined, axis: Axis): Range {
  const events = { x0: 0, x1: Math.max(1, device?.eventCount ?? 0) }
  if (axis === 'time' && capture.trace) return { x0: 0, x1: Math.max(1, capture.durationNs ?? 1) }
  if (axis === 'event' || !device || device.firstTimeNs === null || device.lastTimeNs === null) return events
  return { x0: device.firstTimeNs, x1: Math.max(device.lastTimeNs, device.firstTimeNs + 1) }
}

/** True for a snapshot in which a request failed: it has a diagnosis of a failure. */
export const hasFailed = ({ kind, devices }: CaptureSummary): boolean =>
  kind === 'torch_snapshot' && devices.some(({ oomCount }) => oomCount > 0)

/** The view of a capture that was just opened: everything; a failure as its diagnosis, a profile as a flame graph, a snapshot on the event axis, because bursts stay readable there, a trace over time. */
export function initialView(capture: CaptureSummary): ViewState {
  const device = busiestDevice(capture)
  const axis = capture.trace ? 'time' : 'event'
  const full = fullRange(capture, device, axis)
  return {
    view: capture.profile ? 'flame' : capture.trace ? 'trace' : hasFailed(capture) ? 'diagnosis' : 'timeline',
    device: device?.device ?? 0,
    axis,
    full,
    visible: full,
    cursorEvent: undefined,
    selectedRange: undefined,
    selectedAllocation: undefined,
    selectedSlice: undefined,
    selectedNode: undefined,
    colorBy: 'stack',
    filter: noFilter,
    showLegend: true,
    showTable: false,
    showDetails: true,
    showEmptyDetails: false,
  }
}

/**
 * Shows another device of the capture. Events and allocations are counted per device, so nothing selected survives; times are those of all
 * devices of a trace, so there ranges do.
 */
export function chooseDevice(capture: CaptureSummary, device: number, axis: Axis): void {
  const { captureId } = capture
  const full = fullRange(capture, deviceOf(capture, device), axis)
  const isSameTime = capture.trace !== null && axis === 'time' && viewOf(captureId)?.axis === 'time'
  const ranges = isSameTime ? {} : { full, visible: full, selectedRange: undefined }
  patchView(captureId, { device, ...ranges, cursorEvent: undefined, selectedAllocation: undefined })
}
