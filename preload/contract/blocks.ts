// Questions about the layout of memory at an event: segments, blocks, what would fit, fragmentation. See native/README.md, Space.
import { z } from 'zod'
import { captureId, curveColumns, curveFrame, device, event, f64, filter, maxSidePx, u8, viewport } from './parts.ts'

export const segmentOrderSchema = z.enum(['address', 'size', 'occupancy', 'pool'])
export type SegmentOrder = z.infer<typeof segmentOrderSchema>
export const blockColorSchema = z.enum(['state', 'stack', 'size', 'age', 'stream', 'pool', 'category'])
export type BlockColor = z.infer<typeof blockColorSchema>
export const segmentTypeSchema = z.enum(['small', 'large'])

const title = { title: z.string(), place: z.string() } // of the stack, as in StackShare; '' without one

/** The segments after an event, struct of arrays in the order asked for; at most 5,000, the first in that order. */
export const segmentsSchema = z.object({
  leftOut: z.number(), // further segments that there are
  addresses: z.array(z.string()), // 0x…
  totalBytes: f64,
  allocatedBytes: f64,
  activeBytes: f64,
  requestedBytes: f64,
  freeBytes: f64,
  largestFreeBytes: f64,
  largestFreeOffset: f64, // bytes from the segment's start; −1 = no free block
  returnableBytes: f64,
  blockCount: f64,
  freeBlockCount: f64,
  streams: z.array(z.string()), // handle of each segment's stream, '' unknown
  pools: z.array(z.string()), // name of each segment's pool, '' unknown
  isSmall: f64, // 1 = of the small pool
  isExpandable: f64,
})
export type Segments = z.infer<typeof segmentsSchema>

/** Struct of arrays: the blocks in sight, one item a block. */
const boxesSchema = z.object({
  line: f64, // from line0
  offset: f64, // bytes from the line's start; may begin before what is in sight
  bytes: f64,
  requested: f64,
  state: f64, // 0 free, 1 allocated, 2 pending free
  slot: f64, // color slot; 31 = left out by the filter
  allocation: f64, // −1 free
  titles: z.array(z.string()), // "name file:line" of the allocation's stack, '' for free blocks
})

export const blockRasterSchema = z.object({
  columns: z.number(),
  lines: z.number(),
  /** columns × lines, line after line: 0 = no memory, 1 = wholly free, else bits 0–4 color slot, bits 5–7 = ⌈7 × active share⌉. */
  cells: u8,
  lineSegment: f64, // index into the segments in the same order
  lineOffset: f64, // bytes from the segment's start
  lineBytes: f64,
  boxes: boxesSchema.nullable(), // null = more than 5,000 blocks in sight
  allLines: z.number(),
  blockCount: z.number(), // in sight
  longestBytes: z.number(), // of the longest line of all
})
export type BlockRaster = z.infer<typeof blockRasterSchema>

export const blockStateSchema = z.enum(['active_allocated', 'active_pending_free', 'inactive'])

export const blockAtSchema = z.object({
  segmentAddress: z.string(),
  segmentOffset: z.number(), // of the block, bytes from the segment's start
  segmentBytes: z.number(),
  address: z.string(),
  sizeBytes: z.number(),
  requestedBytes: z.number(), // 0 when free
  state: blockStateSchema,
  allocationId: z.number().nullable(),
  stackId: z.number(), // −1 none
  sinceEvent: z.number().nullable(), // when it was made; null = before the first event, or free
  ...title,
})
export type BlockAt = z.infer<typeof blockAtSchema>

/** Free blocks of one kind, and how many of them could take the request. */
const freeTotalsSchema = z.object({
  count: z.number(),
  bytes: z.number(),
  largestBytes: z.number(),
  largestAddress: z.string().nullable(),
  fittingCount: z.number(),
})
export type FreeTotals = z.infer<typeof freeTotalsSchema>

export const wouldFitSchema = z.object({
  requested: z.number(),
  rounded: z.number(),
  segmentBytes: z.number(), // what a new segment would take from the device
  stream: z.string(),
  pool: z.string(),
  segmentType: segmentTypeSchema,
  fits: z.boolean(),
  block: z.object({ address: z.string(), sizeBytes: z.number(), segmentAddress: z.string(), restBytes: z.number() }).nullable(), // the free block that the allocator would take
  fittingCount: z.number(),
  free: freeTotalsSchema, // of the right stream, pool and class
  oversize: freeTotalsSchema, // of these, kept for other requests
  otherStreams: freeTotalsSchema,
  otherPools: freeTotalsSchema,
  otherClass: freeTotalsSchema,
  pending: freeTotalsSchema, // as if every pending free had completed
  returnableBytes: z.number(),
  reservedBytes: z.number(),
  deviceFreeBytes: z.number().nullable(), // as the device reported at an out-of-memory event
})
export type WouldFit = z.infer<typeof wouldFitSchema>

