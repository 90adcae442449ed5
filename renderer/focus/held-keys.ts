// Held keys: zooming and panning go on smoothly while W, A, S or D is down, at a speed that does not depend on the frame rate.
const zoomPerSecond = 3.5 // factor
const panPerSecond = 0.9 // of the visible span
const fast = 3
const firstStepMs = 60 // a tap moves as far as this long a hold

/** What the four keys move. */
export interface Motion {
  /** > 1 = closer. */
  readonly zoomBy: (factor: number) => void
  /** By a share of the visible span, forwards when positive. */
  readonly panBy: (share: number) => void
}

type Key = 'KeyW' | 'KeyA' | 'KeyS' | 'KeyD'
const keys: ReadonlySet<string> = new Set<Key>(['KeyW', 'KeyA', 'KeyS', 'KeyD'])

/** Drives the view from held keys; returns the stop. A tap counts as a short hold, so a single press moves visibly. */
export class HeldKeys {
  readonly #motion: Motion
  readonly #down = new Set<string>()
  #shift = false
  #last = 0
  #frame = 0

  constructor(motion: Motion) {
    this.#motion = motion
    window.addEventListener('keyup', this.#onKeyUp)
    window.addEventListener('blur', this.#release)
  }

  stop(): void {
    this.#release()
    window.removeEventListener('keyup', this.#onKeyUp)
    window.removeEventListener('blur', this.#release)
  }

  /** Called by the commands of the four keys when one goes down (or repeats). */
  press(code: Key, shift: boolean): void {
    this.#shift = shift
    if (this.#down.has(code)) return
    this.#down.add(code)
    this.#move(code, firstStepMs)
    if (this.#frame === 0) {
      this.#last = performance.now()
      this.#frame = requestAnimationFrame(this.#step)
    }
  }

  readonly #onKeyUp = (event: KeyboardEvent): void => {
    if (event.key === 'Shift') this.#shift = false
    if (keys.has(event.code)) this.#down.delete(event.code)
  }

  readonly #release = (): void => {
    this.#down.clear()
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }

  readonly #step = (now: number): void => {
    if (this.#down.size === 0) {
      this.#release()
      return
    }
    const elapsedMs = Math.min(now - this.#last, 100)
    this.#last = now
    for (const code of this.#down) this.#move(code, elapsedMs)
    this.#frame = requestAnimationFrame(this.#step)
  }

  #move(code: string, ms: number): void {
    const seconds = (ms / 1000) * (this.#shift ? fast : 1)
    if (code === 'KeyW') this.#motion.zoomBy(zoomPerSecond ** seconds)
    else if (code === 'KeyS') this.#motion.zoomBy(zoomPerSecond ** -seconds)
    else this.#motion.panBy(code === 'KeyA' ? -panPerSecond * seconds : panPerSecond * seconds)
  }
}
