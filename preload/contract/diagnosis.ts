// Why a program ran out of memory: the diagnosis of one failure, and of many. Units: bytes unless a field says otherwise; see capture.ts.
import { z } from 'zod'
import { bilingualSchema } from './categories.ts'
import { failureSchema } from './errors.ts'
import { captureId, device } from './parts.ts'

/** What made memory grow or run out. */
const causes = [
  'fragmentation',
  'activation_residency',
  'gradient_blowup',
  'metadata_bloat',
  'context_leak',
  'optimizer_state',
  'kv_cache_growth',
  'weights_duplicated',
  'single_huge_allocation',
  'steady_leak',
] as const
export const causeSchema = z.enum(causes)
export type Cause = z.infer<typeof causeSchema>

/** healthy: no failure is on record. not_enough_evidence: there is one, and nothing that explains it well enough. */
export const verdictLabelSchema = z.enum([...causes, 'healthy', 'not_enough_evidence'])
export type VerdictLabel = z.infer<typeof verdictLabelSchema>

/**
 * Why the very request failed, as far as the numbers prove it. exhausted: held and asked for do not fit below the limit. no_contiguous_block: enough was reserved
 * and free, in pieces. segment_refused: enough only with what could still be reserved, which was too little for a new segment. outside_pytorch: what is missing is held outside.
 */
export const failureReasonSchema = z.enum(['exhausted', 'no_contiguous_block', 'segment_refused', 'outside_pytorch', 'unknown'])
export type FailureReason = z.infer<typeof failureReasonSchema>

/** The plain facts beneath a verdict, in the order in which they are told; each is checked and holds, does not, or cannot be known. */
export const factCodes = [
  'exhausted',
  'no_contiguous_block',
  'segment_refused',
  'outside_pytorch',
  'pending_frees',
  'other_stream',
  'other_pool',
  'cap_below_device',
  'retried',
  'history_too_short',
] as const
export const factCodeSchema = z.enum(factCodes)
export type FactCode = z.infer<typeof factCodeSchema>

/** Where the window shows what a number speaks of: the view, the cursor's event, and a filter in the filter language ('' = none). */
export const evidencePlaceSchema = z.object({
  view: z.enum(['timeline', 'lifetimes', 'blocks', 'fragmentation', 'flame', 'allocations']),
  device,
  event: z.number(), // −1 = before the first
  filter: z.string(), // as `category:activation` or `stack_id:12`
})
export type EvidencePlace = z.infer<typeof evidencePlaceSchema>

export const evidenceUnitSchema = z.enum(['bytes', 'bytes/step', 'share', 'count', 'ratio', 'correlation', 'steps', 'text'])
export const evidenceSchema = z.object({
  measure: z.string(),
  value: z.union([z.number(), z.string()]),
  unit: evidenceUnitSchema,
  text: bilingualSchema,
  place: evidencePlaceSchema.nullable(), // null: no view shows it (it comes from a text or from metrics)
})
export type DiagnosisEvidence = z.infer<typeof evidenceSchema>

export const candidateSchema = z.object({ label: causeSchema, confidence: z.number(), evidence: z.array(evidenceSchema) }) // confidence 0 to 1

/** What a change would gain. basis: sum = added up from what was held; most = the same, and no more than that; simulated = the recorded requests under that setting; none = not computed. */
export const adviceSchema = z.object({
  id: z.string(),
  text: bilingualSchema,
  code: z.string().nullable(), // what to write, as `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`
  gainBytes: z.number().nullable(),
  basis: z.enum(['sum', 'most', 'simulated', 'none']),
  avoidsFailure: z.boolean().nullable(), // by the simulation; null = not simulated, or not certain
  isEnough: z.boolean().nullable(), // whether this alone would do, by sums or the simulation; null = cannot be told
  neededAfterBytes: z.number().nullable(), // held and asked for once it is done; null where no sum tells
  place: evidencePlaceSchema.nullable(),
})
export type DiagnosisAdvice = z.infer<typeof adviceSchema>

const amount = z.number().nullable() // null = not known

