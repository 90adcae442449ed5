// Templates that mark hot spots on the flame graph. See resources/templates/README.md.
import { z } from 'zod'
import { bilingualSchema, categorySchema } from './categories.ts'
import { flameQuestion } from './flame.ts'

export const hotSpotSchema = z.object({
  id: z.string(),
  label: bilingualSchema,
  explanation: bilingualSchema,
  /** What of the whole graph it weighs, in the unit asked for; base as in `flame.tree`. */
  value: z.number(),
  base: z.number(),
  count: z.number(), // allocations behind `value`
  share: z.number(), // of `value` in the whole, 0 … 1
  /** Nodes at least three quarters of which are of the spot, each the deepest that holds it all; numbered as in `flame.tree` with these options. */
  nodes: z.array(z.number()),
  /** What an allocation of the spot is, whatever the filter of the question says; an absent part holds for all. */
  within: z.object({
    stacks: z.array(z.number()).optional(),
    categories: z.array(categorySchema).optional(),
    minBytes: z.number().optional(),
  }),
})
export type HotSpot = z.infer<typeof hotSpotSchema>

export const hotSpotTemplateSchema = z.object({
  id: z.string(),
  title: bilingualSchema,
  explanation: bilingualSchema,
  /** Whether it suits the device: something that was ever held there is what `applies` of the template says. */
  applies: z.boolean(),
  spots: z.array(hotSpotSchema),
})
export type HotSpotTemplate = z.infer<typeof hotSpotTemplateSchema>

export const hotSpotMethods = {
  /** Every template with what its spots weigh; the first that applies suits the capture best. */
  'flame.spots': { input: z.object(flameQuestion), output: z.object({ templates: z.array(hotSpotTemplateSchema) }) },
} as const
