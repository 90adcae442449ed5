// Questions about a Chrome trace: its tracks, slices, counters, flows and the memory of its ops. See native/TRACES.md. Times are nanoseconds
// since the capture's start; ranges are half-open, fromNs < toNs. Captures of another kind answer every list empty.
import { z } from 'zod'
import { allocationRowSchema } from './allocation.ts'
import { failureSchema } from './errors.ts'
import { captureId, device, event, f64, maxSidePx, u8 } from './parts.ts'

/** thread, stream (of a GPU): slices; async: paired asynchronous events; counter: series only; process, global: instants only. */
export const trackKindSchema = z.enum(['thread', 'stream', 'async', 'counter', 'process', 'global'])
export const traceColorBySchema = z.enum(['name', 'category'])
export type TraceColorBy = z.infer<typeof traceColorBySchema>
export const traceGroupBySchema = z.enum(['name', 'category', 'track'])
export type TraceGroupBy = z.infer<typeof traceGroupBySchema>

/** Most lanes of one picture and most tracks of one selection; the native library has the same limit for lanes. */
export const maxTraceLanes = 1000
/** Most ops that a table of memory by op has; the native library tells no more. */
export const maxOpRows = 10_000
const maxTracks = 20_000
const maxNames = 10_000

const ns = z.number()
const laneId = z.number().int().nonnegative()
const trackId = z.number().int().nonnegative()
const sliceId = z.number().int().nonnegative()
const columns = z.number().int().min(1).max(maxSidePx)
const range = { fromNs: ns, toNs: ns }
const limit = z.number().int().min(1).max(1000)
const offset = z.number().int().nonnegative()
const trackIds = z.array(trackId).max(maxTracks)
const nameIds = z.array(z.number().int().nonnegative()).max(maxNames)

export const traceProcessSchema = z.object({
  processId: z.number(),
  pid: z.string(), // as the file writes it; '' = none
  name: z.string(), // '' = the file does not name it
  labels: z.string(),
})
export type TraceProcess = z.infer<typeof traceProcessSchema>

export const counterSeriesSchema = z.object({
  seriesId: z.number(),
  name: z.string(),
  sampleCount: z.number(),
  min: z.number(),
  max: z.number(),
})
export type CounterSeries = z.infer<typeof counterSeriesSchema>

export const traceTrackSchema = z.object({
  trackId: z.number(), // also its place on the screen: the list is in that order
  kind: trackKindSchema,
  processId: z.number().nullable(), // null = of the whole trace
  tid: z.string(), // '' = none
  name: z.string(), // ready to show: "thread 430 (python3)", "stream 7"
  firstLane: z.number(), // its lanes are firstLane … firstLane + laneCount − 1, from top to bottom
  laneCount: z.number(), // 0 without slices
  spillLanes: z.array(z.number()), // lanes of slices that overlap others without lying inside them
  sliceCount: z.number(),
  instantCount: z.number(),
  firstNs: z.number().nullable(), // of its slices, instants or samples; null = it has none
  lastNs: z.number().nullable(),
  busyNs: z.number(), // time covered by slices
  series: z.array(counterSeriesSchema), // of a counter
})
export type TraceTrack = z.infer<typeof traceTrackSchema>

/** slot: color slot under this coloring, 1–24. */
const shared = { text: z.string(), count: z.number(), totalNs: z.number(), slot: z.number() }
export const traceNameSchema = z.object({ nameId: z.number(), ...shared })
export const traceCategorySchema = z.object({
  categoryId: z.number(),
  kind: z.string(), // other, cpu_op, python_function, user_annotation, runtime, gpu, gpu_annotation, overhead, span
  ...shared,
})

export const traceTracksSchema = z.object({
  processes: z.array(traceProcessSchema), // in screen order; those with tracks
  tracks: z.array(traceTrackSchema), // at most 20,000
  trackCount: z.number(), // all
  names: z.array(traceNameSchema), // most total time first, at most 24: the legend
  nameCount: z.number(), // all
  categories: z.array(traceCategorySchema), // most total time first, at most 256
  capacities: z.array(z.object({ device: z.number(), bytes: z.number() })), // memory of the devices that the file describes
})
export type TraceTracks = z.infer<typeof traceTracksSchema>

/** Where a slice lies and what it is: enough for a tooltip, an arrow's end or a table row. */
export const sliceRowSchema = z.object({
  sliceId: z.number(),
  trackId: z.number(),
  laneId: z.number(),
  depth: z.number(),
  name: z.string(),
  category: z.string(), // '' = none
  startNs: z.number(),
  durNs: z.number(),
  isUnfinished: z.boolean(), // its end is not in the file
})
export type SliceRow = z.infer<typeof sliceRowSchema>

