// Tells tests when nothing is in flight and nothing waits to be drawn.
import { engine } from '../data/engine-client.ts'
import { anyLater } from '../data/later.ts'
import './bridge.ts'

const frames = 2
const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))

/** Resolves once no question has been unanswered and no work has waited for its time for two frames in a row: all is drawn by then. */
export async function idle(): Promise<void> {
  let quiet = 0
  while (quiet <= frames) {
    await nextFrame()
    quiet = engine.busy || anyLater() ? 0 : quiet + 1
  }
}

/** Offers `idle` to tests. */
export function startIdleHook(): void {
  window.__tidemarkIdle = idle
}
