// What held memory at the moment: by category, by stack, by age.
import { ok, type Result } from '../../../../preload/contract/errors.ts'
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import type { OpenCapture } from '../../open-capture.ts'
import type { CaptureMeasures, HeldStack } from '../capture-measures.ts'
import { ages } from '../moment-sums.ts'
import { categoryTerm, heldTerm, stackTerm } from '../places.ts'
import { Reading } from '../reading.ts'

type Held = NonNullable<DiagnosisPage['held']>

const maxStacks = 20
/** Categories are asked for one by one; so many tell which a stack mostly has. */
const maxAllocations = 100_000

/** Errors: as the store. */
export async function heldOf(capture: OpenCapture, measures: CaptureMeasures): Promise<Result<Held>> {
  const { device, event } = measures
  const stacks = measures.stacks.slice(0, maxStacks)
  const categoryOf = await categoriesOfStacks(capture, measures, stacks)
  if (!categoryOf.ok) return categoryOf
  const place = (term: string) => ({ view: 'allocations' as const, device, event, filter: `${term} ${heldTerm(measures)}`.trim() })
  return ok({
    categories: measures.categories.map((sum) => ({ ...sum, place: place(categoryTerm(sum.category)) })),
    stacks: stacks.map((stack) => ({
      stackId: stack.stackId,
      title: stack.title,
      category: categoryOf.value.get(stack.stackId) ?? 'unknown',
      bytes: stack.bytes,
      count: stack.count,
      place: place(stackTerm(stack)),
    })),
    ages: ages.map((age) => ({ age, bytes: measures.ages[age] })),
  })
}

/** The category that holds most of a stack's memory. */
async function categoriesOfStacks(
  capture: OpenCapture,
  { device, event }: CaptureMeasures,
  stacks: readonly HeldStack[],
): Promise<Result<ReadonlyMap<number, string>>> {
  const reading = new Reading(capture.store)
  const rows = await reading.rows(
    `SELECT coalesce(stack_id, -1) AS stack, category_of(device, allocation_id) AS category, sum(size_bytes) AS bytes FROM (SELECT * FROM live_allocation(?1, ?2) LIMIT ${maxAllocations})
      WHERE coalesce(stack_id, -1) IN (SELECT value FROM json_each(?3)) GROUP BY 1, 2 ORDER BY 3`,
    [device, event, JSON.stringify(stacks.map(({ stackId }) => stackId))],
  )
  // The largest comes last and stays.
  return reading.answer(() => new Map(rows.map((row) => [Number(row.stack), String(row.category)])))
}
