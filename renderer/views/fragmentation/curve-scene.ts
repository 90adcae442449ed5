// The curves on screen: redrawn when view state or answers change, outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { focusData } from '../../focus/focus-data.ts'
import { placedSpans, rowsOf } from '../../plot/annotations.ts'
import { LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewOf, viewStates } from '../../state/view-state.ts'
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
    this.#scene = new LiveScene(host, {
      frame: () => {
        const input = this.input()
        return input && { list: buildCurves(input), palette: noPalette }
      },
      resized: (widthPx, heightPx) => this.#layOut(widthPx, heightPx),
      subscribe: (queue) => this.#subscribe(queue),
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

  #subscribe(queue: () => void): (() => void)[] {
    const { captureId } = this.#capture
    return [
      viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && queue()),
      fragmentationData(captureId).subscribe((data, old) => {
        if (data.hover === old.hover) queue()
      }),
      focusData(captureId).subscribe((data, old) => {
        if (data.annotations !== old.annotations) this.#scene.resize()
        queue()
      }),
    ]
  }

  #layOut(widthPx: number, heightPx: number): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    if (!view) return
    const rows = rowsOf(placedSpans(focusData(captureId).getState().annotations, view.axis, view.full.x1))
    fragmentationData(captureId).setState({ layout: layoutCurves(widthPx, heightPx, rows, true) })
  }
}
