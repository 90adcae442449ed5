// What the user does to the cursor and the selected allocation, as functions on the view state.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { goToAllocation, goToEvent } from '../state/go-to.ts'
import { deviceOf } from '../state/initial-view.ts'
import { noteStates, setMark } from '../state/notes.ts'
import { patchView, viewOf } from '../state/view-state.ts'
import { focusData } from './focus-data.ts'

/** Details of the selected allocation, when they have come. */
export function selectedDetails({ captureId }: CaptureSummary): AllocationDetails | undefined {
  const { details } = focusData(captureId).getState()
  return details && details.allocationId === viewOf(captureId)?.selectedAllocation ? details : undefined
}

/** Summary of the device in front. */
export function currentDevice(capture: CaptureSummary): DeviceSummary | undefined {
  const view = viewOf(capture.captureId)
  return view && deviceOf(capture, view.device)
}

/** Pins the cursor to the peak and brings it into sight. */
export function goToPeak(capture: CaptureSummary): void {
  const device = currentDevice(capture)
  if (device && device.peakEvent >= 0) void goToEvent(capture.captureId, device.peakEvent)
}

/** Selects an earlier (−1) or later (+1) use of the selected allocation's address. */
export function selectUse(capture: CaptureSummary, direction: 1 | -1): void {
  const { details } = focusData(capture.captureId).getState()
  if (!details) return
  const at = details.uses.findIndex(({ allocationId }) => allocationId === details.allocationId)
  const use = details.uses[at + direction]
  if (at >= 0 && use) void goToAllocation(capture.captureId, use)
}

/** Pins the cursor to where the selected allocation begins, or to where its free was asked for. */
export function goToLifeEnd(capture: CaptureSummary, end: 'allocEvent' | 'freeRequestedEvent'): void {
  const event = selectedDetails(capture)?.[end]
  if (event !== null && event !== undefined) void goToEvent(capture.captureId, event)
}

/** Opens the table of what is alive after the last event. */
export function goToEnd(capture: CaptureSummary): void {
  const device = currentDevice(capture)
  if (device && device.eventCount > 0) void goToEvent(capture.captureId, device.eventCount - 1, { showTable: true })
}

/** True while Esc has something to take away. */
export function canStepBack({ captureId }: CaptureSummary): boolean {
  const view = viewOf(captureId)
  if (noteStates(captureId).getState().mark) return true
  return view !== undefined && [view.selectedRange, view.selectedAllocation, view.cursorEvent].some((each) => each !== undefined)
}

/** One step back: the mark of the moment, the range, the allocation, then the cursor. */
export function stepBack({ captureId }: CaptureSummary): void {
  const view = viewOf(captureId)
  if (noteStates(captureId).getState().mark) setMark(captureId, undefined)
  else if (view?.selectedRange) patchView(captureId, { selectedRange: undefined })
  else if (view?.selectedAllocation !== undefined) patchView(captureId, { selectedAllocation: undefined })
  else patchView(captureId, { cursorEvent: undefined })
}
