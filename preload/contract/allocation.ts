// One allocation as every view lists it. Units: see capture.ts.
import { z } from 'zod'

export const allocationRowSchema = z.object({
  allocationId: z.number(),
  address: z.string(), // 0x…
  version: z.number(), // n-th use of the address in this capture
  requestedBytes: z.number(),
  sizeBytes: z.number(), // rounded
  stream: z.string(),
  pool: z.string(),
  segmentAddress: z.string().nullable(),
  allocEvent: z.number().nullable(), // null = before the first event
  freeRequestedEvent: z.number().nullable(), // null = not in the capture
  freeCompletedEvent: z.number().nullable(),
  allocTimeNs: z.number().nullable(),
  freeTimeNs: z.number().nullable(),
  stackId: z.number(), // −1 none
  slot: z.number(),
  title: z.string(),
  place: z.string(),
})
export type AllocationRow = z.infer<typeof allocationRowSchema>
