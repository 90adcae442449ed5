// One allocation as every view lists it, and what the drawer tells of it. Units: see capture.ts.
import { z } from 'zod'
import { allocationCategorySchema, categorySchema } from './categories.ts'

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
  categoryName: categorySchema,
  title: z.string(),
  place: z.string(),
})
export type AllocationRow = z.infer<typeof allocationRowSchema>

/** kind: own = the user's code; library = torch, site-packages, the standard library; noise = interpreter and dispatcher frames, hidden by default. */
export const frameSchema = z.object({ name: z.string(), filename: z.string(), line: z.number(), kind: z.enum(['own', 'library', 'noise']) })
export type StackFrame = z.infer<typeof frameSchema>

export const allocationDetailsSchema = allocationRowSchema.extend({
  device: z.number(),
  state: z.enum(['freed', 'pending_free', 'alive']), // at the end of the capture
  segmentBytes: z.number().nullable(),
  compileContext: z.string().nullable(),
  userMetadata: z.string().nullable(),
  stackIsOfFree: z.boolean(), // the allocation was not recorded: the stack is that of its free
  frames: z.array(frameSchema), // innermost first
  uses: z.array(z.object({ allocationId: z.number(), allocEvent: z.number().nullable(), freeEvent: z.number().nullable() })), // at most 200
  useCount: z.number(),
  useIndex: z.number(), // 0-based position of this one
  sameStackCount: z.number(),
  sameStackMedianNs: z.number().nullable(),
  category: allocationCategorySchema,
})
export type AllocationDetails = z.infer<typeof allocationDetailsSchema>
