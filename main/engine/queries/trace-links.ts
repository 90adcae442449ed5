// What `slice_links` answers (native/TRACES.md), its keys in camel case.
import { z } from 'zod'

const link = z.object({ sliceId: z.number(), name: z.string(), category: z.string() })

export const sliceLinksSchema = z.object({
  out: z.array(link),
  in: z.array(link),
  ancestors: z.array(link), // innermost first
  launch: link.nullable(),
  op: link.nullable(),
})
export type SliceLinks = z.infer<typeof sliceLinksSchema>
