// Questions of the table of all allocations: a page in an order, and where in it one allocation stands. Units: see capture.ts.
import { z } from 'zod'
import { allocationRowSchema } from './allocation.ts'
import { captureId, device, filter } from './parts.ts'

/** `stack`: by the title of its stack. `category`: in the order of categories. Rows without a value come last, whichever way; equal ones by allocation. */
export const allocationSortSchema = z.enum([
  'id',
  'address',
  'size',
  'requested',
  'stream',
  'pool',
  'made',
  'freed',
  'life',
  'life_ns',
  'stack',
  'category',
])
export type AllocationSort = z.infer<typeof allocationSortSchema>

const order = { captureId, device, filter, sort: allocationSortSchema, descending: z.boolean() }

export const allocationListMethods = {
  'allocation.list': {
    input: z.object({ ...order, offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) }),
    output: z.object({
      count: z.number(), // passing the filter, of the device's whole history
      bytes: z.number(), // of all of them, rounded
      rows: z.array(allocationRowSchema),
    }),
  },
  /** 0-based place in the list; null where the filter leaves it out. */
  'allocation.place': {
    input: z.object({ ...order, allocationId: z.number().int() }),
    output: z.object({ index: z.number().nullable() }),
  },
} as const
