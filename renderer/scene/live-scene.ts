// A picture on screen that draws itself again, at most once a frame and outside React, when what it depends on changes: theme, language,
// fonts and size, and whatever its owner subscribes to.
import i18next from 'i18next'
import { currentTokens, onTokensChanged } from '../theme/theme.ts'
import { forgetWidths, measureWith } from './canvas-painter.ts'
import type { Measure } from './display-list.ts'
import { Stage, type StageFrame } from './stage.ts'

const mostScale = 2

let screenMeasure: Measure | undefined

/** Measure of the screen's fonts. */
export function measureOnScreen(): Measure {
  const context = screenMeasure ? undefined : document.createElement('canvas').getContext('2d')
  if (context) screenMeasure = measureWith(context)
  return screenMeasure ?? ((text, sizePx) => text.length * sizePx * 0.55)
}

export interface SceneOwner {
  readonly flat?: boolean // without a GL context of its own
  /** The frame as things stand; undefined while there is nothing to draw. */
  readonly frame: () => Omit<StageFrame, 'background'> | undefined
  /** The host has another size, in CSS pixels: lay out anew. */
  readonly resized: (widthPx: number, heightPx: number) => void
  /** Calls back at every change that needs another frame; answers the removals. */
  readonly subscribe: (queue: () => void) => readonly (() => void)[]
}

export class LiveScene {
  readonly #host: HTMLElement
  readonly #owner: SceneOwner
  readonly #stage: Stage
  readonly #resizes: ResizeObserver
  readonly #stops: readonly (() => void)[]
  #queued = 0
  #isGone = false

  constructor(host: HTMLElement, owner: SceneOwner) {
    this.#host = host
    this.#owner = owner
    this.#stage = new Stage(host, owner.flat)
    this.#resizes = new ResizeObserver(() => this.resize())
    this.#resizes.observe(host)
    const queue = () => this.queue()
    // Widths measured before the fonts were there would let texts run into each other.
    const remeasure = () => {
      if (this.#isGone) return
      forgetWidths()
      queue()
    }
    i18next.on('languageChanged', queue)
    document.fonts.addEventListener('loadingdone', remeasure)
    this.#stops = [
      ...owner.subscribe(queue),
      onTokensChanged(queue),
      () => i18next.off('languageChanged', queue),
      () => document.fonts.removeEventListener('loadingdone', remeasure),
    ]
    this.resize()
    void document.fonts.ready.then(remeasure)
  }

  /** Tells the owner the host's size, also when only its layout has changed. */
  resize(): void {
    const { clientWidth, clientHeight } = this.#host
    if (clientWidth < 2 || clientHeight < 2) return
    this.#stage.resize(clientWidth, clientHeight, Math.min(window.devicePixelRatio, mostScale))
    this.#owner.resized(clientWidth, clientHeight)
    this.queue()
  }

  /** Draws in the next animation frame. */
  queue(): void {
    if (!this.#queued) this.#queued = requestAnimationFrame(() => this.#draw())
  }

  destroy(): void {
    this.#isGone = true
    cancelAnimationFrame(this.#queued)
    this.#resizes.disconnect()
    for (const stop of this.#stops) stop()
    this.#stage.destroy()
  }

  #draw(): void {
    this.#queued = 0
    const frame = this.#owner.frame()
    if (frame) this.#stage.draw({ ...frame, background: currentTokens().canvas })
  }
}
