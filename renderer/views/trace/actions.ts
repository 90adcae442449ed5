// What the user does to this view alone, as functions on its stores. Commands, pointer and panels call these.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow, TraceColorBy } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { shownRange } from '../../focus/home.ts'
import { extendedRange, fitAll, showRange } from '../../focus/range-actions.ts'
import * as selection from '../../focus/selection-actions.ts'
import { rangeOfSpan } from '../../focus/step-marks.ts'
import type { PlacedSpan } from '../../plot/annotations.ts'
import { sameRange, spanOf } from '../../plot/scales.ts'
import { rangeAround } from '../../state/go-to.ts'
import { patchView, type Range, type ViewState, viewOf } from '../../state/view-state.ts'
import { areaNow, marksNow, pinnedKeys, rowsNow } from './assemble.ts'
import { clampScroll, lanePx, processKey, type Row, rowPaddingPx, scrollTo, seriesKey, trackKey } from './layout.ts'
import { type TraceArea, type TraceData, type TraceSearch, traceData } from './trace-data.ts'

const focusMargin = 0.15

const lookOf = ({ captureId }: CaptureSummary): TraceData => traceData(captureId).getState()

/** Selects a slice and shows it in the drawer; with only its id the rest is asked for. undefined takes the selection away. */
export function selectSlice({ captureId }: CaptureSummary, slice: number | SliceRow | undefined): void {
  if (typeof slice === 'object') traceData(captureId).setState({ picked: slice })
  const selectedSlice = typeof slice === 'object' ? slice.sliceId : slice
  if (slice !== undefined) traceData(captureId).setState({ chosenRow: undefined })
  patchView(captureId, { selectedSlice, ...(selectedSlice === undefined ? {} : { showDetails: true }) })
}

/** Selects a slice and brings it into sight; false when the engine does not know it. */
export async function goToSlice(capture: CaptureSummary, slice: number | SliceRow): Promise<boolean> {
  if (typeof slice === 'object') {
    selectSlice(capture, slice)
    reveal(capture, slice)
    return true
  }
  const { captureId } = capture
  const answer = await engine.latest('trace.goTo', 'trace.slice', { captureId, sliceId: slice })
  if (!answer.ok) return false
  traceData(captureId).setState({ selected: answer.value })
  return goToSlice(capture, answer.value)
}

/** Brings a slice into sight: its row unfolded and scrolled to, its time inside the range. */
export function reveal(capture: CaptureSummary, slice: Pick<SliceRow, 'trackId' | 'laneId' | 'startNs' | 'durNs'>): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  revealLane(capture, slice.trackId, slice.laneId)
  const range = shownRange(capture, view)
  const isInSight = slice.startNs < range.x1 && slice.startNs + slice.durNs > range.x0
  if (isInSight) return
  const middle = slice.startNs + Math.min(slice.durNs, spanOf(range)) / 2
  showRange(capture, rangeAround(range, view.full, middle))
}

function revealLane(capture: CaptureSummary, trackId: number, laneId: number): void {
  const track = lookOf(capture).tracks?.tracks[trackId]
  if (!track) return
  if (track.processId !== null) setFolded(capture, [processKey(track.processId)], false)
  if (laneId > track.firstLane) setFolded(capture, [trackKey(trackId)], false)
  const row = rowsNow(capture)?.byKey.get(trackKey(trackId))
  if (!row || row.isPinned) return
  scrollToRow(capture, row, row.kind === 'track' ? rowPaddingPx + (laneId - row.track.firstLane) * lanePx : 0, lanePx)
}

/** Brings a part of a row into sight. */
export function scrollToRow(capture: CaptureSummary, row: Row, fromPx = 0, heightPx = row.heightPx): void {
  const data = lookOf(capture)
  const rows = rowsNow(capture)
  if (row.isPinned || !rows || !data.layout) return
  scroll(capture, scrollTo(row.yPx + fromPx, heightPx, data.scrollPx, rows, data.layout.plot.heightPx))
}

/** Scrolls the rows to a position in pixels; kept inside what there is. */
export function scroll(capture: CaptureSummary, scrollPx: number): void {
  const data = lookOf(capture)
  const rows = rowsNow(capture)
  if (!rows || !data.layout) return
  const clamped = clampScroll(scrollPx, rows, data.layout.plot.heightPx)
  if (clamped !== data.scrollPx) traceData(capture.captureId).setState({ scrollPx: clamped })
}

export const scrollBy = (capture: CaptureSummary, px: number): void => scroll(capture, lookOf(capture).scrollPx + px)

/** True while there are more rows than room. */
export function canScroll(capture: CaptureSummary): boolean {
  const data = lookOf(capture)
  const rows = rowsNow(capture)
  return rows !== undefined && data.layout !== undefined && rows.contentPx > data.layout.plot.heightPx - rows.pinnedPx
}

/** Selects tracks × range; without rows all of them. Opens the drawer with its sums. */
export function selectArea({ captureId }: CaptureSummary, drawn: Range, rows: readonly string[] | undefined): void {
  const view = viewOf(captureId)
  if (!view) return
  const range = insideOf(view.full, drawn)
  traceData(captureId).setState({ area: rows && { range, rows } })
  patchView(captureId, { selectedRange: range, selectedSlice: undefined, showDetails: true })
}

