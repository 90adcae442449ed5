// The curves on screen: redrawn when view state or answers change, outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { axisScene } from '../../focus/axis-scene.ts'
import { focusData } from '../../focus/focus-data.ts'
import { type LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewOf } from '../../state/view-state.ts'
import { currentTokens } from '../../theme/theme.ts'
import { assembleCurves } from './assemble.ts'
import type { CurveInput } from './curve-input.ts'
import { layoutCurves } from './curve-layout.ts'
import { buildCurves } from './curve-model.ts'
import { fragmentationData } from './fragmentation-data.ts'

const noPalette = new Uint8Array(256 * 4) // there is no raster

export class CurveScene {
  readonly #capture: CaptureSummary
  readonly #scene: LiveScene

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    const { captureId } = capture
    this.#scene = axisScene(capture, host, {
      frame: () => {
        const input = this.input()
        return input && { list: buildCurves(input), palette: noPalette }
      },
      layOut: (widthPx, heightPx, rows) => fragmentationData(captureId).setState({ layout: layoutCurves(widthPx, heightPx, rows, true) }),
      follow: (queue) =>
        fragmentationData(captureId).subscribe((data, old) => {
          if (data.hover === old.hover) queue()
        }),
    })
  }

  /** The model's input as drawn now, for hit tests. */
  input(): CurveInput | undefined {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const [data, focus] = [fragmentationData(captureId).getState(), focusData(captureId).getState()]
    return view && assembleCurves(this.#capture, view, data, focus, currentTokens(), measureOnScreen())
  }

  destroy(): void {
    this.#scene.destroy()
  }
}
