// Plays the history: the cursor goes on by itself until the end, until the window is hidden, or until it is told to pause.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { deviceOf } from '../state/initial-view.ts'
import { shownEvent } from '../state/moment.ts'
import { patchView, viewOf } from '../state/view-state.ts'
import { scrubberData, suitedRate } from './scrubber-data.ts'

const longestStepMs = 100 // a stall is no reason to jump
const calmStepMs = 500 // between pictures where motion is to be reduced

/** Where the cursor is after so many milliseconds; a fraction of an event is kept for the next step. */
export function advance(position: number, elapsedMs: number, eventsPerSecond: number, lastEvent: number): number {
  return Math.min(position + (elapsedMs / 1000) * eventsPerSecond, lastEvent)
}

const wantsCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

export class Player {
  readonly #capture: CaptureSummary
  readonly #abort = new AbortController()
  #frame = 0
  #lastMs = 0
  #position = 0

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const pauseWhenHidden = () => document.hidden && this.pause()
    document.addEventListener('visibilitychange', pauseWhenHidden, { signal: this.#abort.signal })
  }

  /** Plays, from the start when the end is shown; or pauses. */
  toggle(): void {
    const { captureId } = this.#capture
    const at = this.#now()
    if (scrubberData(captureId).getState().isPlaying) this.pause()
    else if (at && at.last > 0) {
      this.#position = at.event >= at.last ? 0 : Math.max(0, at.event)
      patchView(captureId, { cursorEvent: this.#position })
      this.#lastMs = performance.now()
      scrubberData(captureId).setState({ isPlaying: true })
      this.#frame = requestAnimationFrame(this.#step)
    }
  }

  pause(): void {
    cancelAnimationFrame(this.#frame)
    scrubberData(this.#capture.captureId).setState({ isPlaying: false })
  }

  stop(): void {
    this.pause()
    this.#abort.abort()
  }

  #now(): { readonly event: number; readonly last: number } | undefined {
    const view = viewOf(this.#capture.captureId)
    const device = view && deviceOf(this.#capture, view.device)
    return device && { event: shownEvent(view, device), last: device.eventCount - 1 }
  }

  readonly #step = (nowMs: number): void => {
    const { captureId } = this.#capture
    const at = this.#now()
    if (!at) return
    this.#frame = requestAnimationFrame(this.#step)
    const elapsedMs = nowMs - this.#lastMs
    const isCalm = wantsCalm()
    if (isCalm && elapsedMs < calmStepMs) return
    this.#lastMs = nowMs
    // The user may have moved the cursor meanwhile: it goes on from there.
    if (at.event !== Math.floor(this.#position)) this.#position = Math.max(0, at.event)
    const rate = scrubberData(captureId).getState().rate ?? suitedRate(at.last + 1)
    this.#position = advance(this.#position, Math.min(elapsedMs, isCalm ? calmStepMs : longestStepMs), rate, at.last)
    const event = Math.floor(this.#position)
    if (event !== at.event) patchView(captureId, { cursorEvent: event })
    if (event >= at.last) this.pause()
  }
}