/** The numbers of the failure, or of the peak where nothing failed. */
export const situationSchema = z.object({
  isFailure: z.boolean(),
  reason: failureReasonSchema,
  facts: z.array(z.object({ code: factCodeSchema, holds: z.boolean().nullable(), text: bilingualSchema })), // null = cannot be known from the sources
  requestedBytes: amount,
  segmentBytes: amount, // that the allocator asked the driver for
  limitBytes: amount, // what the program could reserve: its cap, else the device
  isLimitKnown: z.boolean(), // false: limitBytes is what it had reserved
  limitAtLeastBytes: amount, // where the limit is not known: it lies from here …
  limitBelowBytes: amount, // … up to here, excluded; both null where it is known
  allowedBytes: amount, // the cap
  deviceTotalBytes: amount,
  deviceFreeBytes: amount,
  reservedBytes: amount,
  allocatedBytes: amount,
  freeBytes: amount, // in the pools that the request may use
  largestFreeBytes: amount, // there
  privateBytes: amount, // reserved in pools of CUDA graphs and of the program
  outsideBytes: amount, // in use on the device and not reserved by this program's PyTorch
  ownOutsideBytes: amount, // the part of it that this process itself holds
  otherProcessBytes: amount,
  precisionBytes: z.number(), // how far a byte count of the text may be from the truth
  retryCount: amount, // how often the cache was emptied and the request tried again before
  notedRetryCount: amount, // the same by the metrics alone, which end with the last step that was noted
  firstRetryEvent: amount,
  firstRetryStep: amount, // as the metrics count steps
})
export type DiagnosisSituation = z.infer<typeof situationSchema>

export const heldStackSchema = z.object({
  stackId: z.number(), // −1 = no stack
  title: z.string(),
  category: z.string(),
  bytes: z.number(),
  count: z.number(),
  place: evidencePlaceSchema.nullable(),
})

/** A stack that holds more with every step and gives nothing back, or (larger) as many allocations as before, each larger. */
export const growingStackSchema = z.object({
  stackId: z.number(),
  title: z.string(),
  kind: z.enum(['kept', 'larger']),
  bytesPerStep: amount,
  grownBytes: z.number(),
  stepsLeft: amount, // until the limit is reached at this pace; 0 at a failure
  place: evidencePlaceSchema.nullable(),
})

/** A curve of the metrics: pairs of step and value, thinned to at most 500 without losing a lowest or highest value. */
export const metricsCurveSchema = z.object({
  field: z.string(),
  unit: z.enum(['bytes', 'number']),
  points: z.array(z.tuple([z.number(), z.number()])),
  perStep: amount, // the median of the slopes of all pairs of steps (Theil–Sen)
  isGrowing: z.boolean(),
})

/** When in the program: which step of those that are annotated, and its part. */
export const workSchema = z.object({
  step: z.number().nullable(), // counted from 1
  stepNumber: z.number().nullable(), // as the metrics number their steps; null where they do not tell
  phase: z.enum(['forward', 'backward', 'optimizer']).nullable(),
})

/** A file that was read for a diagnosis. use: others = it tells of other failures only; misfit = metrics of another run; unused = nothing in it that others do not tell; lost = it cannot be read any more. */
export const diagnosisSourceSchema = z.object({
  kind: z.enum(['snapshot', 'log', 'metrics', 'text']),
  name: z.string(), // '' for a pasted text
  use: z.enum(['read', 'others', 'misfit', 'unused', 'lost']),
  why: bilingualSchema.nullable(), // of a misfit
  given: z.number().nullable(), // its place in the question's sources; null: it lay beside the snapshot, or is the snapshot
})
export type DiagnosisSource = z.infer<typeof diagnosisSourceSchema>