export const traceRasterSchema = z.object({
  columns: z.number(),
  lanes: z.number(),
  /** lanes × columns, lane after lane in the order asked for: 0 nothing, 1–62 color slot of the slice that covers most of the column, 63 left out by the filter. */
  cells: u8,
  /** Likewise: 0 nothing, 1–255 = share of the column that slices cover. */
  fill: u8,
  /** Struct of arrays, one item a slice at least 3 columns wide; the widest 5,000, in order of lane and start. */
  boxes: z.object({
    lane: f64, // place in `lanes` of the question
    start: f64, // may begin before and end behind what is in sight
    dur: f64,
    slice: f64,
    name: f64, // name id
    slot: f64,
    category: f64, // category id
    unfinished: f64, // 1 = its end is not in the file
    titles: z.array(z.string()), // names, at most 300 characters
  }),
  inSight: z.number(), // slices in sight
  boxesLeftOut: z.number(), // wide enough, but beyond the limit
})
export type TraceRaster = z.infer<typeof traceRasterSchema>

/** What a device's memory did between two moments: of the whole device, whichever thread did it. */
export const memoryChangeSchema = z.object({
  device: z.number(),
  fromEvent: z.number(), // half-open
  toEvent: z.number(),
  peakBytes: z.number(), // most allocated
  peakEvent: z.number(),
  allocatedBytes: z.number(),
  allocatedCount: z.number(),
  freedBytes: z.number(),
  freedCount: z.number(),
  netBytes: z.number(),
})
export type MemoryChange = z.infer<typeof memoryChangeSchema>

/** args as the source has them now; failure: why they are not there (`file/not_found`, `file/unreadable`, `trace/source_changed`). */
const argsSchema = z.object({
  args: z.array(z.object({ key: z.string(), value: z.string() })).nullable(), // in the order of the file; other values than texts as JSON
  argsFailure: failureSchema.nullable(),
})

/** A slice to name and to go to. */
export const namedSliceSchema = z.object({ sliceId: z.number(), name: z.string(), category: z.string() })
export type NamedSlice = z.infer<typeof namedSliceSchema>

export const sliceDetailsSchema = sliceRowSchema.extend({
  ...argsSchema.shape,
  nameId: z.number().nullable(),
  trackName: z.string(),
  processName: z.string(), // "python3 (430)"; '' = none
  selfNs: z.number().nullable(), // without its children; null = they are too many to add up
  externalId: z.number().nullable(),
  correlation: z.number().nullable(),
  ancestors: z.array(namedSliceSchema), // innermost first
  launch: namedSliceSchema.nullable(), // runtime call that started this GPU slice
  op: namedSliceSchema.nullable(), // innermost cpu_op around it or around its launch
  flowsOut: z.array(namedSliceSchema), // at most 1,000
  flowsIn: z.array(namedSliceSchema),
  memory: z.array(memoryChangeSchema), // while it ran; devices without an event then are left out
  /** Memory events on its own thread while it ran, itself and its children; null = too many to look at one by one. */
  ownMemory: z
    .array(
      z.object({
        device: z.number(),
        allocatedBytes: z.number(),
        allocatedCount: z.number(),
        freedBytes: z.number(),
        freedCount: z.number(),
        largest: z.array(allocationRowSchema), // of the allocations made then, at most 10
      }),
    )
    .nullable(),
})
export type SliceDetails = z.infer<typeof sliceDetailsSchema>

export const traceSelectionSchema = z.object({
  count: z.number(), // slices that overlap the range
  totalNs: z.number(), // of what lies inside the range
  groups: z.number(), // all, rows may be fewer
  rows: z.array(
    z.object({
      key: z.number(), // name id, category id or track id
      text: z.string(),
      count: z.number(),
      totalNs: z.number(), // inside the range
      selfNs: z.number(), // inside the range, without children
      minNs: z.number(), // whole durations
      maxNs: z.number(),
    }),
  ), // largest total first
  memory: z.array(memoryChangeSchema), // of every device that has events in the range
})
export type TraceSelection = z.infer<typeof traceSelectionSchema>

export const instantRowSchema = z.object({
  instantId: z.number(),
  trackId: z.number(),
  name: z.string(),
  category: z.string(),
  timeNs: z.number(),
})
export type InstantRow = z.infer<typeof instantRowSchema>

export const opMemorySchema = z.object({
  groups: z.number(), // all ops, rows may be fewer
  rows: z.array(
    z.object({
      op: z.string(), // '' = outside of every op
      calls: z.number(),
      allocations: z.number(),
      selfBytes: z.number(), // allocated less freed while it ran, without its children: PyTorch's self_cuda_memory_usage
      totalBytes: z.number(), // with its children: cuda_memory_usage
      freedInsideBytes: z.number(),
      keptBytes: z.number(), // of its own allocations, alive at toEvent
      largestBytes: z.number(),
    }),
  ),
})
export type OpMemory = z.infer<typeof opMemorySchema>

export const traceStepSchema = z.object({
  name: z.string(),
  startNs: z.number(),
  endNs: z.number(),
  startEvent: z.number(), // half-open
  endEvent: z.number(),
  peakBytes: z.number(),
  allocatedBytes: z.number(),
  freedBytes: z.number(),
  growthBytes: z.number(),
})
export type TraceStep = z.infer<typeof traceStepSchema>

/** What the program named itself: a step or another annotation of one of its threads. */
export const traceSpanSchema = z.object({
  name: z.string(),
  trackId: z.number(),
  startNs: z.number(),
  endNs: z.number().nullable(), // null = its end is not in the file
})
export type TraceSpan = z.infer<typeof traceSpanSchema>

