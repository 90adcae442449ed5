// Questions a view asks the engine, and the answers. One object a method: input and output schema. Units: see capture.ts.
import { z } from 'zod'
import { allocationDetailsSchema, allocationRowSchema } from './allocation.ts'
import { allocationListMethods } from './allocation-list.ts'
import { blockMethods } from './blocks.ts'
import { captureSummarySchema } from './capture.ts'
import { categoryMethods } from './categories.ts'
import { diagnosisMethods } from './diagnosis.ts'
import { flameMethods } from './flame.ts'
import { hotSpotMethods } from './hot-spots.ts'
import { joinMethods } from './join.ts'
import { lifetimeMethods } from './lifetimes.ts'
import { captureId, curveColumns, curveFrame, device, f64, filter, maxSidePx, u8, viewport } from './parts.ts'
import { reportMethods } from './report.ts'
import { sqlMethods } from './sql.ts'
import { traceMethods } from './trace.ts'
import { whatIfMethods } from './whatif.ts'

export * from './allocation.ts'
export * from './allocation-list.ts'
export * from './blocks.ts'
export * from './categories.ts'
export * from './diagnosis.ts'
export * from './flame.ts'
export * from './hot-spots.ts'
export * from './join.ts'
export * from './lifetimes.ts'
export { type Axis, axisSchema, maxSidePx } from './parts.ts'
export * from './sql.ts'
export * from './trace.ts'
export * from './whatif.ts'

export const colorBySchema = z.enum(['stack', 'size', 'age', 'stream', 'pool', 'category'])
export type ColorBy = z.infer<typeof colorBySchema>

export const curveNames = ['allocated', 'active', 'reserved', 'requested'] as const
export type CurveName = (typeof curveNames)[number]
export const timelineCurvesSchema = z.object({
  ...curveFrame,
  allocated: curveColumns,
  active: curveColumns,
  reserved: curveColumns,
  requested: curveColumns,
})
export type TimelineCurves = z.infer<typeof timelineCurvesSchema>

/** A stretch of columns [column0, column1) in which one allocation's band is tall enough for a label and does not move. */
const bandLabelSchema = z.object({
  allocationId: z.number(),
  column0: z.number(),
  column1: z.number(),
  y0Bytes: z.number(), // bottom of the band
  bytes: z.number(),
  title: z.string(), // innermost telling frame, "name file:line"; "" without a stack
  isHeldBefore: z.boolean(), // in a trace: made before the profile began, so nothing tells its stack
})

/** cells: columns × rows bytes, column-major, row 0 at y0 (bottom): bits 0–5 color slot (0 = nothing there), bit 6 alternate shade, bit 7 separator. */
export const timelineRasterSchema = z.object({
  columns: z.number(),
  rows: z.number(),
  cells: u8,
  labels: z.array(bandLabelSchema),
  shown: z.number(), // allocations alive in some column
  folded: z.number(), // of these: never one row high
  foldedBytes: z.number(),
})
export type TimelineRaster = z.infer<typeof timelineRasterSchema>

export const stackShareSchema = z.object({
  stackId: z.number(), // −1 = no stack
  slot: z.number(), // color slot under color_by stack
  count: z.number(),
  bytes: z.number(),
  title: z.string(), // "name" of the innermost telling frame; "" without frames
  place: z.string(), // "file.py:134"
})
export type StackShare = z.infer<typeof stackShareSchema>

const curveRangeSchema = z.object({ min: z.number(), minEvent: z.number(), mean: z.number(), max: z.number(), maxEvent: z.number() })
export const rangeStatsSchema = z.object({
  fromEvent: z.number(),
  toEvent: z.number(), // half-open
  fromTimeNs: z.number().nullable(),
  toTimeNs: z.number().nullable(),
  curves: z.object({ allocated: curveRangeSchema, active: curveRangeSchema, reserved: curveRangeSchema, requested: curveRangeSchema }),
  allocatedCount: z.number(),
  allocatedBytes: z.number(),
  freedCount: z.number(),
  freedBytes: z.number(),
  netBytes: z.number(),
  topStacks: z.array(stackShareSchema), // by bytes allocated in the range
})
export type RangeStats = z.infer<typeof rangeStatsSchema>

