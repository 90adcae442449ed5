// Questions of the timeline view. The native library answers per pixel column; here its batches become the contract's objects.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { EngineOutput } from '../../../preload/contract/queries.ts'
import type { NativeBatch } from '../native-batch.ts'
import type { OpenCapture } from '../open-capture.ts'
import { readAllocation } from './allocation-rows.ts'
import { labelOf } from './frames.ts'
import { batchOf, curveOf, frameOf, viewportOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, numberOrNull, textOf } from './row.ts'

export const timelineCurves: QueryHandler<'timeline.curves'> = async (capture, input) => {
  const found = await batchOf(capture, 'SELECT timeline_curves(?, ?, ?, ?, ?)', viewportOf(input))
  if (!found.ok) return found
  const batch = found.value
  return ok({
    ...frameOf(batch),
    allocated: curveOf(batch, 'allocated'),
    active: curveOf(batch, 'active'),
    reserved: curveOf(batch, 'reserved'),
    requested: curveOf(batch, 'requested'),
  })
}

const rasterMetaSchema = z.object({ shown: z.number(), folded: z.number(), folded_bytes: z.number() })

export const timelineRaster: QueryHandler<'timeline.raster'> = async (capture, input) => {
  const parameters = [...viewportOf(input), input.rows, input.y0, input.y1, input.colorBy, input.filter]
  const found = await batchOf(capture, 'SELECT timeline_raster(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', parameters)
  if (!found.ok) return found
  const batch = found.value
  const meta = rasterMetaSchema.parse(batch.json('meta'))
  const labels = await labelsOf(capture, batch)
  if (!labels.ok) return labels
  return ok({
    columns: input.columns,
    rows: input.rows,
    cells: batch.u8('cells'),
    labels: labels.value,
    shown: meta.shown,
    folded: meta.folded,
    foldedBytes: meta.folded_bytes,
  })
}

async function labelsOf(capture: OpenCapture, batch: NativeBatch): Promise<Result<EngineOutput<'timeline.raster'>['labels']>> {
  const stacks = batch.f64('label_stack')
  const titles = await capture.titles.of(stacks)
  if (!titles.ok) return titles
  const heldBefore = await heldBeforeOf(capture, batch)
  if (!heldBefore.ok) return heldBefore
  const at = (name: string, index: number) => batch.f64(name)[index] ?? Number.NaN
  const labels = Array.from(stacks, (stackId, index) => ({
    allocationId: at('label_allocation', index),
    column0: at('label_column0', index),
    column1: at('label_column1', index),
    y0Bytes: at('label_y0', index),
    bytes: at('label_bytes', index),
    title: labelOf(titles.value(stackId)),
    isHeldBefore: heldBefore.value.has(at('label_allocation', index)),
  }))
  return ok(labels)
}

/** Of the bands with names, what a trace held before its first event: the unattributed floor, and what was freed later. */
async function heldBeforeOf(capture: OpenCapture, batch: NativeBatch): Promise<Result<ReadonlySet<number>>> {
  const stacks = batch.f64('label_stack')
  const nameless = [...new Set(batch.f64('label_allocation').filter((_, index) => (stacks[index] ?? 0) < 0))]
  if (capture.summary.kind !== 'chrome_trace' || nameless.length === 0) return ok(new Set())
  const rows = await capture.store.all(
    `SELECT allocation_id FROM json_each(?) AS wanted CROSS JOIN allocation ON allocation_id = wanted.value WHERE alloc_event IS NULL`,
    [JSON.stringify(nameless)],
  )
  return rows.ok ? ok(new Set(rows.value.map((row) => numberOf(row, 'allocation_id')))) : rows
}

export const timelineOutline: QueryHandler<'timeline.outline'> = async (capture, input) => {
  const found = await batchOf(capture, 'SELECT timeline_outline(?, ?, ?, ?, ?, ?)', [...viewportOf(input), input.allocationId])
  return found.ok ? ok({ y0: found.value.f64('y0'), repEvent: found.value.f64('rep_event') }) : found
}

export const timelinePick: QueryHandler<'timeline.pick'> = async (capture, { device, event, bytes }) => {
  const picked = await capture.store.get('SELECT timeline_pick(?, ?, ?) AS allocation_id', [device, event, bytes])
  if (!picked.ok) return picked
  const allocationId = picked.value ? numberOrNull(picked.value, 'allocation_id') : null
  return allocationId === null ? ok({ allocation: null }) : readAllocation(capture, allocationId)
}

/** More spans than this are not drawn one by one anyway; the answer says how many there are. */
const maxSpans = 20_000

export const timelineAnnotations: QueryHandler<'timeline.annotations'> = async (capture, { device }) => {
  const counted = await capture.store.get('SELECT count(*) AS total FROM annotation WHERE device = ?', [device])
  if (!counted.ok) return counted
  // The longest are kept: short ones would fall below a pixel first. A lost start counts as the capture's, a lost end as never.
  const rows = await capture.store.all(
    `WITH span AS (SELECT device, ${cutText('name')} AS name, coalesce(start_ns, 0) AS start_ns, end_ns, coalesce(end_ns, ?) AS known_end FROM annotation WHERE device = ?)
     SELECT name, start_ns, end_ns, event_at_time(device, start_ns) AS start_event, event_at_time(device, known_end) AS end_event
     FROM (SELECT * FROM span ORDER BY known_end - start_ns DESC LIMIT ?) ORDER BY start_ns, known_end DESC`,
    [Number.MAX_SAFE_INTEGER, device, maxSpans],
  )
  if (!rows.ok) return rows
  const spans = rows.value.map((row) => ({
    name: textOf(row, 'name'),
    startNs: numberOf(row, 'start_ns'),
    endNs: numberOrNull(row, 'end_ns'),
    startEvent: numberOf(row, 'start_event'),
    endEvent: numberOf(row, 'end_event'),
  }))
  return ok({ spans, total: counted.value ? numberOf(counted.value, 'total') : 0 })
}

export const timelineEventAt: QueryHandler<'timeline.eventAt'> = async (capture, { device, timeNs }) => {
  const row = await capture.store.get('SELECT event_at_time(?, ?) AS event', [device, timeNs])
  if (!row.ok) return row
  return ok({ event: row.value ? numberOf(row.value, 'event') : -1 })
}

export const timelineTimeOf: QueryHandler<'timeline.timeOf'> = async (capture, { device, event }) => {
  const row = await capture.store.get('SELECT time_ns FROM event WHERE device = ? AND event = ?', [device, event])
  if (!row.ok) return row
  return ok({ timeNs: row.value ? numberOrNull(row.value, 'time_ns') : null })
}
