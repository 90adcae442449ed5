// What held memory at the moment: by category, by stack, by age.
import { ok, type Result } from '../../../../preload/contract/errors.ts'
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import type { OpenCapture } from '../../open-capture.ts'
import type { CaptureMeasures, HeldStack } from '../capture-measures.ts'
import { ages } from '../moment-sums.ts'
import { categoryTerm, heldTerm, placeAt, stackTerm } from '../places.ts'
import { Reading } from '../reading.ts'
import { stepMemoryOf } from '../step-memory.ts'
import { byTitle, sumOf } from './by-title.ts'

type Held = NonNullable<DiagnosisPage['held']>

const maxStacks = 20
const bytesOf = (group: readonly HeldStack[]): number => sumOf(group, ({ bytes }) => bytes)
/** Categories are asked for one by one; so many tell which a stack mostly has. */
const maxAllocations = 100_000

/** Errors: as the store. */
export async function heldOf(capture: OpenCapture, measures: CaptureMeasures): Promise<Result<Held>> {
  const groups = byTitle(measures.stacks)
    .sort((a, b) => bytesOf(b) - bytesOf(a))
    .slice(0, maxStacks)
  const categoryOf = await categoriesOfStacks(capture, measures, groups.flat())
  if (!categoryOf.ok) return categoryOf
  const place = (term: string) => placeAt(measures, 'allocations', `${term} ${heldTerm(measures)}`)
  return ok({
    categories: measures.categories.map((sum) => ({ ...sum, place: place(categoryTerm(sum.category)) })),
    stacks: groups.flatMap((group) => {
      const [first] = group
      if (!first) return []
      const { stackId, title } = first
      const term = stackTerm({ stackIds: group.map((stack) => stack.stackId), title })
      const category = categoryOf.value.get(stackId) ?? 'unknown'
      return [{ stackId, title, category, bytes: bytesOf(group), count: sumOf(group, ({ count }) => count), place: place(term) }]
    }),
    lossBytes: stepMemoryOf(measures)?.loss.bytes ?? null,
    ages: ages.map((age) => ({ age, bytes: measures.ages[age] })),
  })
}

/** The category that holds most of a stack's memory; of a row, that of its largest stack is told. */
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
