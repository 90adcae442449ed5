// Hand-made answers for the tests of this view: two processes, a thread of three lanes with a spill lane, a stream, a counter, instants.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow, TraceRaster, TraceTrack, TraceTracks } from '../../../preload/contract/queries.ts'
import { dark } from '../../theme/tokens.ts'
import { clampScroll, layoutRows, layoutTrace, type RowsLook, shownRows } from './layout.ts'
import type { TraceInput } from './model-input.ts'
import { firstBoxes } from './questions.ts'
import { traceText } from './texts.ts'
import type { PlacedRaster } from './trace-data.ts'

const f64 = (...values: number[]) => new Float64Array(values)

export const deviceZero: DeviceSummary = {
  device: 0,
  deviceType: 'cuda',
  eventCount: 10,
  allocationCount: 5,
  neverFreedCount: 1,
  noStackCount: 0,
  firstTimeNs: 0,
  lastTimeNs: 1000,
  reservedBytes: 4096,
  allocatedBytes: 1024,
  activeBytes: 1024,
  requestedBytes: 1024,
  inactiveSplitBytes: 0,
  largestFreeBytes: 0,
  peakAllocatedBytes: 2048,
  peakEvent: 4,
  peakTimeNs: 400,
  peakReservedBytes: 4096,
  exact: true,
  oomCount: 0,
  ooms: [],
}

function track(trackId: number, patch: Partial<TraceTrack>): TraceTrack {
  return {
    trackId,
    kind: 'thread',
    processId: 0,
    tid: String(trackId),
    name: `thread ${trackId}`,
    firstLane: 0,
    laneCount: 0,
    spillLanes: [],
    sliceCount: 0,
    instantCount: 0,
    firstNs: 0,
    lastNs: 1000,
    busyNs: 0,
    series: [],
    ...patch,
  }
}

export const tracks: TraceTracks = {
  processes: [
    { processId: 0, pid: '7', name: 'python', labels: 'CPU' },
    { processId: 1, pid: '0', name: '', labels: '' },
  ],
  tracks: [
    track(0, { firstLane: 0, laneCount: 3, spillLanes: [2], sliceCount: 4 }),
    track(1, { instantCount: 2 }),
    track(2, {
      kind: 'counter',
      name: 'power',
      series: [{ seriesId: 5, name: 'watts', sampleCount: 3, min: 0, max: 300 }],
    }),
    track(3, { processId: 1, kind: 'stream', name: 'stream 7', firstLane: 3, laneCount: 1, sliceCount: 2 }),
  ],
  trackCount: 4,
  names: [{ nameId: 11, text: 'aten::mm', count: 4, totalNs: 900, slot: 1 }],
  nameCount: 1,
  capacities: [],
  categories: [{ categoryId: 2, kind: 'cpu_op', text: 'cpu_op', count: 4, totalNs: 900, slot: 1 }],
}

/** Boxes: one over lane 0 with one inside it on lane 1, and two that meet on the stream. */
const answer: TraceRaster = {
  columns: 10,
  lanes: 4,
  cells: Uint8Array.from([
    ...Array.from({ length: 10 }, () => 1),
    ...Array.from({ length: 10 }, (_, column) => (column < 5 ? 2 : 0)),
    ...Array.from({ length: 10 }, () => 0),
    ...Array.from({ length: 10 }, (_, column) => (column === 0 ? 0 : 3)),
  ]),
  fill: Uint8Array.from(Array.from({ length: 40 }, (_, index) => (index < 10 ? 255 : index % 10 === 4 ? 40 : 200))),
  boxes: {
    lane: f64(0, 1, 3, 3),
    start: f64(0, 0, 100, 500),
    dur: f64(1000, 450, 400, 500),
    slice: f64(1, 2, 3, 4),
    name: f64(11, 12, 13, 13),
    slot: f64(1, 2, 3, 3),
    category: f64(2, 2, 2, 2),
    unfinished: f64(0, 0, 0, 1),
    titles: ['aten::mm', 'aten::empty', 'void at::native::gemm<float, 4>(int)', 'void at::native::gemm<float, 4>(int)'],
  },
  inSight: 4,
  boxesLeftOut: 0,
}

const lanes = [0, 1, 2, 3]
export const raster: PlacedRaster = {
  range: { x0: 0, x1: 1000 },
  colorBy: 'name',
  lanes,
  placeOf: new Map(lanes.map((lane, place) => [lane, place])),
  firstBox: firstBoxes(answer.boxes.lane, lanes.length),
  data: answer,
}

export function sliceRow(patch: Partial<SliceRow> = {}): SliceRow {
  const names = { name: 'aten::empty', category: 'cpu_op' }
  return { sliceId: 2, trackId: 0, laneId: 1, depth: 1, startNs: 0, durNs: 450, isUnfinished: false, ...names, ...patch }
}

/** Six CSS pixels a character. */
export const measure = (text: string): number => text.length * 6

/** The input of the whole picture; `heightPx` and `scrollPx` decide which rows are in sight. */
export function inputOf({
  look = {},
  scrollPx = 0,
  heightPx = 480,
  patch = {},
}: {
  readonly look?: Partial<RowsLook>
  readonly scrollPx?: number
  readonly heightPx?: number
  readonly patch?: Partial<TraceInput>
} = {}): TraceInput {
  const layout = layoutTrace(1200, heightPx)
  const { plot } = layout
  const rows = layoutRows({ tracks, devices: [0], collapsed: new Set(), pinned: ['m0'], plotPx: plot.heightPx, ...look })
  const scrolled = clampScroll(scrollPx, rows, plot.heightPx)
  return {
    axis: 'time',
    hasTimes: true,
    visible: { x0: 0, x1: 1000 },
    home: { x0: 0, x1: 1000 },
    curves: undefined,
    overview: undefined,
    overviewTop: 1,
    spans: [],
    selectedRange: undefined,
    layout,
    tokens: dark,
    measure,
    colorBy: 'name',
    emphasis: undefined,
    tracks,
    devices: [deviceZero],
    rows,
    scrollPx: scrolled,
    shown: shownRows(rows, scrolled, plot),
    raster,
    series: new Map(),
    stacks: new Map(),
    stackPeaks: new Map(),
    marks: new Map(),
    memory: new Map(),
    floors: new Map(),
    marksLeftOut: 0,
    searchText: undefined,
    selected: undefined,
    op: undefined,
    flows: [],
    areaRows: undefined,
    cursor: undefined,
    chosenRow: undefined,
    hoverRow: undefined,
    t: traceText,
    ...patch,
  }
}
