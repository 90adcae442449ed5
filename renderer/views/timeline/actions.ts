// What the user does to the timeline, as functions on the view state. Commands, pointer and panels call these.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import { type AllocationDetails, type Axis, type ColorBy, colorBySchema } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { goToAllocation, goToEvent } from '../../state/go-to.ts'
import { deviceOf, fullRange } from '../../state/initial-view.ts'
import { patchView, type Range, type ViewState, viewOf } from '../../state/view-state.ts'
import { emphasisNow, homeOf, shownRange, topOf } from './assemble.ts'
import { onOtherAxis } from './axis-ranges.ts'
import { fittedTop, mostAllocated } from './fit-height.ts'
import type { Swatch } from './legend.ts'
import { clampRange, isHome, panRange, sameRange, spanOf, zoomRange } from './scales.ts'
import { timelineData } from './timeline-data.ts'

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
  const { cursor } = timelineData(capture.captureId).getState()
  if (!cursor || view.cursorEvent === undefined) return undefined
  return view.axis === 'event' ? cursor.event + 0.5 : cursor.timeNs
}

/** Details of the selected allocation, when they have come. */
export function selectedDetails({ captureId }: CaptureSummary): AllocationDetails | undefined {
  const { details } = timelineData(captureId).getState()
  return details && details.allocationId === viewOf(captureId)?.selectedAllocation ? details : undefined
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

/** Marks what is visible as the selected range, or takes the mark away. */
export async function markRange(capture: CaptureSummary): Promise<void> {
  const view = viewOf(capture.captureId)
  if (!view) return
  const selectedRange = view.selectedRange ? undefined : ((await lifeOf(capture, view)) ?? shownRange(capture, view))
  patchView(capture.captureId, { selectedRange })
}

/** Pins the cursor to the peak and brings it into sight. */
export function goToPeak(capture: CaptureSummary): void {
  const device = currentDevice(capture)
  if (device && device.peakEvent >= 0) void goToEvent(capture.captureId, device.peakEvent)
}

export function currentDevice(capture: CaptureSummary): DeviceSummary | undefined {
  const view = viewOf(capture.captureId)
  return view && deviceOf(capture, view.device)
}

/** Switches between events and time; the same stretch stays in sight. */
export async function switchAxis(capture: CaptureSummary, axis: Axis): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = currentDevice(capture)
  if (!view || !device || view.axis === axis || (axis === 'time' && !capture.hasTimes)) return
  const full = fullRange(device, axis)
  const move = async (range: Range): Promise<Range> =>
    sameRange(range, view.full) ? full : ((await onOtherAxis({ captureId, device }, view.axis, range)) ?? full)
  const visible = await move(view.visible)
  const selectedRange = view.selectedRange && (await move(view.selectedRange))
  if (viewOf(captureId) === view) patchView(captureId, { axis, full, visible, selectedRange })
}

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
  const device = currentDevice(capture)
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
  const { cursor, details } = timelineData(captureId).getState()
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

/** Selects an earlier (−1) or later (+1) use of the selected allocation's address. */
export function selectUse(capture: CaptureSummary, direction: 1 | -1): void {
  const { details } = timelineData(capture.captureId).getState()
  if (!details) return
  const at = details.uses.findIndex(({ allocationId }) => allocationId === details.allocationId)
  const use = details.uses[at + direction]
  if (at >= 0 && use) void goToAllocation(capture.captureId, use)
}

/** Fits the height to what is allocated in view, or shows up to the reserved memory again. */
export function toggleFitHeight(capture: CaptureSummary): void {
  const store = timelineData(capture.captureId)
  const { fitsHeight, curves } = store.getState()
  const device = currentDevice(capture)
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

/** Pins the cursor to where the selected allocation begins, or to where its free was asked for. */
export function goToLifeEnd(capture: CaptureSummary, end: 'allocEvent' | 'freeRequestedEvent'): void {
  const event = selectedDetails(capture)?.[end]
  if (event !== null && event !== undefined) void goToEvent(capture.captureId, event)
}

/** Opens the table of what is alive after the last event. */
export function goToEnd(capture: CaptureSummary): void {
  const device = currentDevice(capture)
  if (device && device.eventCount > 0) void goToEvent(capture.captureId, device.eventCount - 1, { showTable: true })
}

/** True while Esc has something to take away. */
export function canStepBack(capture: CaptureSummary): boolean {
  const view = viewOf(capture.captureId)
  if (!view) return false
  const { selectedRange, selectedAllocation, cursorEvent } = view
  const isEmphasised = emphasisNow(view, timelineData(capture.captureId).getState()) !== undefined
  return isEmphasised || selectedRange !== undefined || selectedAllocation !== undefined || cursorEvent !== undefined
}

/** One step back: the emphasis, then the range, then the allocation, then the cursor. False when there was nothing to take away. */
export function stepBack(capture: CaptureSummary): boolean {
  const view = viewOf(capture.captureId)
  if (!view) return false
  const store = timelineData(capture.captureId)
  if (emphasisNow(view, store.getState())) store.setState({ emphasis: undefined })
  else if (view.selectedRange) patchView(capture.captureId, { selectedRange: undefined })
  else if (view.selectedAllocation !== undefined) patchView(capture.captureId, { selectedAllocation: undefined })
  else if (view.cursorEvent !== undefined) patchView(capture.captureId, { cursorEvent: undefined })
  else return false
  return true
}

/** Moves an end of the selected range by a hundredth of what is visible; starts at the cursor. */
export function extendRange(capture: CaptureSummary, direction: 1 | -1): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const shown = shownRange(capture, view)
  const step = view.axis === 'event' ? Math.max(1, Math.round(spanOf(shown) / 100)) : spanOf(shown) / 100
  const start = cursorX(capture, view) ?? (shown.x0 + shown.x1) / 2
  const range = view.selectedRange ?? { x0: start, x1: start }
  const next = direction > 0 ? { x0: range.x0, x1: range.x1 + step } : { x0: range.x0 - step, x1: range.x1 }
  patchView(capture.captureId, { selectedRange: next })
}
