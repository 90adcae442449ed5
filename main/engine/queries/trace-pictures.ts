// Pictures of a trace, an answer per pixel column: slices, counters, instants.
import { z } from 'zod'
import { ok } from '../../../preload/contract/errors.ts'
import { batchOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'

const rasterMetaSchema = z.object({ names: z.record(z.string(), z.string()), in_sight: z.number(), boxes_left_out: z.number() })

export const traceRaster: QueryHandler<'trace.raster'> = async (capture, { lanes, fromNs, toNs, columns, colorBy, names }) => {
  const filter = names === null ? '' : JSON.stringify({ names })
  const parameters = [JSON.stringify(lanes), fromNs, toNs, columns, colorBy, filter]
  const found = await batchOf(capture, 'SELECT trace_raster(?, ?, ?, ?, ?, ?)', parameters)
  if (!found.ok) return found
  const batch = found.value
  const meta = rasterMetaSchema.parse(batch.json('meta'))
  const name = batch.f64('box_name')
  return ok({
    columns,
    lanes: lanes.length,
    cells: batch.u8('cells'),
    fill: batch.u8('fill'),
    boxes: {
      lane: batch.f64('box_lane'),
      start: batch.f64('box_start'),
      dur: batch.f64('box_dur'),
      slice: batch.f64('box_slice'),
      name,
      slot: batch.f64('box_slot'),
      category: batch.f64('box_category'),
      unfinished: batch.f64('box_unfinished'),
      titles: Array.from(name, (nameId) => meta.names[nameId] ?? ''),
    },
    inSight: meta.in_sight,
    boxesLeftOut: meta.boxes_left_out,
  })
}

export const traceCounter: QueryHandler<'trace.counter'> = async (capture, { seriesId, fromNs, toNs, columns }) => {
  const found = await batchOf(capture, 'SELECT counter_curve(?, ?, ?, ?)', [seriesId, fromNs, toNs, columns])
  return found.ok ? ok({ min: found.value.f64('min'), max: found.value.f64('max'), last: found.value.f64('last') }) : found
}

export const traceCounterStack: QueryHandler<'trace.counterStack'> = async (capture, { seriesIds, fromNs, toNs, columns }) => {
  const found = await batchOf(capture, 'SELECT counter_stack(?, ?, ?, ?)', [JSON.stringify(seriesIds), fromNs, toNs, columns])
  return found.ok ? ok({ values: found.value.f64('value') }) : found
}

export const traceInstantMarks: QueryHandler<'trace.instantMarks'> = async (capture, { trackId, fromNs, toNs, columns }) => {
  const found = await batchOf(capture, 'SELECT instant_marks(?, ?, ?, ?)', [trackId, fromNs, toNs, columns])
  return found.ok ? ok({ count: found.value.f64('count'), first: found.value.f64('first') }) : found
}