/** Selects the time of a step or annotation on all tracks. */
export function selectMark(capture: CaptureSummary, mark: Pick<PlacedSpan, 'x0' | 'x1'>): void {
  const view = viewOf(capture.captureId)
  if (view) selectArea(capture, rangeOfSpan(mark, view.full), undefined)
}

/** Moves an end of the selected area, whose tracks stay. It stops at the ends of marks on its way. */
export function extendArea(capture: CaptureSummary, direction: 1 | -1): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const data = lookOf(capture)
  const range = extendedRange(capture, view, direction)
  const from = direction > 0 ? view.selectedRange?.x1 : view.selectedRange?.x0
  selectArea(capture, from === undefined ? range : stoppedAtMark(marksNow(view, data), range, from, direction), areaNow(view, data)?.rows)
}

/** A range whose moved end has not passed a mark's end behind `from`. */
function stoppedAtMark(marks: readonly PlacedSpan[], { x0, x1 }: Range, from: number, direction: 1 | -1): Range {
  const ends = marks.flatMap((mark) => [mark.x0, mark.x1])
  if (direction > 0) return { x0, x1: ends.filter((end) => end > from).reduce((least, end) => Math.min(least, end), x1) }
  return { x0: ends.filter((end) => end < from).reduce((most, end) => Math.max(most, end), x0), x1 }
}

/** The part of a range inside the trace, whose ends are drawn with a little room around them; never empty. */
function insideOf(full: Range, { x0, x1 }: Range): Range {
  const from = Math.min(Math.max(x0, full.x0), full.x1 - 1)
  return { x0: from, x1: Math.max(from + 1, Math.min(x1, full.x1)) }
}

/** Opens the drawer, while there is something selected to tell about. */
export const openDetails = ({ captureId }: CaptureSummary): void => patchView(captureId, { showDetails: true })

/** Takes the selected area away. */
const clearArea = ({ captureId }: CaptureSummary): void => patchView(captureId, { selectedRange: undefined })

/** Track ids of the selected range, as questions want them; null = all; undefined without a range. */
export function areaTracks(capture: CaptureSummary): readonly number[] | null | undefined {
  const view = viewOf(capture.captureId)
  if (!view?.selectedRange) return undefined
  const data = lookOf(capture)
  return tracksOfArea(areaNow(view, data), data)
}

/** Track ids of an area; null = all. */
export function tracksOfArea(area: TraceArea | undefined, { tracks }: Pick<TraceData, 'tracks'>): readonly number[] | null {
  if (!area || !tracks) return null
  const keys = new Set(area.rows)
  // A folded process stands for its tracks.
  const isIn = (track: (typeof tracks.tracks)[number]) =>
    keys.has(trackKey(track.trackId)) ||
    (track.processId !== null && keys.has(processKey(track.processId))) ||
    track.series.some(({ seriesId }) => keys.has(seriesKey(seriesId)))
  return tracks.tracks.filter(isIn).map(({ trackId }) => trackId)
}

/** Names that a search has found: the others step back. undefined ends the search. */
export const setSearch = ({ captureId }: CaptureSummary, search: TraceSearch | undefined): void => traceData(captureId).setState({ search })

/** Selects the next or previous slice that the search has found, from the selected one or the start of what is in sight on. */
export async function stepThroughSearch(capture: CaptureSummary, forward: boolean): Promise<boolean> {
  const { search, tracks } = lookOf(capture)
  const view = viewOf(capture.captureId)
  if (!view || !search || !tracks || search.names.length === 0) return false
  const from = selectedRow(capture)
  const timeNs = from?.startNs ?? (forward ? shownRange(capture, view).x0 : shownRange(capture, view).x1)
  const ask = (sliceId: number | null, at: number) =>
    engine.latest('trace.search', 'trace.next', { captureId: capture.captureId, names: [...search.names], timeNs: at, sliceId, forward })
  const answer = await ask(from?.sliceId ?? null, timeNs)
  if (!answer.ok) return false
  // Beyond the last one it goes on at the first.
  const again = answer.value.slice ? answer : await ask(null, forward ? view.full.x0 - 1 : view.full.x1 + 1)
  if (!again.ok || !again.value.slice) return false
  return goToSlice(capture, again.value.slice)
}

/** Colour slots that stand out while the others step back; the same ones again, or undefined: none. */
export function setEmphasis(capture: CaptureSummary, slots: readonly number[] | undefined): void {
  const { emphasis } = lookOf(capture)
  const isSame = slots !== undefined && emphasis !== undefined && slots.join() === emphasis.join()
  traceData(capture.captureId).setState({ emphasis: isSame ? undefined : slots })
}

/** What colours mean: names, or categories. */
export const setColorBy = ({ captureId }: CaptureSummary, colorBy: TraceColorBy): void =>
  traceData(captureId).setState({ colorBy, emphasis: undefined })

