// What a trace knows of an allocation: the op that made it, what encloses that, and what it launched on the GPU.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { JoinedOp, NamedSlice, SliceRow } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { jsonOf } from './native-answers.ts'
import { cutText, numberOf, numberOrNull, textOrNull } from './row.ts'
import { isOp } from './trace-frames.ts'
import { rangesInTime } from './trace-lanes.ts'
import { sliceLinksSchema } from './trace-links.ts'
import { readSlices } from './trace-slices.ts'

const maxKernels = 10
/** Slices inside an op beyond this are not looked through. */
const maxInside = 200_000

/** Errors: as the store. */
export async function joinedOp(trace: OpenCapture, allocationId: number): Promise<Result<JoinedOp>> {
  const row = await trace.store.get(
    `SELECT ${cutText('op')} AS op, slice_id, device, alloc_time_ns FROM trace_allocation WHERE allocation_id = ?`,
    [allocationId],
  )
  if (!row.ok) return row
  const name = row.value ? (textOrNull(row.value, 'op') ?? '') : ''
  const sliceId = row.value ? numberOrNull(row.value, 'slice_id') : null
  const timeNs = row.value ? numberOrNull(row.value, 'alloc_time_ns') : null
  const chain = await chainOf(trace, sliceId)
  if (!chain.ok) return chain
  const around = await annotationsAround(trace, chain.value, row.value ? numberOf(row.value, 'device') : 0, timeNs)
  if (!around.ok) return around
  const named = chain.value.find((each) => isOpSlice(each) && each.name === name)
  const slices = await readSlices(
    trace,
    [sliceId, named?.sliceId ?? null].flatMap((id) => (id === null ? [] : [id])),
  )
  if (!slices.ok) return slices
  const op = slices.value.find((each) => each.sliceId === named?.sliceId) ?? null
  const kernels = op ? await kernelsOf(trace, op) : ok({ kernels: [], kernelCount: 0 })
  if (!kernels.ok) return kernels
  const innermost = slices.value.find((each) => each.sliceId === sliceId) ?? null
  return ok({ name, op, innermost, ...around.value, ...kernels.value })
}

const isOpSlice = ({ category, name }: NamedSlice): boolean => isOp({ filename: category, name, line: 0 })

/** A slice and what encloses it, innermost first. Errors: as the store. */
async function chainOf(trace: OpenCapture, sliceId: number | null): Promise<Result<NamedSlice[]>> {
  if (sliceId === null) return ok([])
  const own = await readSlices(trace, [sliceId])
  if (!own.ok) return own
  const answer = await jsonOf(trace, 'SELECT slice_links(?) AS answer', [sliceId])
  if (!answer.ok) return answer
  const { ancestors } = sliceLinksSchema.parse(answer.value)
  return ok([...own.value.map(({ sliceId: id, name, category }) => ({ sliceId: id, name, category })), ...ancestors])
}

const isAnnotation = ({ category }: NamedSlice): boolean => category === 'user_annotation'
const isStep = (slice: NamedSlice): boolean => isAnnotation(slice) && slice.name.startsWith('ProfilerStep#')

type Around = Pick<JoinedOp, 'annotations' | 'step'>

const aroundIn = (chain: readonly NamedSlice[]): Around => ({
  annotations: chain.filter((each) => isAnnotation(each) && !isStep(each)),
  step: chain.find(isStep) ?? null,
})

/**
 * Annotations in the chain; where no step is among them (the thread of the backward pass has none of its own), also those of the thread whose step
 * runs at that time. Errors: as the store.
 */
async function annotationsAround(
  trace: OpenCapture,
  chain: readonly NamedSlice[],
  device: number,
  timeNs: number | null,
): Promise<Result<Around>> {
  const own = aroundIn(chain)
  if (own.step || timeNs === null) return ok(own)
  const row = await trace.store.get(
    `SELECT slice_at(thread, ?2, 'user_annotation') AS slice_id FROM annotation
     WHERE device = ?1 AND kind = 'step' AND start_ns <= ?2 AND end_ns >= ?2 LIMIT 1`,
    [device, timeNs],
  )
  if (!row.ok) return row
  const there = await chainOf(trace, row.value ? numberOrNull(row.value, 'slice_id') : null)
  if (!there.ok) return there
  const further = aroundIn(there.value)
  return ok({ annotations: [...own.annotations, ...further.annotations], step: further.step })
}

/** GPU slices at the other end of flows from what ran inside the op on its thread. Errors: as the store. */
async function kernelsOf(trace: OpenCapture, op: SliceRow): Promise<Result<Pick<JoinedOp, 'kernels' | 'kernelCount'>>> {
  const lanes = await trace.lanes()
  if (!lanes.ok) return lanes
  const endNs = op.startNs + op.durNs
  const inTrack = lanes.value.lanesOf([op.trackId]).map((laneId) => lanes.value.slicesOf(laneId))
  const ranges = await rangesInTime(trace.store, inTrack, op.startNs, endNs + 1)
  if (!ranges.ok) return ranges
  if (ranges.value.reduce((sum, { from, to }) => sum + to - from, 0) > maxInside) return ok({ kernels: [], kernelCount: null })
  const found = await trace.store.all(
    `SELECT gpu.slice_id AS slice_id, min(call.start_ns) AS launched_ns FROM json_each(?1) AS stretch
     CROSS JOIN slice AS call ON call.slice_id >= stretch.value ->> 0 AND call.slice_id < stretch.value ->> 1
     CROSS JOIN flow ON flow.from_slice = call.slice_id CROSS JOIN slice AS gpu ON gpu.slice_id = flow.to_slice
     WHERE call.start_ns >= ?2 AND call.start_ns + call.dur_ns <= ?3
       AND gpu.category IN (SELECT name FROM trace_category WHERE kind = 'gpu')
     GROUP BY gpu.slice_id ORDER BY launched_ns, gpu.slice_id`,
    [JSON.stringify(ranges.value.map(({ from, to }) => [from, to])), op.startNs, endNs],
  )
  if (!found.ok) return found
  const ids = found.value.map((row) => numberOf(row, 'slice_id'))
  const kernels = await readSlices(trace, ids.slice(0, maxKernels))
  return kernels.ok ? ok({ kernels: kernels.value, kernelCount: ids.length }) : kernels
}
