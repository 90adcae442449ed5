// The timeline on screen: redraws when view state or answers change, outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { axisScene } from '../../focus/axis-scene.ts'
import { focusData } from '../../focus/focus-data.ts'
import { type LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewOf } from '../../state/view-state.ts'
import { cellPalette } from '../../theme/palette.ts'
import { currentTokens } from '../../theme/theme.ts'
import { assemble } from './assemble.ts'
import { layoutTimeline } from './layout.ts'
import { buildTimeline } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { timelineData } from './timeline-data.ts'

const mostPalettes = 64
const palettes = new Map<string, Uint8Array>()

/** The palette of a theme, way to colour and emphasis, always the same object, so that the GPU keeps its copy. */
function paletteOf({ tokens, colorBy, emphasised }: Pick<TimelineInput, 'tokens' | 'colorBy' | 'emphasised'>): Uint8Array {
  const key = `${tokens.name} ${colorBy} ${emphasised ? [...emphasised].join() : ''}`
  const palette = palettes.get(key) ?? cellPalette(tokens, colorBy, emphasised)
  if (palettes.size >= mostPalettes) palettes.clear()
  palettes.set(key, palette)
  return palette
}

export class TimelineScene {
  readonly #capture: CaptureSummary
  readonly #scene: LiveScene

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    const { captureId } = capture
    this.#scene = axisScene(capture, host, {
      frame: () => {
        const input = this.input()
        return input && { list: buildTimeline(input), palette: paletteOf(input) }
      },
      layOut: (widthPx, heightPx, rows) => timelineData(captureId).setState({ layout: layoutTimeline(widthPx, heightPx, rows) }),
      follow: (queue) =>
        timelineData(captureId).subscribe((data, old) => {
          if (data.hover === old.hover && data.hovered === old.hovered) queue()
        }),
    })
  }

  /** The model's input as drawn now, for hit tests. */
  input(): TimelineInput | undefined {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    const [data, focus] = [timelineData(captureId).getState(), focusData(captureId).getState()]
    return view && assemble(this.#capture, view, data, focus, currentTokens(), measureOnScreen())
  }

  destroy(): void {
    this.#scene.destroy()
  }
}
