// Tells tests when nothing is in flight and nothing waits to be drawn.
import { engine } from '../data/engine-client.ts'
import './bridge.ts'

const frames = 2
const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))

/** Resolves once no question has been unanswered for two frames in a row: what they brought is drawn by then. */
export async function idle(): Promise<void> {
  let quiet = 0
  while (quiet <= frames) {
    await nextFrame()
    quiet = engine.busy ? 0 : quiet + 1
  }
}

/** Offers `idle` to tests. */
export function startIdleHook(): void {
  window.__tidemarkIdle = idle
}
