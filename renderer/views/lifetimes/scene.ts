// The lifetimes on screen: redrawn when view state or answers change, outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { focusData } from '../../focus/focus-data.ts'
import { placedSpans, rowsOf } from '../../plot/annotations.ts'
import { LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewOf, viewStates } from '../../state/view-state.ts'
import { currentTokens } from '../../theme/theme.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { assemble } from './assemble.ts'
import { groundPalette, heatPalette } from './heat.ts'
import { layoutLifetimes } from './layout.ts'
import { lifetimesData } from './lifetimes-data.ts'
import { buildLifetimes } from './model.ts'
import type { LifetimesInput } from './model-input.ts'

const palettes = new Map<string, Uint8Array>()

/** The palette of a theme and level, always the same object, so that the GPU keeps its copy. */
function paletteOf(tokens: Tokens, isSingle: boolean): Uint8Array {
  const key = `${tokens.name} ${isSingle}`
  const palette = palettes.get(key) ?? (isSingle ? groundPalette(tokens) : heatPalette(tokens))
  palettes.set(key, palette)
  return palette
}

export class LifetimesScene {
  readonly #capture: CaptureSummary
  readonly #scene: LiveScene

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    this.#scene = new LiveScene(host, {
      frame: () => {
        const input = this.input()
        return input && { list: buildLifetimes(input), palette: paletteOf(input.tokens, input.bars !== undefined) }
      },
      resized: (widthPx, heightPx) => this.#layOut(widthPx, heightPx),
      subscribe: (queue) => this.#subscribe(queue),
    })
  }

  /** The model's input as drawn now, for hit tests. */
  input(): LifetimesInput | undefined {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const [data, focus] = [lifetimesData(captureId).getState(), focusData(captureId).getState()]
    return view && assemble(this.#capture, view, data, focus, currentTokens(), measureOnScreen())
  }

  destroy(): void {
    this.#scene.destroy()
  }

  #subscribe(queue: () => void): (() => void)[] {
    const { captureId } = this.#capture
    return [
      viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && queue()),
      lifetimesData(captureId).subscribe((data, old) => {
        if (data.order !== old.order) this.#scene.resize()
        if (data.hover === old.hover && data.hovered === old.hovered && data.hoveredPlace === old.hoveredPlace) queue()
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
    const store = lifetimesData(captureId)
    const rows = rowsOf(placedSpans(focusData(captureId).getState().annotations, view.axis, view.full.x1))
    store.setState({ layout: layoutLifetimes(widthPx, heightPx, rows, store.getState().order) })
  }
}
