// What the user does to the visible and the selected range, as functions on the view state. Commands, pointers and panels call these.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Axis } from '../../preload/contract/queries.ts'
import { engine } from '../data/engine-client.ts'
import { clampRange, isHome, panRange, sameRange, spanOf, zoomRange } from '../plot/scales.ts'
import { deviceOf, fullRange } from '../state/initial-view.ts'
import { patchView, type Range, type ViewState, viewOf } from '../state/view-state.ts'
import { onOtherAxis } from './axis-ranges.ts'
import { focusData } from './focus-data.ts'
import { homeOf, shownRange } from './home.ts'
import { selectedDetails } from './selection-actions.ts'

const focusMargin = 0.15
const minimumFocusEvents = 24

/** Shows a range of the current axis, kept inside what there is; everything when it covers all. */
export function showRange(capture: CaptureSummary, range: Range): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const home = homeOf(capture, view)
  const visible = clampRange(range, home, view.axis)
  const next = isHome(visible, home) ? view.full : visible
  if (!sameRange(next, view.visible)) patchView(capture.captureId, { visible: next })
}

/** Zooms about x (default: the cursor when it is in sight, else the middle). */
export function zoomBy(capture: CaptureSummary, factor: number, x?: number): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const range = shownRange(capture, view)
  const cursor = cursorX(capture, view)
  const about = x ?? (cursor !== undefined && cursor > range.x0 && cursor < range.x1 ? cursor : (range.x0 + range.x1) / 2)
  showRange(capture, zoomRange(range, factor, about))
}

/** Pans by a share of the visible span. */
export function panBy(capture: CaptureSummary, share: number): void {
  const view = viewOf(capture.captureId)
  if (view) showRange(capture, panRange(shownRange(capture, view), share))
}

export function fitAll(capture: CaptureSummary): void {
  const view = viewOf(capture.captureId)
  if (view) patchView(capture.captureId, { visible: view.full })
}

function cursorX(capture: CaptureSummary, view: ViewState): number | undefined {
  const { cursor } = focusData(capture.captureId).getState()
  if (!cursor || view.cursorEvent === undefined) return undefined
  return view.axis === 'event' ? cursor.event + 0.5 : cursor.timeNs
}

/** Range of the selected allocation's life on the current axis; asks the engine when the selection is too fresh to be known. */
async function lifeOf(capture: CaptureSummary, view: ViewState): Promise<Range | undefined> {
  const { captureId } = capture
  const allocationId = view.selectedAllocation
  if (allocationId === undefined) return undefined
  const known = selectedDetails(capture)
  const answer = known ? undefined : await engine.call('allocation.details', { captureId, allocationId })
  const details = known ?? (answer?.ok ? answer.value : undefined)
  if (!details) return undefined
  const { allocEvent, freeRequestedEvent, allocTimeNs, freeTimeNs } = details
  if (view.axis === 'event') return { x0: allocEvent ?? view.full.x0, x1: freeRequestedEvent ?? view.full.x1 }
  return { x0: allocTimeNs ?? view.full.x0, x1: freeTimeNs ?? view.full.x1 }
}

/** Zooms to the selected range or allocation; when that is what is shown already, to everything. */
export async function focusSelection(capture: CaptureSummary): Promise<void> {
  const view = viewOf(capture.captureId)
  if (!view) return
  const target = view.selectedRange ?? (await lifeOf(capture, view))
  if (target) focusRange(capture, view, target)
  else fitAll(capture)
}

/** Zooms to the life of the selected allocation, or to everything when that is what is shown; says whether one is selected. */
export async function focusAllocation(capture: CaptureSummary): Promise<boolean> {
  const view = viewOf(capture.captureId)
  const target = view && (await lifeOf(capture, view))
  if (view && target) focusRange(capture, view, target)
  return target !== undefined
}

function focusRange(capture: CaptureSummary, view: ViewState, target: Range): void {
  const least = view.axis === 'event' ? minimumFocusEvents : 1
  const margin = Math.max(spanOf(target) * focusMargin, (least - spanOf(target)) / 2, 0)
  const wanted = clampRange({ x0: target.x0 - margin, x1: target.x1 + margin }, homeOf(capture, view), view.axis)
  const tolerance = spanOf(wanted) * 0.01
  const there = Math.abs(wanted.x0 - view.visible.x0) < tolerance && Math.abs(wanted.x1 - view.visible.x1) < tolerance
  if (there) fitAll(capture)
  else showRange(capture, wanted)
}

/** Turns the selected allocation's life into the selected range. */
export async function selectionToRange(capture: CaptureSummary): Promise<void> {
  const view = viewOf(capture.captureId)
  const life = view && (await lifeOf(capture, view))
  if (life) patchView(capture.captureId, { selectedRange: life })
}

/** Switches between events and time; the same stretch stays in sight. */
export async function switchAxis(capture: CaptureSummary, axis: Axis): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = view && deviceOf(capture, view.device)
  if (!view || !device || view.axis === axis || (axis === 'time' && !capture.hasTimes)) return
  const full = fullRange(capture, device, axis)
  const move = async (range: Range): Promise<Range> =>
    sameRange(range, view.full) ? full : ((await onOtherAxis({ captureId, device }, view.axis, range)) ?? full)
  const visible = await move(view.visible)
  const selectedRange = view.selectedRange && (await move(view.selectedRange))
  if (viewOf(captureId) === view) patchView(captureId, { axis, full, visible, selectedRange })
}

/** Moves an end of the selected range by a hundredth of what is visible; starts at the cursor. */
export function extendRange(capture: CaptureSummary, direction: 1 | -1): void {
  const view = viewOf(capture.captureId)
  if (view) patchView(capture.captureId, { selectedRange: extendedRange(capture, view, direction) })
}

/** What `extendRange` selects. */
export function extendedRange(capture: CaptureSummary, view: ViewState, direction: 1 | -1): Range {
  const shown = shownRange(capture, view)
  const step = view.axis === 'event' ? Math.max(1, Math.round(spanOf(shown) / 100)) : spanOf(shown) / 100
  const start = cursorX(capture, view) ?? (shown.x0 + shown.x1) / 2
  const range = view.selectedRange ?? { x0: start, x1: start }
  return direction > 0 ? { x0: range.x0, x1: range.x1 + step } : { x0: range.x0 - step, x1: range.x1 }
}
