// What a report says of one device: facts that are gathered once, without any words. Units: see capture.ts.
import { z } from 'zod'
import { allocationRowSchema, frameSchema } from './allocation.ts'
import { spaceReportSchema, wouldFitSchema } from './blocks.ts'
import { captureId, device } from './parts.ts'

/** Who called the telling frame of a stack, innermost first: the nearest in libraries, then the user's own. leftOut: further callers. */
const reportFramesSchema = z.object({ frames: z.array(frameSchema), leftOut: z.number() })
export type ReportFrames = z.infer<typeof reportFramesSchema>

export const reportStackSchema = reportFramesSchema.extend({
  stackId: z.number(), // −1 = no stack
  count: z.number(),
  bytes: z.number(),
  title: z.string(),
  place: z.string(),
})
export type ReportStack = z.infer<typeof reportStackSchema>

/** What held memory after an event. */
export const reportMomentSchema = z.object({
  event: z.number(), // −1 = before the first, or no history: the state of the dump
  timeNs: z.number().nullable(),
  allocatedBytes: z.number(),
  reservedBytes: z.number(),
  aliveCount: z.number(),
  stacks: z.array(reportStackSchema), // most bytes first
  largest: z.array(allocationRowSchema),
  space: spaceReportSchema.pick({ totals: true, groups: true, pins: true }).nullable(), // null: the file does not say where memory lies
})
export type ReportMoment = z.infer<typeof reportMomentSchema>

export const reportFailureSchema = z.object({
  moment: reportMomentSchema,
  sizeBytes: z.number(),
  deviceFreeBytes: z.number().nullable(),
  title: z.string(),
  place: z.string(),
  stack: reportFramesSchema,
  fit: wouldFitSchema.nullable(), // null: the file does not say where memory lies
})
export type ReportFailure = z.infer<typeof reportFailureSchema>

const rangeSchema = z.object({ min: z.number(), minEvent: z.number(), mean: z.number(), max: z.number(), maxEvent: z.number() })
const groupSchema = z.object({ count: z.number(), bytes: z.number() })

/** Bytes by what they are for. `why`: what the rules that matched say. */
export const reportCategoriesSchema = z.array(
  z.object({ category: z.string(), title: z.string(), bytes: z.number(), count: z.number(), why: z.array(z.string()) }),
)
export type ReportCategories = z.infer<typeof reportCategoriesSchema>

export const reportDeviceSchema = z.object({
  curves: z.object({ allocated: rangeSchema, active: rangeSchema, reserved: rangeSchema, requested: rangeSchema }).nullable(), // null = no history
  made: groupSchema, // allocations recorded
  freed: groupSchema,
  neverFreed: groupSchema,
  temporary: groupSchema,
  annotations: z.array(z.object({ name: z.string(), count: z.number() })), // most frequent first
  annotationCount: z.number(),
  peak: reportMomentSchema.nullable(), // null = no history
  failure: reportFailureSchema.nullable(), // the last out-of-memory event
  dump: reportMomentSchema.nullable(), // where there is no history
})
export type ReportDevice = z.infer<typeof reportDeviceSchema>

export const reportMethods = {
  /** temporaryEvents: a freed allocation alive for at most so many events is short-lived. */
  'report.device': {
    input: z.object({ captureId, device, temporaryEvents: z.number().int().nonnegative() }),
    output: reportDeviceSchema,
  },
} as const
