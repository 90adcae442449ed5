// Shows what a number of the diagnosis speaks of: the view, the device, the cursor's event and the filter.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { EvidencePlace } from '../../preload/contract/diagnosis.ts'
import { goToEvent } from './go-to.ts'
import { chooseDevice } from './initial-view.ts'
import { viewHistory } from './view-history.ts'
import { noFilter, patchView, viewOf } from './view-state.ts'

/** Goes there. A place before the first event is shown without a cursor. */
export async function showPlace(capture: CaptureSummary, place: EvidencePlace): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  if (!view) return
  viewHistory.settle(captureId)
  if (view.device !== place.device) chooseDevice(capture, place.device, view.axis)
  const shown = { view: place.view, filter: { ...noFilter, text: place.filter }, selectedAllocation: undefined }
  if (place.event < 0) patchView(captureId, { ...shown, cursorEvent: undefined })
  else await goToEvent(captureId, place.event, shown)
}