export const liveSortSchema = z.enum(['sizeBytes', 'requestedBytes', 'allocEvent', 'address', 'title'])

export const annotationSpanSchema = z.object({
  name: z.string(),
  startNs: z.number(),
  endNs: z.number().nullable(),
  startEvent: z.number(),
  endEvent: z.number(),
})

/** Every question of the window to the engine. */
export const engineMethods = {
  /** token: handle that the main process gave for a file that the user chose. Sends progress events while it runs; cancel by request id. */
  'capture.open': { input: z.object({ token: z.string(), rebuild: z.boolean().optional() }), output: captureSummarySchema },
  'capture.close': { input: z.object({ captureId }), output: z.object({}) },
  'timeline.curves': { input: z.object(viewport), output: timelineCurvesSchema },
  'timeline.raster': {
    input: z.object({
      ...viewport,
      rows: z.number().int().min(1).max(maxSidePx),
      y0: z.number(),
      y1: z.number(),
      colorBy: colorBySchema,
      filter,
    }),
    output: timelineRasterSchema,
  },
  /** Bytes below the allocation in each column; NaN where it is not alive at the column's event. */
  'timeline.outline': { input: z.object({ ...viewport, allocationId: z.number() }), output: z.object({ y0: f64, repEvent: f64 }) },
  'timeline.pick': {
    input: z.object({ captureId, device, event: z.number(), bytes: z.number() }),
    output: z.object({ allocation: allocationRowSchema.nullable() }),
  },
  'timeline.annotations': {
    input: z.object({ captureId, device }),
    output: z.object({ spans: z.array(annotationSpanSchema), total: z.number() }),
  },
  'timeline.range': { input: z.object({ captureId, device, fromEvent: z.number(), toEvent: z.number() }), output: rangeStatsSchema },
  'timeline.eventAt': { input: z.object({ captureId, device, timeNs: z.number() }), output: z.object({ event: z.number() }) },
  /** Time of an event: null where the file has none. */
  'timeline.timeOf': { input: z.object({ captureId, device, event: z.number() }), output: z.object({ timeNs: z.number().nullable() }) },
  'stacks.top': {
    input: z.object({ captureId, device, event: z.number(), limit: z.number().int().min(1).max(1000) }),
    output: z.object({ stacks: z.array(stackShareSchema) }),
  },
  /** Stacks one of whose frames contains the text (name or file, any case), at most 100,000; count = all. */
  'stacks.find': {
    input: z.object({ captureId, text: z.string().min(1).max(1000) }),
    output: z.object({ stackIds: z.array(z.number()), count: z.number() }),
  },
  'allocation.details': { input: z.object({ captureId, allocationId: z.number() }), output: allocationDetailsSchema },
  'allocation.find': {
    input: z.object({ captureId, device, text: z.string() }),
    output: z.object({ allocation: allocationRowSchema.nullable() }),
  },
  'allocation.live': {
    input: z.object({
      captureId,
      device,
      event: z.number(),
      sort: liveSortSchema,
      descending: z.boolean(),
      filter,
      offset: z.number().int(),
      limit: z.number().int().max(1000),
    }),
    output: z.object({
      rows: z.array(allocationRowSchema),
      total: z.number(), // passing the filter
      totalBytes: z.number(),
      aliveCount: z.number(), // whatever the filter
      aliveBytes: z.number(),
    }),
  },
  ...allocationListMethods,
  ...blockMethods,
  ...flameMethods,
  ...hotSpotMethods,
  ...categoryMethods,
  ...diagnosisMethods,
  ...lifetimeMethods,
  ...traceMethods,
  ...joinMethods,
  ...reportMethods,
  ...sqlMethods,
  ...whatIfMethods,
} as const

export type EngineMethod = keyof typeof engineMethods
export type EngineInput<M extends EngineMethod> = z.input<(typeof engineMethods)[M]['input']>
export type EngineOutput<M extends EngineMethod> = z.output<(typeof engineMethods)[M]['output']>