const spaceTotals = {
  segments: z.number(),
  expandableSegments: z.number(), // of these, those that grow page by page
  reservedBytes: z.number(),
  allocatedBytes: z.number(),
  activeBytes: z.number(),
  requestedBytes: z.number(),
  freeBytes: z.number(),
  blockCount: z.number(), // free ones included
  freeBlockCount: z.number(),
  largestFreeBytes: z.number(),
  inactiveSplitBytes: z.number(),
  returnableBytes: z.number(),
}
export const spaceTotalsSchema = z.object(spaceTotals)
export type SpaceTotals = z.infer<typeof spaceTotalsSchema>

const sizeBinSchema = z.object({ fromBytes: z.number(), toBytes: z.number(), count: z.number(), bytes: z.number() })

export const spaceReportSchema = z.object({
  totals: spaceTotalsSchema,
  groups: z.array(z.object({ pool: z.string(), stream: z.string(), segmentType: segmentTypeSchema, ...spaceTotals })),
  freeSizes: z.array(sizeBinSchema), // quarter powers of two
  requestSizes: z.array(sizeBinSchema), // allocations made up to the event
  pins: z.array(
    z.object({
      segmentAddress: z.string(),
      totalBytes: z.number(),
      freeBytes: z.number(),
      largestFreeBytes: z.number(),
      activeCount: z.number(),
      activeBytes: z.number(),
      holders: z.array(
        z.object({
          allocationId: z.number(),
          address: z.string(),
          sizeBytes: z.number(),
          stackId: z.number(),
          sinceEvent: z.number().nullable(),
          ...title,
        }),
      ),
      // All its live blocks by stack, most bytes first, with the largest block of each; absent where `holders` are all.
      stacks: z
        .array(z.object({ stackId: z.number(), count: z.number(), bytes: z.number(), allocationId: z.number(), ...title }))
        .optional(),
    }),
  ),
})
export type SpaceReport = z.infer<typeof spaceReportSchema>

export const spaceCurvesSchema = z.object({
  ...curveFrame,
  reserved: curveColumns,
  active: curveColumns,
  allocated: curveColumns,
  requested: curveColumns,
  inactiveSplit: curveColumns,
  largestFree: curveColumns,
  returnable: curveColumns,
  freeBlocks: curveColumns, // a count
})
export type SpaceCurves = z.infer<typeof spaceCurvesSchema>

/** One event of the history, as the file has it. */
export const eventRowSchema = z.object({
  event: z.number(),
  action: z.string(),
  address: z.string().nullable(), // null for oom and snapshot
  sizeBytes: z.number(),
  stream: z.string(),
  timeNs: z.number().nullable(),
  stackId: z.number(), // −1 none
  deviceFreeBytes: z.number().nullable(), // oom only
  ...title,
})
export type EventRow = z.infer<typeof eventRowSchema>

/** The raw handle of a stream, a signed number of 64 bits in decimal digits. */
const streamHandle = z.string().refine((text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text))

const moment = { captureId, device, event }
const orderedMoment = { ...moment, order: segmentOrderSchema }

export const blockMethods = {
  'blocks.segments': { input: z.object(orderedMoment), output: segmentsSchema },
  'blocks.raster': {
    input: z.object({
      ...orderedMoment,
      lineBytes: z.number().int().nonnegative(), // 0 = one line a segment
      x0: z.number(), // bytes from the line's start
      x1: z.number(),
      columns: z.number().int().min(1).max(maxSidePx),
      line0: z.number().int().nonnegative(),
      lines: z.number().int().min(1).max(maxSidePx),
      colorBy: blockColorSchema,
      filter,
    }),
    output: blockRasterSchema,
  },
  /** The block that contains an address (0x…); null = no segment covers it then. */
  'blocks.at': { input: z.object({ ...moment, address: z.string() }), output: z.object({ block: blockAtSchema.nullable() }) },
  'blocks.wouldFit': {
    input: z.object({
      ...moment,
      sizeBytes: z.number().int().positive(),
      stream: streamHandle.optional(),
      pool: z.string().optional(), // name
    }),
    output: wouldFitSchema,
  },
  'event.row': {
    input: z.object({ captureId, device, event: z.number().int().nonnegative() }),
    output: z.object({ row: eventRowSchema.nullable() }),
  },
  'space.report': { input: z.object(moment), output: spaceReportSchema },
  'space.curves': { input: z.object(viewport), output: spaceCurvesSchema },
} as const
