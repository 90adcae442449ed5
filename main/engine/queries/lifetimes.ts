// Questions of the lifetime heat map.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { engineMethods, type LifetimeBars, type LifetimeSpace, lifetimeSpaceSchema } from '../../../preload/contract/queries.ts'
import type { SqlParameter } from '../index-store.ts'
import type { NativeBatch } from '../native-batch.ts'
import type { OpenCapture } from '../open-capture.ts'
import { readAllocation, readAllocations } from './allocation-rows.ts'
import { labelOf } from './frames.ts'
import { batchOf, jsonOf, viewportOf } from './native-answers.ts'
import type { CheckedInput, QueryHandler } from './query.ts'
import { numberOrNull } from './row.ts'

export const lifetimeSpace: QueryHandler<'lifetimes.space'> = async (capture, { device, order }) => {
  const answer = await jsonOf(capture, 'SELECT lifetime_space(?, ?) AS answer', [device, order])
  if (!answer.ok) return answer
  const space = lifetimeSpaceSchema.parse(answer.value)
  return order === 'stack' ? withTitles(capture, space) : ok(space)
}

async function withTitles(capture: OpenCapture, { y1, rows }: LifetimeSpace): Promise<Result<LifetimeSpace>> {
  const titles = await capture.titles.of(rows.map(({ stackId = -1 }) => stackId))
  return titles.ok ? ok({ y1, rows: rows.map((row) => ({ ...row, ...titles.value(row.stackId ?? -1) })) }) : titles
}

const rasterMetaSchema = z.object({
  max: z.number(),
  shown: z.number(),
  folded: z.number(),
  folded_bytes: z.number(),
  mean_columns: z.number(),
})

export const lifetimeRaster: QueryHandler<'lifetimes.raster'> = async (capture, input) => {
  const { rows, order, y0, y1, measure, scale, filter } = input
  const parameters = [...viewportOf(input), rows, order, y0, y1, measure, scale, filter]
  const found = await batchOf(capture, 'SELECT lifetime_raster(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', parameters)
  if (!found.ok) return found
  const batch = found.value
  const meta = rasterMetaSchema.parse(batch.json('meta'))
  return ok({
    columns: input.columns,
    rows,
    cells: batch.u8('cells'),
    columnTotal: batch.f64('column_total'),
    max: meta.max,
    shown: meta.shown,
    folded: meta.folded,
    foldedBytes: meta.folded_bytes,
    meanColumns: meta.mean_columns,
  })
}

/** The arguments that name a rectangle. */
const rectangleOf = ({
  device,
  axis,
  x0,
  x1,
  order,
  y0,
  y1,
  filter,
}: CheckedInput<'lifetimes.list'> | CheckedInput<'lifetimes.bars'>): SqlParameter[] => [device, axis, x0, x1, order, y0, y1, filter]

const barsMetaSchema = z.object({ count: z.number(), bars: z.number() })

export const lifetimeBars: QueryHandler<'lifetimes.bars'> = async (capture, input) => {
  const found = await batchOf(capture, 'SELECT lifetime_bars(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    ...rectangleOf(input),
    input.limit,
    input.colorBy,
  ])
  if (!found.ok) return found
  const meta = barsMetaSchema.parse(found.value.json('meta'))
  const bars = meta.bars === 1 ? await barsOf(capture, found.value) : ok(null)
  return bars.ok ? ok({ count: meta.count, bars: bars.value }) : bars
}

async function barsOf(capture: OpenCapture, batch: NativeBatch): Promise<Result<LifetimeBars['bars']>> {
  const stacks = batch.f64('stack')
  const titles = await capture.titles.of(stacks)
  if (!titles.ok) return titles
  return ok({
    allocation: batch.f64('allocation'),
    start: batch.f64('start'),
    freeRequested: batch.f64('free_requested'),
    freeCompleted: batch.f64('free_completed'),
    y0: batch.f64('y0'),
    y1: batch.f64('y1'),
    bytes: batch.f64('bytes'),
    slot: batch.f64('slot'),
    titles: Array.from(stacks, (stackId) => labelOf(titles.value(stackId))),
  })
}

const listSchema = z.object({
  count: z.number(),
  bytes: z.number(),
  meanBytes: z.number(),
  temporary: z.number(),
  neverFreed: z.number(),
  rows: z.array(z.object({ allocationId: z.number(), area: z.number(), life: z.number() })),
})

export const lifetimeList: QueryHandler<'lifetimes.list'> = async (capture, input) => {
  const { sort, limit, offset } = input
  const sql = 'SELECT lifetime_list(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS answer'
  const answer = await jsonOf(capture, sql, [...rectangleOf(input), sort, limit, offset])
  if (!answer.ok) return answer
  const list = listSchema.parse(answer.value)
  const allocations = await readAllocations(
    capture,
    list.rows.map(({ allocationId }) => allocationId),
  )
  if (!allocations.ok) return allocations
  const byId = new Map(allocations.value.map((row) => [row.allocationId, row]))
  const rows = list.rows.flatMap((row) => {
    const allocation = byId.get(row.allocationId)
    return allocation ? [{ ...allocation, ...row }] : []
  })
  return ok({ ...list, rows })
}

export const lifetimePick: QueryHandler<'lifetimes.pick'> = async (capture, { device, axis, order, x, y, filter }) => {
  const sql = 'SELECT lifetime_pick(?, ?, ?, ?, ?, ?) AS allocation_id'
  const picked = await capture.store.get(sql, [device, axis, order, x, y, filter])
  if (!picked.ok) return picked
  const allocationId = picked.value ? numberOrNull(picked.value, 'allocation_id') : null
  return allocationId === null ? ok({ allocation: null }) : readAllocation(capture, allocationId)
}

export const lifetimePlace: QueryHandler<'lifetimes.place'> = async (capture, { device, axis, order, allocationId }) => {
  const answer = await jsonOf(capture, 'SELECT lifetime_place(?, ?, ?, ?) AS answer', [device, axis, order, allocationId])
  return answer.ok ? ok(engineMethods['lifetimes.place'].output.parse(answer.value)) : answer
}
