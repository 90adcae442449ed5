// What a recorded program would have met under other settings of the allocator. Units: see capture.ts.
import { z } from 'zod'
import { captureId, device } from './parts.ts'

/** Numbers: bytes, unless said otherwise. */
export const whatIfSchema = z.object({
  reservedPeakBytes: z.number(),
  allocatedPeakBytes: z.number(),
  largestFreeBytes: z.number(), // the largest free block at the end, or at the failure
  retries: z.number(), // attempts after the whole cache was given back, as num_alloc_retries counts them
  fails: z.boolean(),
  failingEvent: z.number().nullable(), // of the first failure
  failingBytes: z.number().nullable(), // asked for then
  isCertain: z.boolean(), // false: what else explains the recording would have failed elsewhere, or not at all
  dependsOn: z.array(z.enum(['capacity', 'request'])), // which of the two then decides: the capacity, or what the failed request asked for
  leastReservedPeakBytes: z.number(), // over all that was tried of what explains the recording
  mostReservedPeakBytes: z.number(),
  reservedBytes: z.number(), // at the end, or at the failure, as the next two
  allocatedBytes: z.number(),
  freeBytes: z.number(), // in the cache
  fragmentation: z.number(), // share of freeBytes outside the largest free block
  lastEvent: z.number().nullable(), // simulated; the last of the recording unless a failure ended the run
  sameLayout: z.boolean(), // the end is that of the recording, block for block, addresses aside
  firstDifference: z.number().nullable(), // first event after which other bytes are allocated than in the recording
  capacity: z.object({
    source: z.enum(['given', 'none', 'fraction', 'device']), // fraction: a cap that explains the recorded failures; device: what it had
    bytes: z.number().nullable(), // null = no limit
    leastBytes: z.number().nullable(), // what explains the recording lies between these; null where it is known or does not matter
    mostBytes: z.number().nullable(),
  }),
  failedRequest: z.object({ bytes: z.number(), leastBytes: z.number(), mostBytes: z.number() }).nullable(), // the bytes taken for the first failed request of which the recording has rounded ones only, and those it may have had
  settings: z.object({
    expandableSegments: z.boolean(),
    maxSplitSizeBytes: z.number().nullable(), // null = no limit
    roundupPower2Divisions: z.array(z.number()), // of the size classes 1 MiB, 2 MiB … 32 GiB
    garbageCollectionThreshold: z.number(),
    largeSegmentSizeBytes: z.number(),
    maxNonSplitRoundingBytes: z.number(),
  }),
})
export type WhatIf = z.infer<typeof whatIfSchema>

export const whatIfMethods = {
  /** Runs the device's requests again; the settings are written as in PYTORCH_CUDA_ALLOC_CONF, '' = those of the recording. */
  'whatif.run': {
    input: z.object({
      captureId,
      device,
      settings: z.string().max(10_000),
      capacityBytes: z.number().int().positive().nullable(), // a cap on the process; null = what the recording tells
    }),
    output: whatIfSchema,
  },
} as const
