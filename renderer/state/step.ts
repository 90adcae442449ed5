// The cursor one event, or many, on or back: what the keys of every view and the scrubber do.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { goToEvent } from './go-to.ts'
import { deviceOf } from './initial-view.ts'
import { shownEvent } from './moment.ts'
import { viewOf } from './view-state.ts'

/** Pins the cursor so many events after (before, when negative) the one shown; stays inside the history. */
export function stepBy(capture: CaptureSummary, events: number): void {
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  if (!device || device.eventCount === 0) return
  const event = shownEvent(view, device) + events
  void goToEvent(capture.captureId, Math.min(Math.max(event, 0), device.eventCount - 1))
}

/** Pins the cursor to the first or the last event. */
export const stepToFirst = (capture: CaptureSummary): void => stepBy(capture, Number.NEGATIVE_INFINITY)
export const stepToLast = (capture: CaptureSummary): void => stepBy(capture, Number.POSITIVE_INFINITY)
