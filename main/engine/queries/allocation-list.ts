// The table of all allocations: pages of the list that the native library sorts and keeps.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SqlParameter } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { readAllocations } from './allocation-rows.ts'
import { jsonOf } from './native-answers.ts'
import type { CheckedInput, QueryHandler } from './query.ts'
import { numberOf, numberOrNull } from './row.ts'

const ranked = new WeakMap<OpenCapture, Promise<Result<string>>>()

async function rank(capture: OpenCapture): Promise<Result<string>> {
  const rows = await capture.store.all('SELECT stack_id FROM stack', [])
  if (!rows.ok) return rows
  const stackIds = rows.value.map((row) => numberOf(row, 'stack_id'))
  const titles = await capture.titles.of(stackIds)
  if (!titles.ok) return titles
  const key = (stackId: number) => `${titles.value(stackId).title}\0${titles.value(stackId).place}`
  const titled = stackIds.filter((stackId) => titles.value(stackId).title !== '')
  const byTitle = titled.map((stackId) => ({ stackId, key: key(stackId) })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return ok(JSON.stringify(byTitle.map(({ stackId }) => stackId)))
}

/** All stacks that have a title in the order of these, which only the engine knows; made once a capture. Errors: as the store. */
async function stacksByTitle(capture: OpenCapture): Promise<Result<string>> {
  const known = ranked.get(capture) ?? rank(capture)
  ranked.set(capture, known)
  const answer = await known
  if (!answer.ok) ranked.delete(capture)
  return answer
}

type Order = Omit<CheckedInput<'allocation.place'>, 'captureId' | 'allocationId'>

async function orderOf(capture: OpenCapture, { device, filter, sort, descending }: Order): Promise<Result<SqlParameter[]>> {
  const byTitle = sort === 'stack' ? await stacksByTitle(capture) : ok('')
  return byTitle.ok ? ok([device, filter, sort, descending ? 1 : 0, byTitle.value]) : byTitle
}

const listSchema = z.object({ count: z.number(), bytes: z.number(), rows: z.array(z.number()) })

export const allocationList: QueryHandler<'allocation.list'> = async (capture, input) => {
  const order = await orderOf(capture, input)
  if (!order.ok) return order
  const sql = 'SELECT allocation_list(?, ?, ?, ?, ?, ?, ?) AS answer'
  const answer = await jsonOf(capture, sql, [...order.value, input.limit, input.offset])
  if (!answer.ok) return answer
  const list = listSchema.parse(answer.value)
  const found = await readAllocations(capture, list.rows)
  if (!found.ok) return found
  const byId = new Map(found.value.map((row) => [row.allocationId, row]))
  return ok({ ...list, rows: list.rows.flatMap((id) => byId.get(id) ?? []) })
}

export const allocationPlace: QueryHandler<'allocation.place'> = async (capture, input) => {
  const order = await orderOf(capture, input)
  if (!order.ok) return order
  const row = await capture.store.get('SELECT allocation_list_place(?, ?, ?, ?, ?, ?) AS place', [...order.value, input.allocationId])
  if (!row.ok) return row
  return ok({ index: row.value ? numberOrNull(row.value, 'place') : null })
}
