// Puts the model's input together from the capture, the view state and the engine's answers.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { maxTraceLanes } from '../../../preload/contract/queries.ts'
import type { FocusData } from '../../focus/focus-data.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { type PlacedSpan, placedSpans } from '../../plot/annotations.ts'
import type { Placed } from '../../plot/placed.ts'
import { sameRange } from '../../plot/scales.ts'
import type { Measure } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { clampScroll, lanesOf, layoutRows, memoryKey, shownRows, type TraceRows } from './layout.ts'
import type { TraceInput } from './model-input.ts'
import { traceText } from './texts.ts'
import { type TraceArea, type TraceData, traceData } from './trace-data.ts'

/** Devices with memory events, in the order of the capture; the CPU last. */
export function memoryDevices({ devices }: Pick<CaptureSummary, 'devices'>): number[] {
  const able = devices.filter(({ eventCount }) => eventCount > 0).map(({ device }) => device)
  return [...able.filter((device) => device >= 0), ...able.filter((device) => device < 0)]
}

/** Keys of the pinned rows: as chosen, else the memory of the device in view. */
export function pinnedKeys(
  capture: Pick<CaptureSummary, 'devices'>,
  { device }: Pick<ViewState, 'device'>,
  { pinned }: Pick<TraceData, 'pinned'>,
): readonly string[] {
  return pinned ?? (memoryDevices(capture).includes(device) ? [memoryKey(device)] : [])
}

interface Kept {
  readonly by: readonly unknown[]
  readonly rows: TraceRows
}

const keptRows = new WeakMap<CaptureSummary, Kept>()

/** The rows as they are laid out; kept while what decides them stays. */
export function rowsOf(
  capture: CaptureSummary,
  view: Pick<ViewState, 'device'>,
  data: Pick<TraceData, 'tracks' | 'collapsed' | 'pinned' | 'layout'>,
): TraceRows | undefined {
  const { tracks, collapsed, layout } = data
  if (!tracks || !layout) return undefined
  const pinned = pinnedKeys(capture, view, data)
  const by = [tracks, collapsed, layout.plot.heightPx, pinned.join()]
  const kept = keptRows.get(capture)
  if (kept?.by.every((each, index) => each === by[index])) return kept.rows
  const rows = layoutRows({ tracks, devices: memoryDevices(capture), collapsed: new Set(collapsed), pinned, plotPx: layout.plot.heightPx })
  keptRows.set(capture, { by, rows })
  return rows
}

/** Steps and annotations as they lie in their lane. */
export const marksNow = ({ full }: Pick<ViewState, 'full'>, { spans }: Pick<TraceData, 'spans'>): readonly PlacedSpan[] =>
  placedSpans(spans, 'time', full.x1)

/** The selected area of tracks; undefined where the selected range is of all tracks, or there is none. */
export function areaNow({ selectedRange }: Pick<ViewState, 'selectedRange'>, { area }: Pick<TraceData, 'area'>): TraceArea | undefined {
  return area && sameRange(area.range, selectedRange) ? area : undefined
}

/** Rows in sight, and the lanes of them: what the engine is asked about, so that its counts are of what is in sight. */
export function askedRows(capture: CaptureSummary, view: ViewState, data: TraceData) {
  const rows = rowsOf(capture, view, data)
  if (!rows || !data.layout) return undefined
  const { plot } = data.layout
  const shown = shownRows(rows, clampScroll(data.scrollPx, rows, plot.heightPx), plot)
  return { shown, lanes: lanesOf(shown, rows, plot, maxTraceLanes) }
}

/** The model's input; undefined until the canvas has a size, the tracks are known, and the axis is time. */
export function assemble(
  capture: CaptureSummary,
  view: ViewState,
  data: TraceData,
  focus: Pick<FocusData, 'cursor' | 'noteMarks'>,
  tokens: Tokens,
  measure: Measure,
): TraceInput | undefined {
  const { layout, tracks } = data
  const rows = rowsOf(capture, view, data)
  if (!layout || !tracks || !rows || view.axis !== 'time') return undefined
  const device = deviceOf(capture, view.device)
  const scrollPx = clampScroll(data.scrollPx, rows, layout.plot.heightPx)
  const memory = new Map([...data.memory].filter((pair): pair is [number, Placed<never>] => pair[1].axis === 'time'))
  const isOfSlice = data.flows?.sliceId === view.selectedSlice
  const { selected, picked } = data
  return {
    axis: 'time',
    hasTimes: true,
    visible: shownRange(capture, view),
    home: homeOf(capture, view),
    curves: memory.get(view.device),
    overview: data.overview?.axis === 'time' ? data.overview : undefined,
    overviewTop: device && device.eventCount > 0 ? Math.max(device.peakReservedBytes, device.peakAllocatedBytes, 1) * 1.1 : 1,
    spans: marksNow(view, data),
    selectedRange: data.dragging ? data.dragging.range : view.selectedRange,
    noteMarks: focus.noteMarks,
    layout,
    tokens,
    measure,
    colorBy: data.colorBy,
    emphasis: data.emphasis && new Set(data.emphasis),
    tracks,
    devices: capture.devices,
    rows,
    scrollPx,
    shown: shownRows(rows, scrollPx, layout.plot),
    raster: data.raster?.colorBy === data.colorBy ? data.raster : undefined,
    series: data.series,
    stacks: data.stacks,
    stackPeaks: data.stackPeaks,
    marks: data.marks,
    memory,
    floors: data.floors,
    marksLeftOut: data.spansLeftOut,
    searchText: data.search?.text,
    selected: [selected, picked].find((each) => each !== undefined && each.sliceId === view.selectedSlice),
    op: isOfSlice ? data.flows?.op : undefined,
    flows: isOfSlice ? (data.flows?.flows ?? []) : [],
    areaRows: data.dragging ? data.dragging.rows : areaNow(view, data)?.rows,
    cursor: focus.cursor,
    chosenRow: data.chosenRow,
    hoverRow: data.hoverRow,
    t: traceText,
  }
}

/** The rows as they are now. */
export function rowsNow(capture: CaptureSummary): TraceRows | undefined {
  const view = viewOf(capture.captureId)
  return view && rowsOf(capture, view, traceData(capture.captureId).getState())
}
