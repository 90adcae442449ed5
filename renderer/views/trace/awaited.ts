// Goes to the slice that another tab has led to.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { awaitedSlice } from '../../state/awaited-slice.ts'
import { viewOf, viewStates } from '../../state/view-state.ts'
import { goToSlice } from './actions.ts'
import { traceData } from './trace-data.ts'

/** As soon as there are tracks on a canvas to show it on, over time; returns the stop. */
export function followAwaited(capture: CaptureSummary): () => void {
  const { captureId } = capture
  const awaited = awaitedSlice(captureId)
  const go = () => {
    const { slice } = awaited.getState()
    const { tracks, layout } = traceData(captureId).getState()
    if (slice === undefined || !tracks || !layout || viewOf(captureId)?.axis !== 'time') return
    awaited.setState({ slice: undefined })
    void goToSlice(capture, slice)
  }
  const stops = [awaited.subscribe(go), traceData(captureId).subscribe(go), viewStates.subscribe(go)]
  go()
  return () => {
    for (const stop of stops) stop()
  }
}
