// Questions of the fragmentation panel: how the memory after an event is shared out, and how that went over time.
import { z } from 'zod'
import { ok } from '../../../preload/contract/errors.ts'
import { spaceReportSchema } from '../../../preload/contract/queries.ts'
import { batchOf, curveOf, frameOf, jsonOf, viewportOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'

const pinSchema = spaceReportSchema.shape.pins.element
const nativePinSchema = pinSchema.extend({ holders: z.array(pinSchema.shape.holders.element.omit({ title: true, place: true })) })
const nativeReportSchema = spaceReportSchema.extend({ pins: z.array(nativePinSchema) })

export const spaceReport: QueryHandler<'space.report'> = async (capture, { device, event }) => {
  const answer = await jsonOf(capture, 'SELECT space_report(?, ?) AS answer', [device, event])
  if (!answer.ok) return answer
  const report = nativeReportSchema.parse(answer.value)
  const titles = await capture.titles.of(report.pins.flatMap((pin) => pin.holders.map(({ stackId }) => stackId)))
  if (!titles.ok) return titles
  const pins = report.pins.map((pin) => ({
    ...pin,
    holders: pin.holders.map((holder) => ({ ...holder, ...titles.value(holder.stackId) })),
  }))
  return ok({ ...report, pins })
}

export const spaceCurves: QueryHandler<'space.curves'> = async (capture, input) => {
  const found = await batchOf(capture, 'SELECT space_curves(?, ?, ?, ?, ?)', viewportOf(input))
  if (!found.ok) return found
  const batch = found.value
  return ok({
    ...frameOf(batch),
    reserved: curveOf(batch, 'reserved'),
    active: curveOf(batch, 'active'),
    allocated: curveOf(batch, 'allocated'),
    requested: curveOf(batch, 'requested'),
    inactiveSplit: curveOf(batch, 'inactive_split'),
    largestFree: curveOf(batch, 'largest_free'),
    returnable: curveOf(batch, 'returnable'),
    freeBlocks: curveOf(batch, 'free_blocks'),
  })
}
