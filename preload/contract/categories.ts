// What allocations are for: their category, and the rule that says so. See resources/categories/README.md.
import { z } from 'zod'
import { captureId, device, event } from './parts.ts'

/** In the order of their color slots 1 … 10. */
export const categoryNames = [
  'parameter',
  'gradient',
  'optimizer_state',
  'activation',
  'temporary',
  'input',
  'kv_cache',
  'autograd_detail',
  'workspace',
  'unknown',
] as const
export const categorySchema = z.enum(categoryNames)
export type Category = z.infer<typeof categorySchema>

/** The same in both languages. */
export const bilingualSchema = z.object({ en: z.string(), 'zh-CN': z.string() })

export const categoryRuleSchema = z.object({ id: z.string(), title: bilingualSchema, why: bilingualSchema })
export type CategoryRule = z.infer<typeof categoryRuleSchema>

/** rule: null where no rule matched, and the category is unknown. confidence: 0 … 1, how sure a match of the rule is. */
export const allocationCategorySchema = z.object({
  category: categorySchema,
  rule: categoryRuleSchema.nullable(),
  confidence: z.number(),
})
export type AllocationCategory = z.infer<typeof allocationCategorySchema>

// bytes: rounded; they add up to the allocated bytes. requestedBytes: asked for, which is what a model's shape tells.
const sum = { bytes: z.number(), requestedBytes: z.number(), count: z.number() }

export const categoryTotalsSchema = z.object({
  categories: z.array(
    z.object({
      category: categorySchema,
      ...sum,
      rules: z.array(z.object({ rule: z.string().nullable(), confidence: z.number(), ...sum })),
    }),
  ),
  rules: z.array(categoryRuleSchema), // those that `categories` names
})
export type CategoryTotals = z.infer<typeof categoryTotalsSchema>

/** False where nothing is known of what the memory is for, as in a capture without stacks. */
export const isTold = (held: readonly { readonly category: string }[]): boolean => held.some(({ category }) => category !== 'unknown')

export const categoryMethods = {
  /** What each category holds after an event; −1 = before the first. */
  'categories.totals': { input: z.object({ captureId, device, event }), output: categoryTotalsSchema },
} as const