export const diagnosisSchema = z.object({
  name: z.string(), // of the file, as it is shown
  device: device.nullable(),
  event: z.number().nullable(), // of the failure, else of the peak; null without a capture
  timeNs: z.number().nullable(),
  verdict: z.object({ label: verdictLabelSchema, confidence: z.number(), isUncertain: z.boolean() }),
  candidates: z.array(candidateSchema), // most confident first
  situation: situationSchema,
  request: z // null: not from a capture
    .object({
      stackId: z.number(),
      title: z.string(),
      frames: z.array(z.string()),
      stream: z.string(),
      pool: z.string(),
      segmentType: z.string(),
    })
    .nullable(),
  held: z // null: not from a capture
    .object({
      categories: z.array(z.object({ category: z.string(), bytes: z.number(), count: z.number(), place: evidencePlaceSchema })),
      stacks: z.array(heldStackSchema),
      lossBytes: amount, // what the loss function made, the logits and their gradients; null where there is too much to look at each
      ages: z.array(z.object({ age: z.enum(['before_history', 'older_half', 'newer_half', 'last_tenth']), bytes: z.number() })),
    })
    .nullable(),
  lastGrowth: z // the last large rise of allocated bytes that lasted to the moment
    .object({
      fromEvent: z.number(),
      toEvent: z.number(),
      bytes: z.number(),
      title: z.string(), // of the stack that made most of what was made meanwhile and is held
      titleBytes: z.number(), // what that stack made of it
      place: evidencePlaceSchema,
    })
    .nullable(),
  growing: z.array(growingStackSchema),
  isGrowthSought: z.boolean(), // false: the history is too short to tell, or without stacks
  work: workSchema,
  steps: z.number().nullable(),
  neededBytes: amount, // what was missing, the nearer of two ways: in one piece, or below a limit that is known; outside PyTorch, of the device
  settings: z.array(z.object({ name: z.string(), value: z.string() })), // the allocator's, as the file has them
  errorText: z
    .object({ text: z.string(), name: z.string(), line: z.number(), rank: z.number().nullable(), time: z.string().nullable() })
    .nullable(),
  metrics: z
    .object({
      name: z.string(),
      steps: z.number(),
      curves: z.array(metricsCurveSchema),
      others: z.array(z.object({ field: z.string(), value: z.string() })),
      lastStep: z.object({ step: z.number(), batchSize: amount, sequenceLength: amount }).nullable(), // the last whose size is noted
    })
    .nullable(),
  sources: z.array(diagnosisSourceSchema), // what it was made from, the snapshot first
  advice: z.array(adviceSchema),
  needs: z.array(bilingualSchema), // what would make the verdict certain
})
export type DiagnosisPage = z.infer<typeof diagnosisSchema>

/** One line of a table of failures. */
export const failureRowSchema = z.object({
  index: z.number(),
  name: z.string(), // as `run_3/snapshot.pickle`, or `train.log:120`
  label: verdictLabelSchema,
  confidence: z.number(),
  isUncertain: z.boolean(),
  isFailure: z.boolean(),
  reason: failureReasonSchema,
  evidence: bilingualSchema.nullable(), // the first of the first candidate
  requestedBytes: amount, // by a text alone: the segment that the allocator asked the device for
  device: device.nullable(),
  pattern: z.number().nullable(), // index into `patterns`; null where nothing failed
  captureToken: z.string().nullable(), // opens the snapshot
  sourceTokens: z.array(z.string()), // the logs and metrics that were read with it
})
export type FailureRow = z.infer<typeof failureRowSchema>

/** Failures with the same mechanism at the same place of the program. */
export const failurePatternSchema = z.object({
  label: verdictLabelSchema,
  reason: failureReasonSchema,
  place: z.string(), // the line of the program that its failures have in common; '' = none is known
  count: z.number(),
  share: z.number(), // of all failures
})
export type FailurePattern = z.infer<typeof failurePatternSchema>

export const failuresSchema = z.object({
  failuresId: z.string(),
  rows: z.array(failureRowSchema), // at most 5,000
  total: z.number(),
  patterns: z.array(failurePatternSchema), // most frequent first
  unreadable: z.array(z.object({ name: z.string(), failure: failureSchema })), // at most 100
  unreadableTotal: z.number(),
})
export type Failures = z.infer<typeof failuresSchema>

const sourceTokens = z.array(z.string().max(1_000_000)).max(100)

const textMark = 'text:'
/** A pasted text among the tokens of files: it is its own token. */
export const sourceOfText = (text: string): string => `${textMark}${text}`
/** The text of such a token; null for that of a file. */
export const textOfSource = (token: string): string | null => (token.startsWith(textMark) ? token.slice(textMark.length) : null)

export const diagnosisMethods = {
  /** The diagnosis of an open snapshot at its last failure, else its peak; sources: logs and metrics to read with it, and pasted texts (`sourceOfText`). `metrics.jsonl` beside the file is read too. */
  'diagnosis.capture': { input: z.object({ captureId, sources: sourceTokens }), output: diagnosisSchema },
  /** Reads snapshots, logs, metrics and folders of them, or a pasted text. Sends progress events; cancel by request id. Errors: file/unknown_format where nothing in them is of use. */
  'failures.open': {
    input: z.object({ tokens: z.array(z.string()).max(10_000), text: z.string().max(20_000_000).nullable() }),
    output: failuresSchema,
  },
  /** The whole diagnosis of one row. */
  'failures.case': { input: z.object({ failuresId: z.string(), index: z.number().int().nonnegative() }), output: diagnosisSchema },
  'failures.close': { input: z.object({ failuresId: z.string() }), output: z.object({}) },
} as const
