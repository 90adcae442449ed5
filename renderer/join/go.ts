// Ways from one capture to its partner.
import type { AllocationDetails, SliceRow } from '../../preload/contract/queries.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { awaitedSlice } from '../state/awaited-slice.ts'
import { useCaptures } from '../state/captures.ts'
import { goToAllocation } from '../state/go-to.ts'
import { chooseDevice } from '../state/initial-view.ts'
import { useShell } from '../state/shell.ts'
import { patchView, viewOf } from '../state/view-state.ts'
import { readyCapture } from './join-data.ts'

/** Brings the tab of a capture to the front. The button that was pressed goes with the old tab, so the view gets the keys. */
export function goToCapture(captureId: string): void {
  const { tabs, activate } = useCaptures.getState()
  const tab = tabs.find((each) => each.status === 'ready' && each.capture.captureId === captureId)
  if (!tab) return
  useShell.setState({ showWelcome: false })
  activate(tab.tabId)
  document.getElementById('main')?.focus()
}

/** Shows a slice of a trace, selected and in sight. */
export function goToSliceOf(captureId: string, slice: number | SliceRow): void {
  awaitedSlice(captureId).setState({ slice })
  patchView(captureId, { view: 'trace' })
  goToCapture(captureId)
}

/** Shows an allocation in a view of its capture, selected, the cursor where it begins. */
export function goToAllocationOf(captureId: string, view: ViewId, allocation: AllocationDetails): void {
  const capture = readyCapture(captureId)
  const now = viewOf(captureId)
  if (!capture || !now) return
  // To the front first: from there the cursor is told back to where the user came from.
  goToCapture(captureId)
  if (now.device !== allocation.device) chooseDevice(capture, allocation.device, now.axis)
  patchView(captureId, { view })
  void goToAllocation(captureId, allocation)
}
