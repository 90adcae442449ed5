// The lifetimes on screen: redrawn when view state or answers change, outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { axisScene } from '../../focus/axis-scene.ts'
import { focusData } from '../../focus/focus-data.ts'
import { type LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewOf } from '../../state/view-state.ts'
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
    const { captureId } = capture
    this.#scene = axisScene(capture, host, {
      frame: () => {
        const input = this.input()
        return input && { list: buildLifetimes(input), palette: paletteOf(input.tokens, input.bars !== undefined) }
      },
      layOut: (widthPx, heightPx, rows) => {
        const store = lifetimesData(captureId)
        store.setState({ layout: layoutLifetimes(widthPx, heightPx, rows, store.getState().order) })
      },
      follow: (queue, resize) =>
        lifetimesData(captureId).subscribe((data, old) => {
          if (data.order !== old.order) resize()
          if (data.hover === old.hover && data.hovered === old.hovered && data.hoveredPlace === old.hoveredPlace) queue()
        }),
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
}
