// Which event the views that show one moment are about.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import type { ViewState } from './view-state.ts'

/** The cursor's event; without one the last failure, else the peak: what the user most likely came for. −1 = before the first event, and where there are none. */
export function shownEvent({ cursorEvent }: Pick<ViewState, 'cursorEvent'>, device: DeviceSummary): number {
  if (device.eventCount === 0) return -1
  return cursorEvent ?? device.ooms.at(-1)?.event ?? device.peakEvent
}
