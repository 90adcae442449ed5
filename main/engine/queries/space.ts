// Questions of the fragmentation panel: how the memory after an event is shared out, and how that went over time.
import { z } from 'zod'
import { ok } from '../../../preload/contract/errors.ts'
import { spaceReportSchema } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { batchOf, curveOf, frameOf, jsonOf, viewportOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { numberOf, textOf } from './row.ts'

const pinSchema = spaceReportSchema.shape.pins.element
const nativePinSchema = pinSchema.extend({ holders: z.array(pinSchema.shape.holders.element.omit({ title: true, place: true })) })
const nativeReportSchema = spaceReportSchema.extend({ pins: z.array(nativePinSchema) })
type NativePin = z.infer<typeof nativePinSchema>

export const spaceReport: QueryHandler<'space.report'> = async (capture, { device, event }) => {
  const answer = await jsonOf(capture, 'SELECT space_report(?, ?) AS answer', [device, event])
  if (!answer.ok) return answer
  const report = nativeReportSchema.parse(answer.value)
  const stacks = await stacksOfPins(capture, device, event, report.pins)
  if (!stacks.ok) return stacks
  const ids = report.pins.flatMap((pin) => pin.holders.map(({ stackId }) => stackId))
  const titles = await capture.titles.of([...ids, ...stacks.value.map(({ stackId }) => stackId)])
  if (!titles.ok) return titles
  const pins = report.pins.map((pin) => ({
    ...pin,
    holders: pin.holders.map((holder) => ({ ...holder, ...titles.value(holder.stackId) })),
    ...(isWhole(pin)
      ? {}
      : {
          stacks: stacks.value
            .filter(({ segmentAddress }) => segmentAddress === pin.segmentAddress)
            .map(({ segmentAddress: _, ...stack }) => ({ ...stack, ...titles.value(stack.stackId) })),
        }),
  }))
  return ok({ ...report, pins })
}

const isWhole = ({ holders, activeCount }: NativePin): boolean => holders.length >= activeCount

/** The active blocks of segments by stack, for those of which the report tells only the largest. max() takes the other columns from its row. */
async function stacksOfPins(capture: OpenCapture, device: number, event: number, pins: readonly NativePin[]) {
  const addresses = pins.filter((pin) => !isWhole(pin)).map(({ segmentAddress }) => segmentAddress)
  if (addresses.length === 0) return ok([])
  const rows = await capture.store.all(
    `SELECT segment_address, coalesce(stack_id, -1) AS stack_id, count(*) AS blocks, sum(size_bytes) AS bytes, allocation_id, max(size_bytes)
      FROM block_map(?1, ?2) WHERE state <> 'inactive' AND segment_address IN (SELECT value FROM json_each(?3))
      GROUP BY 1, 2 ORDER BY bytes DESC, stack_id`,
    [device, event, JSON.stringify(addresses)],
  )
  if (!rows.ok) return rows
  return ok(
    rows.value.map((row) => ({
      segmentAddress: textOf(row, 'segment_address'),
      stackId: numberOf(row, 'stack_id'),
      count: numberOf(row, 'blocks'),
      bytes: numberOf(row, 'bytes'),
      allocationId: numberOf(row, 'allocation_id'),
    })),
  )
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
