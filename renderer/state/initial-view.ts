// How a capture is looked at when it opens, and what changes with its device.
import { busiestDevice, type CaptureSummary, type DeviceSummary } from '../../preload/contract/capture.ts'
import type { Axis } from '../../preload/contract/queries.ts'
import { noFilter, patchView, type Range, type ViewState } from './view-state.ts'

/** The summary of one device of a capture. */
export function deviceOf(capture: CaptureSummary, device: number): DeviceSummary | undefined {
  return capture.devices.find((each) => each.device === device)
}

/** All there is on an axis: events [0, n), or nanoseconds from the first event to the last. */
export function fullRange(device: DeviceSummary | undefined, axis: Axis): Range {
  const events = { x0: 0, x1: Math.max(1, device?.eventCount ?? 0) }
  if (axis === 'event' || !device || device.firstTimeNs === null || device.lastTimeNs === null) return events
  return { x0: device.firstTimeNs, x1: Math.max(device.lastTimeNs, device.firstTimeNs + 1) }
}

/** The view of a capture that was just opened: everything, on the event axis, because bursts stay readable there. */
export function initialView(capture: CaptureSummary): ViewState {
  const device = busiestDevice(capture)
  const full = fullRange(device, 'event')
  return {
    view: 'timeline',
    device: device?.device ?? 0,
    axis: 'event',
    full,
    visible: full,
    cursorEvent: undefined,
    selectedRange: undefined,
    selectedAllocation: undefined,
    colorBy: 'stack',
    filter: noFilter,
    showLegend: true,
    showTable: false,
    showDetails: true,
    showEmptyDetails: false,
  }
}

/** Shows another device of the capture. Events and allocations are counted per device, so nothing selected survives. */
export function chooseDevice(capture: CaptureSummary, device: number, axis: Axis): void {
  const full = fullRange(deviceOf(capture, device), axis)
  patchView(capture.captureId, {
    device,
    full,
    visible: full,
    cursorEvent: undefined,
    selectedRange: undefined,
    selectedAllocation: undefined,
  })
}