export const traceFlowSchema = z.object({ name: z.string(), category: z.string(), from: sliceRowSchema, to: sliceRowSchema })
export type TraceFlow = z.infer<typeof traceFlowSchema>

export const sliceSortSchema = z.enum(['start', 'longest', 'shortest'])
export type SliceSort = z.infer<typeof sliceSortSchema>

/** null = every track, every name. */
const someTracks = trackIds.nullable().default(null)
const someNames = nameIds.nullable().default(null)

/** A table of a trace that the engine writes as CSV, all its rows. */
export const traceTableSchema = z.discriminatedUnion('table', [
  z.object({ table: z.literal('slices'), tracks: someTracks, names: someNames, ...range }),
  z.object({ table: z.literal('instants'), tracks: someTracks, ...range }),
  z.object({ table: z.literal('opMemory'), device, fromEvent: event, toEvent: event }),
  z.object({ table: z.literal('steps'), device }),
])
export type TraceTable = z.infer<typeof traceTableSchema>

export const traceMethods = {
  'trace.tracks': { input: z.object({ captureId }), output: traceTracksSchema },
  'trace.raster': {
    input: z.object({
      captureId,
      ...range,
      columns,
      lanes: z.array(laneId).max(maxTraceLanes),
      colorBy: traceColorBySchema,
      names: someNames, // others are drawn as left out
    }),
    output: traceRasterSchema,
  },
  /** The slice at a point of a lane, else the nearest within the tolerance. */
  'trace.pick': {
    input: z.object({ captureId, laneId, timeNs: ns, toleranceNs: z.number().nonnegative() }),
    output: z.object({ slice: sliceRowSchema.nullable() }),
  },
  'trace.slice': { input: z.object({ captureId, sliceId }), output: sliceDetailsSchema },
  /** Names that contain the text, in any case; '' = all. */
  'trace.names': {
    input: z.object({ captureId, text: z.string().max(1000), limit: z.number().int().min(1).max(maxNames) }),
    output: z.object({
      count: z.number(), // all such names
      slices: z.number(), // of all of them
      names: z.array(traceNameSchema.omit({ slot: true })), // most total time first
    }),
  },
  /** The next or previous slice in order of (start, slice id); sliceId: the one to go on from, null = from timeNs. */
  'trace.next': {
    input: z.object({ captureId, names: someNames, tracks: someTracks, timeNs: ns, sliceId: sliceId.nullable(), forward: z.boolean() }),
    output: z.object({ slice: sliceRowSchema.nullable() }),
  },
  'trace.selection': {
    input: z.object({ captureId, tracks: trackIds, ...range, by: traceGroupBySchema, limit }),
    output: traceSelectionSchema,
  },
  /** The slices that overlap a range, one row each. */
  'trace.slices': {
    input: z.object({ captureId, tracks: someTracks, names: someNames, ...range, sort: sliceSortSchema, offset, limit }),
    output: z.object({ rows: z.array(sliceRowSchema), total: z.number() }),
  },
  /** Value of a counter in each column; NaN before its first sample. */
  'trace.counter': {
    input: z.object({ captureId, seriesId: z.number().int().nonnegative(), ...range, columns }),
    output: z.object({ min: f64, max: f64, last: f64 }),
  },
  /**
   * Counters with samples at the same times, as one stack: by series, then by column, the values at the moment of the column at which they hold
   * most together (below 0 nothing is held); NaN before the first sample.
   */
  'trace.counterStack': {
    input: z.object({ captureId, seriesIds: z.array(z.number().int().nonnegative()).min(1).max(64), ...range, columns }),
    output: z.object({ values: f64 }),
  },
  /** Instants of each column: how many, and the first (NaN without). */
  'trace.instantMarks': {
    input: z.object({ captureId, trackId, ...range, columns }),
    output: z.object({ count: f64, first: f64 }),
  },
  'trace.instants': {
    input: z.object({ captureId, tracks: someTracks, ...range, offset, limit }),
    output: z.object({ rows: z.array(instantRowSchema), total: z.number() }),
  },
  'trace.instant': {
    input: z.object({ captureId, instantId: z.number().int().nonnegative() }),
    output: instantRowSchema.extend(argsSchema.shape),
  },
  'trace.opMemory': { input: z.object({ captureId, device, fromEvent: event, toEvent: event, limit }), output: opMemorySchema },
  'trace.steps': { input: z.object({ captureId, device }), output: z.object({ steps: z.array(traceStepSchema) }) },
  /** Steps and annotations of every thread, in order of their start; at most 20,000, the longest; total = all. */
  'trace.spans': { input: z.object({ captureId }), output: z.object({ spans: z.array(traceSpanSchema), total: z.number() }) },
  /** Flows that begin or end at these slices, with both ends; at most 1,000 a slice and direction. */
  'trace.flowsOf': {
    input: z.object({ captureId, sliceIds: z.array(sliceId).max(100) }),
    output: z.object({ flows: z.array(traceFlowSchema) }),
  },
} as const
