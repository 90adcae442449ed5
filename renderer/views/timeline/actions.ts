// What the user does to the timeline alone, as functions on its stores. Commands, pointer and panels call these.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type ColorBy, colorBySchema } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { focusData } from '../../focus/focus-data.ts'
import * as selection from '../../focus/selection-actions.ts'
import type { Swatch } from '../../plot/legend.ts'
import { goToEvent } from '../../state/go-to.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import { emphasisNow, topOf } from './assemble.ts'
import { fittedTop, mostAllocated } from './fit-height.ts'
import { timelineData } from './timeline-data.ts'

export const setColorBy = (capture: CaptureSummary, colorBy: ColorBy): void => patchView(capture.captureId, { colorBy })

/** The next way to colour. */
export function cycleColorBy(capture: CaptureSummary): void {
  const view = viewOf(capture.captureId)
  const all = colorBySchema.options
  if (view) setColorBy(capture, all[(all.indexOf(view.colorBy) + 1) % all.length] ?? 'stack')
}

/** Steps the pinned cursor by events; starts at the peak. */
export function stepCursor(capture: CaptureSummary, events: number): void {
  const view = viewOf(capture.captureId)
  const device = selection.currentDevice(capture)
  if (!view || !device || device.eventCount === 0) return
  const from = view.cursorEvent ?? Math.max(0, device.peakEvent)
  const to = view.cursorEvent === undefined ? from : from + events
  void goToEvent(capture.captureId, Math.min(Math.max(to, 0), device.eventCount - 1))
}

/** Selects the allocation at a place of the picture and pins the cursor there. Nothing there: only the cursor moves. */
export async function pickAt(capture: CaptureSummary, event: number, bytes: number): Promise<boolean> {
  const { captureId } = capture
  const device = viewOf(captureId)?.device
  if (device === undefined) return false
  const answer = await engine.latest('timeline.pick', 'timeline.pick', { captureId, device, event, bytes })
  if (!answer.ok) return false
  const found = answer.value.allocation
  const cursorEvent = Math.max(0, event)
  patchView(
    captureId,
    found ? { cursorEvent, selectedAllocation: found.allocationId, showDetails: true } : { cursorEvent, selectedAllocation: undefined },
  )
  return found !== null
}

/** Selects the next allocation up (+1) or down (−1) in the stack of bands at the cursor; starts with the lowest or highest. */
export async function selectNeighbour(capture: CaptureSummary, direction: 1 | -1): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const { cursor, details } = focusData(captureId).getState()
  if (!view || !cursor) {
    stepCursor(capture, 0)
    return
  }
  const { event } = cursor
  let bytes = direction > 0 ? 0 : cursor.allocated - 1
  if (details && details.allocationId === view.selectedAllocation) {
    const input = {
      captureId,
      device: view.device,
      axis: 'event',
      x0: event,
      x1: event + 1,
      columns: 1,
      allocationId: details.allocationId,
    } as const
    const outline = await engine.latest('neighbour', 'timeline.outline', input)
    const y0 = outline.ok ? outline.value.y0[0] : undefined
    if (y0 !== undefined && !Number.isNaN(y0)) bytes = direction > 0 ? y0 + details.sizeBytes : y0 - 1
  }
  if (bytes >= 0 && bytes < cursor.allocated) await pickAt(capture, event, bytes)
}

/** Fits the height to what is allocated in view, or shows up to the reserved memory again. */
export function toggleFitHeight(capture: CaptureSummary): void {
  const store = timelineData(capture.captureId)
  const { fitsHeight, curves } = store.getState()
  const device = selection.currentDevice(capture)
  // Fitted anew: what panning has kept may be looser than what is in view needs.
  const fitted = device && curves && { device: device.device, bytes: fittedTop(mostAllocated(curves), topOf(device)) }
  store.setState({ fitsHeight: !fitsHeight, ...(fitted ? { fitted } : {}) })
}

/** Lets a legend entry's bands stand out, or all alike when it did already. */
export function toggleEmphasis(capture: CaptureSummary, { key, slots }: Pick<Swatch, 'key' | 'slots'>): void {
  const view = viewOf(capture.captureId)
  const store = timelineData(capture.captureId)
  if (!view) return
  const isOn = emphasisNow(view, store.getState())?.key === key
  store.setState({ emphasis: isOn ? undefined : { device: view.device, colorBy: view.colorBy, key, slots: new Set(slots) } })
}

/** True while Esc has something to take away. */
export function canStepBack(capture: CaptureSummary): boolean {
  const view = viewOf(capture.captureId)
  if (!view) return false
  return emphasisNow(view, timelineData(capture.captureId).getState()) !== undefined || selection.canStepBack(capture)
}

/** One step back: the emphasis first, then what every view takes away. */
export function stepBack(capture: CaptureSummary): void {
  const view = viewOf(capture.captureId)
  const store = timelineData(capture.captureId)
  if (view && emphasisNow(view, store.getState())) store.setState({ emphasis: undefined })
  else selection.stepBack(capture)
}
