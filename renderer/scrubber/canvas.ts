// The scrubber's canvas: draws the model, and moves the cursor to where it is pressed or dragged.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { LiveScene, measureOnScreen } from '../scene/live-scene.ts'
import { deviceOf } from '../state/initial-view.ts'
import { shownEvent } from '../state/moment.ts'
import { patchView, viewOf, viewStates } from '../state/view-state.ts'
import { currentTokens } from '../theme/theme.ts'
import { buildScrubber, eventAtPx, layoutScrubber, type ScrubberInput } from './model.ts'
import { scrubberData } from './scrubber-data.ts'

const noPalette = new Uint8Array(256 * 4) // it draws no raster

function inputOf(capture: CaptureSummary): ScrubberInput | undefined {
  const { layout, curves, moment, marked } = scrubberData(capture.captureId).getState()
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  if (!layout || !device) return undefined
  return {
    device,
    curves: curves?.device === device.device ? curves : undefined,
    event: shownEvent(view, device),
    moment: moment?.device === device.device ? moment : undefined,
    marked: marked?.device === device.device ? marked.events : undefined,
    layout,
    tokens: currentTokens(),
    measure: measureOnScreen(),
  }
}

/** Starts drawing and listening; returns the stop. */
export function startScrubberCanvas(capture: CaptureSummary, host: HTMLElement): () => void {
  const { captureId } = capture
  const scene = new LiveScene(host, {
    flat: true,
    frame: () => {
      const input = inputOf(capture)
      return input && { list: buildScrubber(input), palette: noPalette }
    },
    resized: (widthPx, heightPx) => scrubberData(captureId).setState({ layout: layoutScrubber(widthPx, heightPx) }),
    subscribe: (queue) => [
      viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && queue()),
      scrubberData(captureId).subscribe(queue),
    ],
  })
  const abort = new AbortController()
  const moveTo = ({ clientX }: PointerEvent) => {
    const input = inputOf(capture)
    if (!input || input.device.eventCount === 0) return
    const event = eventAtPx(input, clientX - host.getBoundingClientRect().left)
    if (event !== viewOf(captureId)?.cursorEvent) patchView(captureId, { cursorEvent: event })
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    host.setPointerCapture(event.pointerId)
    moveTo(event)
  }
  host.addEventListener('pointerdown', down, { signal: abort.signal })
  host.addEventListener('pointermove', (event) => host.hasPointerCapture(event.pointerId) && moveTo(event), { signal: abort.signal })
  return () => {
    abort.abort()
    scene.destroy()
  }
}
