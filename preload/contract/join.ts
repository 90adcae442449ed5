// Questions about two open captures of one run: a memory snapshot and a Chrome trace. The allocations that both recorded are found by address,
// size and time; native/README.md, Joins. Times are nanoseconds since the start of the capture they are of.
import { z } from 'zod'
import { allocationDetailsSchema } from './allocation.ts'
import { captureKindSchema } from './capture.ts'
import { captureId, device, event } from './parts.ts'
import { namedSliceSchema, sliceRowSchema } from './trace.ts'

/** unknown: there is nothing to compare. */
export const joinVerdictSchema = z.enum(['same_run', 'doubtful', 'other_run', 'unknown'])
export type JoinVerdict = z.infer<typeof joinVerdictSchema>

/**
 * Why it is not `same_run`. unknown: no_memory (one of the two recorded no allocation on this device), no_times. other_run: no_overlap (they
 * recorded at different times), few_matches (addresses and sizes disagree). doubtful: few_allocations (too few in the common time to tell),
 * some_matches, wide_spread (the clocks of the matches scatter, as those of two processes that do the same do).
 */
export const joinReasonSchema = z.enum([
  'no_memory',
  'no_times',
  'no_overlap',
  'few_allocations',
  'few_matches',
  'some_matches',
  'wide_spread',
])
export type JoinReason = z.infer<typeof joinReasonSchema>

export const joinMatchSchema = z.object({
  snapshotId: z.string(),
  traceId: z.string(),
  device: z.number(),
  matched: z.number(), // allocations that both have
  equalSizes: z.number(), // of these: the rounded sizes are equal; of the others the trace's lies between requested and rounded
  snapshotAllocations: z.number(), // in the common time
  traceAllocations: z.number(),
  share: z.number().nullable(), // matched ÷ the smaller of the two; null without any
  offsetNs: z.number().nullable(), // time in the snapshot = time in the trace + offsetNs; null = no times
  clockDifferenceNs: z.number().nullable(), // how far the matches say that the two wall clocks are apart; null without matches
  spreadNs: z.number().nullable(), // median absolute deviation of the matches from the offset; null without matches
  overlap: z // first and last moment of the common time; null = there is none
    .object({ snapshotFromNs: z.number(), snapshotToNs: z.number(), traceFromNs: z.number(), traceToNs: z.number() })
    .nullable(),
  verdict: joinVerdictSchema,
  reason: joinReasonSchema.nullable(), // null = same_run
})
export type JoinMatch = z.infer<typeof joinMatchSchema>

/** A capture of the other kind that recorded the same device at the same time. */
export const joinCandidateSchema = z.object({
  captureId: z.string(),
  kind: captureKindSchema,
  sourceName: z.string(),
  devices: z.array(z.number()), // those that both recorded, the longest common time first
  overlapNs: z.number(), // common time on the first of these, by wall clock
})
export type JoinCandidate = z.infer<typeof joinCandidateSchema>

/** What the trace knows of an allocation. */
export const joinedOpSchema = z.object({
  name: z.string(), // the innermost op that says something (not aten::empty and the like); '' = outside of every op
  op: sliceRowSchema.nullable(), // the slice of that op
  innermost: sliceRowSchema.nullable(), // the slice in which the allocation was made
  annotations: z.array(namedSliceSchema), // named by the program, around it, innermost first, without steps
  step: namedSliceSchema.nullable(), // ProfilerStep#N around it
  kernels: z.array(sliceRowSchema), // GPU slices that the op launched, in order of launch, at most 10
  kernelCount: z.number().nullable(), // all; null = the op has too much inside to look through
})
export type JoinedOp = z.infer<typeof joinedOpSchema>

/** Two captures that are compared, in any order. */
const pair = { captureId, partnerId: captureId }

export const joinMethods = {
  /** Open captures of the same window that could be of the same run, the longest common time first. */
  'join.candidates': { input: z.object({ captureId }), output: z.object({ candidates: z.array(joinCandidateSchema) }) },
  /** How well a snapshot and a trace match; kept until one of them is closed. */
  'join.match': { input: z.object({ snapshotId: captureId, traceId: captureId, device }), output: joinMatchSchema },
  /** The same allocation in the partner; null where it did not record it, or is of another run. op: when the partner is the trace. */
  'join.allocation': {
    input: z.object({ ...pair, allocationId: z.number().int().nonnegative() }),
    output: z.object({ partner: allocationDetailsSchema.nullable(), op: joinedOpSchema.nullable() }),
  },
  /**
   * The moment in the partner that corresponds to an event or a time of `captureId`; exactly one of the two is not null. Null where the captures
   * are not of one run.
   */
  'join.time': {
    input: z.object({ ...pair, device, event: event.nullable(), timeNs: z.number().nullable() }),
    output: z.object({
      moment: z
        .object({
          event: z.number(), // last event at that moment; −1 = before the first
          timeNs: z.number(),
          isSameEvent: z.boolean(), // both recorded this very event
          isInside: z.boolean(), // the partner recorded memory at that time
        })
        .nullable(),
    }),
  },
} as const
