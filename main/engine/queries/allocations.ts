// Finding allocations: those alive after an event, and one by what a user types.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SqlParameter } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { checkFilter, type RowCondition, rowCondition } from './allocation-filter.ts'
import { allocationColumns, findAllocation, toAllocations } from './allocation-rows.ts'
import type { CheckedInput, QueryHandler } from './query.ts'
import { numberOf } from './row.ts'

type LiveInput = CheckedInput<'allocation.live'>

const sortColumns: Record<Exclude<LiveInput['sort'], 'title'>, string> = {
  sizeBytes: 'size_bytes',
  requestedBytes: 'requested_bytes',
  allocEvent: 'alloc_event',
  address: 'address',
}

export const liveAllocations: QueryHandler<'allocation.live'> = async (capture, input) => {
  const sound = await checkFilter(capture.store, input.device, input.filter)
  if (!sound.ok) return sound
  const condition = rowCondition(input.filter)
  const { sql, parameters } = condition
  const totals = await capture.store.get(
    `SELECT count(*) FILTER (WHERE passes) AS total, coalesce(sum(size_bytes) FILTER (WHERE passes), 0) AS bytes,
       count(*) AS alive, coalesce(sum(size_bytes), 0) AS alive_bytes
     FROM (SELECT size_bytes, ${sql} AS passes FROM live_allocation(?, ?))`,
    [...parameters, input.device, input.event],
  )
  if (!totals.ok) return totals
  const rows = await (input.sort === 'title'
    ? liveByTitle(capture, input, condition)
    : liveByColumn(capture, input, sortColumns[input.sort], condition))
  if (!rows.ok) return rows
  const sum = (name: string): number => (totals.value ? numberOf(totals.value, name) : 0)
  return ok({ rows: rows.value, total: sum('total'), totalBytes: sum('bytes'), aliveCount: sum('alive'), aliveBytes: sum('alive_bytes') })
}

const direction = ({ descending }: LiveInput): string => (descending ? 'DESC' : 'ASC')

function liveByColumn(capture: OpenCapture, input: LiveInput, column: string, { sql, parameters }: RowCondition) {
  const order = `${column} ${direction(input)}, allocation_id`
  const select = `SELECT ${allocationColumns} FROM live_allocation(?, ?) WHERE ${sql} ORDER BY ${order}`
  return page(capture, select, [input.device, input.event, ...parameters], input)
}

/** Titles exist only here, so the stacks alive are ranked by title first. */
async function liveByTitle(capture: OpenCapture, input: LiveInput, { sql, parameters }: RowCondition) {
  const alive = await capture.store.all('SELECT DISTINCT coalesce(stack_id, -1) AS stack_id FROM live_allocation(?, ?)', [
    input.device,
    input.event,
  ])
  if (!alive.ok) return alive
  const stackIds = alive.value.map((row) => numberOf(row, 'stack_id'))
  const titles = await capture.titles.of(stackIds)
  if (!titles.ok) return titles
  const key = (stackId: number) => `${titles.value(stackId).title}\0${titles.value(stackId).place}`
  const byTitle = stackIds.map((stackId) => ({ stackId, key: key(stackId) })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return page(
    capture,
    `WITH ranked(ranked_id, place) AS MATERIALIZED (SELECT value, key FROM json_each(?))
     SELECT ${allocationColumns} FROM live_allocation(?, ?) JOIN ranked ON ranked_id = coalesce(stack_id, -1) WHERE ${sql}
     ORDER BY place ${direction(input)}, allocation_id`,
    [JSON.stringify(byTitle.map((each) => each.stackId)), input.device, input.event, ...parameters],
    input,
  )
}

async function page(capture: OpenCapture, sql: string, parameters: readonly SqlParameter[], { offset, limit }: LiveInput) {
  const rows = await capture.store.all(`${sql} LIMIT ? OFFSET ?`, [...parameters, limit, offset])
  return rows.ok ? toAllocations(capture, rows.value) : rows
}

const namePattern = /^b?(?:0x)?([0-9a-f]+)_(\d+)$/i
const addressPattern = /^b?0x([0-9a-f]+)$/i
const idPattern = /^#?(\d+)$/

/**
 * Understands `b7f…_3` and `0x7f…_3` (the third use after the first of an address), `0x7f…` (its last use) and an allocation id, with or
 * without `#`.
 */
export const findAllocationByText: QueryHandler<'allocation.find'> = (capture, { device, text }) => {
  const wanted = text.trim()
  const name = namePattern.exec(wanted)
  if (name) return findAllocation(capture, 'device = ? AND address = ? AND version = ?', [device, `0x${lower(name[1])}`, Number(name[2])])
  const address = addressPattern.exec(wanted)
  if (address) return findAllocation(capture, 'device = ? AND address = ? ORDER BY version DESC', [device, `0x${lower(address[1])}`])
  const id = idPattern.exec(wanted)
  if (id) return findAllocation(capture, 'device = ? AND allocation_id = ?', [device, Number(id[1])])
  return Promise.resolve<Result<{ allocation: null }>>(ok({ allocation: null }))
}

/** Addresses in the index are lower-case without leading zeros. */
const lower = (digits = ''): string => digits.toLowerCase().replace(/^0+(?=.)/, '')