export const cycleColorBy = (capture: CaptureSummary): void => setColorBy(capture, lookOf(capture).colorBy === 'name' ? 'category' : 'name')

/** Pins a row to the top, or lets it go. */
export function togglePinned(capture: CaptureSummary, key: string): void {
  const view = viewOf(capture.captureId)
  if (!view) return
  const pinned = pinnedKeys(capture, view, lookOf(capture))
  const next = pinned.includes(key) ? pinned.filter((each) => each !== key) : [...pinned, key]
  traceData(capture.captureId).setState({ pinned: next })
}

/** Folds a process or track, or unfolds it. */
export const toggleFolded = (capture: CaptureSummary, key: string): void =>
  setFolded(capture, [key], !lookOf(capture).collapsed.includes(key))

function setFolded({ captureId }: CaptureSummary, keys: readonly string[], isFolded: boolean): void {
  const store = traceData(captureId)
  const { collapsed } = store.getState()
  const rest = collapsed.filter((each) => !keys.includes(each))
  if (isFolded) store.setState({ collapsed: [...rest, ...keys] })
  else if (rest.length < collapsed.length) store.setState({ collapsed: rest })
}

/** Folds every track to its first lane; unfolds everything when some are. */
export function toggleAllFolded(capture: CaptureSummary): void {
  const { tracks, collapsed } = lookOf(capture)
  const all = (tracks?.tracks ?? []).filter(({ laneCount }) => laneCount > 1).map(({ trackId }) => trackKey(trackId))
  traceData(capture.captureId).setState({ collapsed: collapsed.length > 0 ? [] : all })
}

/** The selected slice, as far as it is known. */
export function selectedRow(capture: CaptureSummary): SliceRow | undefined {
  const sliceId = viewOf(capture.captureId)?.selectedSlice
  const { selected, picked } = lookOf(capture)
  if (sliceId === undefined) return undefined
  return selected?.sliceId === sliceId ? selected : picked?.sliceId === sliceId ? picked : undefined
}

/** Zooms to a slice. */
export function zoomToSlice(capture: CaptureSummary, { startNs, durNs }: Pick<SliceRow, 'startNs' | 'durNs'>): void {
  const margin = Math.max(durNs * focusMargin, 10)
  showRange(capture, { x0: startNs - margin, x1: startNs + durNs + margin })
}

/** Zooms to the selected area or slice; to everything when that is what is shown. */
export function focusSelected(capture: CaptureSummary): void {
  const view = viewOf(capture.captureId)
  const slice = selectedRow(capture)
  const before = view?.visible
  if (slice && !view?.selectedRange) {
    revealLane(capture, slice.trackId, slice.laneId)
    zoomToSlice(capture, slice)
  } else if (view?.selectedRange) showAround(capture, view.selectedRange)
  else fitAll(capture)
  if (sameRange(before, viewOf(capture.captureId)?.visible)) fitAll(capture)
}

const showAround = (capture: CaptureSummary, range: Range): void => zoomToSlice(capture, { startNs: range.x0, durNs: spanOf(range) })

/** The selected slice's time. */
export function sliceRange(capture: CaptureSummary): Range | undefined {
  const slice = selectedRow(capture)
  return slice && { x0: slice.startNs, x1: slice.startNs + Math.max(1, slice.durNs) }
}

/** Turns the selected slice's time into the selected range. */
export function sliceToRange(capture: CaptureSummary): void {
  const selectedRange = sliceRange(capture)
  if (selectedRange) patchView(capture.captureId, { selectedRange })
}

/** Pins the cursor to the last memory event at or before a time. */
export async function setCursorAt(capture: CaptureSummary, timeNs: number): Promise<void> {
  const { captureId } = capture
  const device = viewOf(captureId)?.device
  if (device === undefined || !selection.currentDevice(capture)?.eventCount) return
  const answer = await engine.latest('trace.cursor', 'timeline.eventAt', { captureId, device, timeNs })
  if (answer.ok && viewOf(captureId)?.device === device) patchView(captureId, { cursorEvent: Math.max(0, answer.value.event) })
}

/** True while Esc has something to take away. */
export function canStepBack(capture: CaptureSummary): boolean {
  const { search, emphasis, chosenRow } = lookOf(capture)
  const hasOwn =
    chosenRow !== undefined || search !== undefined || emphasis !== undefined || viewOf(capture.captureId)?.selectedSlice !== undefined
  return hasOwn || selection.canStepBack(capture)
}

/** One step back: the chosen row, the search, what stands out, the area, the slice, then what all views share. */
export function stepBack(capture: CaptureSummary): void {
  const store = traceData(capture.captureId)
  const { search, emphasis, chosenRow } = store.getState()
  const view: ViewState | undefined = viewOf(capture.captureId)
  if (chosenRow !== undefined) store.setState({ chosenRow: undefined })
  else if (search) store.setState({ search: undefined })
  else if (emphasis) store.setState({ emphasis: undefined })
  else if (view?.selectedRange) clearArea(capture)
  else if (view?.selectedSlice !== undefined) selectSlice(capture, undefined)
  else selection.stepBack(capture)
}
