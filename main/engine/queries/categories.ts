// What allocations are for.
import { z } from 'zod'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { type AllocationCategory, type CategoryRule, categorySchema, categoryTotalsSchema } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { numberOf, textOrNull } from './row.ts'

export const categoryTotals: QueryHandler<'categories.totals'> = async (capture, { device, event }) => {
  const found = await jsonOf(capture, 'SELECT category_totals(?, ?) AS answer', [device, event])
  if (!found.ok) return found
  const categories = z.array(categoryTotalsSchema.shape.categories.element).parse(found.value)
  const ids = new Set(categories.flatMap(({ rules }) => rules.map(({ rule }) => rule)))
  return ok({ categories, rules: [...ids].flatMap((id) => ruleOf(capture, id) ?? []) })
}

const ruleOf = (capture: OpenCapture, id: string | null): CategoryRule | null =>
  id === null ? null : (capture.rules.rules.get(id) ?? null)

/** The category of an allocation, and why. Errors: those of the store, `query/bad_argument`. */
export async function categoryOf(capture: OpenCapture, device: number, allocationId: number): Promise<Result<AllocationCategory>> {
  const row = await capture.store.get('SELECT category, rule, confidence FROM allocation_category WHERE device = ? AND allocation_id = ?', [
    device,
    allocationId,
  ])
  if (!row.ok) return row
  if (!row.value) return fail('query/bad_argument', `There is no allocation ${allocationId}.`)
  return ok({
    category: categorySchema.parse(row.value.category),
    rule: ruleOf(capture, textOrNull(row.value, 'rule')),
    confidence: numberOf(row.value, 'confidence'),
  })
}
