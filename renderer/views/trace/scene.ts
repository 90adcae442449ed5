// The trace on screen: redrawn when view state or answers change, outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { axisScene } from '../../focus/axis-scene.ts'
import { focusData } from '../../focus/focus-data.ts'
import { type LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewOf } from '../../state/view-state.ts'
import { currentTokens } from '../../theme/theme.ts'
import { assemble } from './assemble.ts'
import { tracePalette } from './colors.ts'
import { layoutTrace } from './layout.ts'
import { buildTrace } from './model.ts'
import type { TraceInput } from './model-input.ts'
import { traceData } from './trace-data.ts'

export class TraceScene {
  readonly #capture: CaptureSummary
  readonly #scene: LiveScene

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    const { captureId } = capture
    this.#scene = axisScene(capture, host, {
      frame: () => {
        const input = this.input()
        return input && { list: buildTrace(input), palette: tracePalette(input.tokens, input.emphasis) }
      },
      layOut: (widthPx, heightPx, rows) => traceData(captureId).setState({ layout: layoutTrace(widthPx, heightPx, rows) }),
      annotations: () => traceData(captureId).getState().spans,
      follow: (queue, resize) =>
        traceData(captureId).subscribe((data, old) => {
          if (data.spans !== old.spans) resize()
          if (data.hover === old.hover && data.hovered === old.hovered) queue()
          else if (data.hoverRow !== old.hoverRow) queue()
        }),
    })
  }

  /** The model's input as drawn now, for hit tests. */
  input(): TraceInput | undefined {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const [data, focus] = [traceData(captureId).getState(), focusData(captureId).getState()]
    return view && assemble(this.#capture, view, data, focus, currentTokens(), measureOnScreen())
  }

  destroy(): void {
    this.#scene.destroy()
  }
}
