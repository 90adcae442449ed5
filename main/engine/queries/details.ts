// Everything about one allocation: for the drawer.
import { z } from 'zod'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { AllocationDetails, AllocationRow, StackFrame } from '../../../preload/contract/queries.ts'
import type { SqlRow } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { findRow, toAllocations } from './allocation-rows.ts'
import { categoryOf } from './categories.ts'
import { classifyFrame } from './frames.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, numberOrNull, textOrNull } from './row.ts'
import { readFrames } from './stack-titles.ts'

const maxUses = 200

export const allocationDetails: QueryHandler<'allocation.details'> = async (capture, { allocationId }) => {
  const found = await findRow(capture.store, 'allocation_id = ?', [allocationId])
  if (!found.ok) return found
  const row = found.value
  if (!row) return fail('query/bad_argument', `There is no allocation ${allocationId}.`)
  const allocations = await toAllocations(capture, [row])
  if (!allocations.ok) return allocations
  const [allocation] = allocations.value
  if (!allocation) return fail('query/bad_argument', `There is no allocation ${allocationId}.`)
  return gather(capture, row, allocation)
}

async function gather(capture: OpenCapture, row: SqlRow, allocation: AllocationRow): Promise<Result<AllocationDetails>> {
  const device = numberOf(row, 'device')
  const frames = await framesOf(capture, allocation.stackId)
  if (!frames.ok) return frames
  const notes = await notesOf(capture, device, allocation.allocEvent)
  if (!notes.ok) return notes
  const uses = await usesOf(capture, device, allocation)
  if (!uses.ok) return uses
  const siblings = await siblingsOf(capture, device, allocation.stackId)
  if (!siblings.ok) return siblings
  const segmentBytes = await segmentBytesOf(capture, device, allocation.segmentAddress)
  if (!segmentBytes.ok) return segmentBytes
  const category = await categoryOf(capture, device, allocation.allocationId)
  if (!category.ok) return category
  return ok({
    ...allocation,
    device,
    state: stateOf(row, allocation),
    segmentBytes: segmentBytes.value,
    category: category.value,
    stackIsOfFree: numberOf(row, 'stack_is_of_free') === 1,
    frames: frames.value,
    ...notes.value,
    ...uses.value,
    ...siblings.value,
  })
}

/** A free may be pending whose request the file does not have. */
function stateOf(row: SqlRow, { freeRequestedEvent, freeCompletedEvent }: AllocationRow): AllocationDetails['state'] {
  if (freeCompletedEvent !== null) return 'freed'
  return freeRequestedEvent === null && numberOf(row, 'free_request_unseen') === 0 ? 'alive' : 'pending_free'
}

async function framesOf(capture: OpenCapture, stackId: number): Promise<Result<StackFrame[]>> {
  if (stackId < 0) return ok([])
  const frames = await readFrames(capture.store, [stackId])
  return frames.ok
    ? ok((frames.value.get(stackId) ?? []).map((frame) => ({ ...frame, kind: classifyFrame(frame, capture.summary.kind) })))
    : frames
}

interface Notes {
  readonly compileContext: string | null
  readonly userMetadata: string | null
}

async function notesOf(capture: OpenCapture, device: number, allocEvent: number | null): Promise<Result<Notes>> {
  if (allocEvent === null) return ok({ compileContext: null, userMetadata: null })
  const row = await capture.store.get(
    `SELECT ${cutText('compile_context')} AS compile_context, ${cutText('user_metadata')} AS user_metadata
     FROM event WHERE device = ? AND event = ?`,
    [device, allocEvent],
  )
  if (!row.ok) return row
  const note = (column: string) => (row.value ? textOrNull(row.value, column) || null : null)
  return ok({ compileContext: note('compile_context'), userMetadata: note('user_metadata') })
}

/** The lives of the same address, at most 200 around this one. */
async function usesOf(capture: OpenCapture, device: number, { address, version }: AllocationRow) {
  const counted = await capture.store.get(
    'SELECT count(*) AS total, coalesce(sum(version < ?), 0) AS before FROM allocation WHERE device = ? AND address = ?',
    [version, device, address],
  )
  if (!counted.ok) return counted
  const useCount = counted.value ? numberOf(counted.value, 'total') : 0
  const useIndex = counted.value ? numberOf(counted.value, 'before') : 0
  const offset = Math.max(0, Math.min(useIndex - maxUses / 2, useCount - maxUses))
  const rows = await capture.store.all(
    `SELECT allocation_id, alloc_event, free_requested_event FROM allocation WHERE device = ? AND address = ?
     ORDER BY version LIMIT ? OFFSET ?`,
    [device, address, maxUses, offset],
  )
  if (!rows.ok) return rows
  const uses = rows.value.map((row) => ({
    allocationId: numberOf(row, 'allocation_id'),
    allocEvent: numberOrNull(row, 'alloc_event'),
    freeEvent: numberOrNull(row, 'free_requested_event'),
  }))
  return ok({ uses, useCount, useIndex })
}

interface Siblings {
  readonly sameStackCount: number
  readonly sameStackMedianNs: number | null
}

const siblingsSchema = z.object({ count: z.number(), medianLifetimeNs: z.number().nullable() })

/** How many allocations of the device came from the same stack, and the median lifetime of those whose lifetime is known. */
async function siblingsOf(capture: OpenCapture, device: number, stackId: number): Promise<Result<Siblings>> {
  if (stackId < 0) return ok({ sameStackCount: 0, sameStackMedianNs: null })
  const answer = await jsonOf(capture, 'SELECT same_stack(?, ?) AS answer', [device, stackId])
  if (!answer.ok) return answer
  const { count, medianLifetimeNs } = siblingsSchema.parse(answer.value)
  return ok({ sameStackCount: count, sameStackMedianNs: medianLifetimeNs })
}

async function segmentBytesOf(capture: OpenCapture, device: number, address: string | null): Promise<Result<number | null>> {
  if (address === null) return ok(null)
  const row = await capture.store.get('SELECT total_bytes FROM segment WHERE device = ? AND address = ?', [device, address])
  if (!row.ok) return row
  return ok(row.value ? numberOf(row.value, 'total_bytes') : null)
}
