// The flame graph on screen, outside React: drawn again when view state, answers or layout change.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { focusData } from '../../focus/focus-data.ts'
import { LiveScene } from '../../scene/live-scene.ts'
import { viewStates } from '../../state/view-state.ts'
import { inputOf } from './assemble.ts'
import { flameData } from './flame-data.ts'
import { flameState } from './flame-state.ts'
import { layoutFlame } from './layout.ts'
import { buildFlame } from './model.ts'

const noPalette = new Uint8Array(256 * 4) // there is no raster

/** Puts the picture into the host and keeps it up to date; returns the removal. */
export function startScene(capture: CaptureSummary, host: HTMLElement): () => void {
  const { captureId } = capture
  const store = flameData(captureId)
  const scene = new LiveScene(host, {
    frame: () => {
      const input = inputOf(capture)
      return { list: input ? buildFlame(input) : [], palette: noPalette }
    },
    resized: (widthPx, heightPx) => store.setState({ layout: layoutFlame(widthPx, heightPx) }),
    subscribe: (queue) => [
      viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && queue()),
      flameState(captureId).subscribe(queue),
      focusData(captureId).subscribe((data, old) => data.details !== old.details && queue()),
      store.subscribe((data, old) => data.hover === old.hover && queue()),
    ],
  })
  return () => scene.destroy()
}
