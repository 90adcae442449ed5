// The timeline on screen: redraws the stage when view state, answers, theme or language change, at most once a frame, outside React.
import i18next from 'i18next'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { forgetWidths, measureWith } from '../../scene/canvas-painter.ts'
import type { Measure } from '../../scene/display-list.ts'
import { Stage } from '../../scene/stage.ts'
import { viewOf, viewStates } from '../../state/view-state.ts'
import { cellPalette } from '../../theme/palette.ts'
import { currentTokens, onTokensChanged } from '../../theme/theme.ts'
import { rowsOf } from './annotations.ts'
import { assemble, placedSpans } from './assemble.ts'
import { layoutTimeline } from './layout.ts'
import { buildTimeline } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { timelineData } from './timeline-data.ts'

const mostScale = 2
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

let screenMeasure: Measure | undefined

/** Measure of the screen's fonts. */
function measureOnScreen(): Measure {
  const context = screenMeasure ? undefined : document.createElement('canvas').getContext('2d')
  if (context) screenMeasure = measureWith(context)
  return screenMeasure ?? ((text, sizePx) => text.length * sizePx * 0.55)
}

export class TimelineScene {
  readonly #capture: CaptureSummary
  readonly #host: HTMLElement
  readonly #stage: Stage
  readonly #resizes: ResizeObserver
  readonly #stops: (() => void)[]
  #queued = 0

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    this.#host = host
    this.#stage = new Stage(host)
    this.#resizes = new ResizeObserver(() => this.#resize())
    this.#resizes.observe(host)
    const id = capture.captureId
    const queue = () => this.#queue()
    i18next.on('languageChanged', queue)
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && queue()),
      timelineData(id).subscribe((data, old) => {
        if (data.annotations !== old.annotations) this.#resize()
        if (data.hover === old.hover && data.hovered === old.hovered) queue()
      }),
      onTokensChanged(queue),
      () => i18next.off('languageChanged', queue),
    ]
    this.#resize()
    // Widths measured before the fonts were there would let texts run into each other.
    const remeasure = () => {
      forgetWidths()
      queue()
    }
    document.fonts.addEventListener('loadingdone', remeasure)
    this.#stops.push(() => document.fonts.removeEventListener('loadingdone', remeasure))
    void document.fonts.ready.then(remeasure)
  }

  /** The model's input as drawn now, for hit tests. */
  input(): TimelineInput | undefined {
    const view = viewOf(this.#capture.captureId)
    return view && assemble(this.#capture, view, timelineData(this.#capture.captureId).getState(), currentTokens(), measureOnScreen())
  }

  destroy(): void {
    cancelAnimationFrame(this.#queued)
    this.#resizes.disconnect()
    for (const stop of this.#stops) stop()
    this.#stage.destroy()
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#host
    const view = viewOf(this.#capture.captureId)
    if (clientWidth < 2 || clientHeight < 2 || !view) return
    const store = timelineData(this.#capture.captureId)
    const rows = rowsOf(placedSpans(store.getState().annotations, view))
    this.#stage.resize(clientWidth, clientHeight, Math.min(window.devicePixelRatio, mostScale))
    store.setState({ layout: layoutTimeline(clientWidth, clientHeight, rows) })
  }

  #queue(): void {
    if (!this.#queued) this.#queued = requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#queued = 0
    const input = this.input()
    if (!input) return
    this.#stage.draw({ list: buildTimeline(input), palette: paletteOf(input), background: input.tokens.canvas })
  }
}
