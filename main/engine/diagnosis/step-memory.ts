// What of the memory that is held a change of the program would drop: what the step at hand made, and of it what layers would make again.
import { type CaptureMeasures, type HeldAllocation, maxHeld } from './capture-measures.ts'
import { type LossMemory, lossMemoryOf } from './loss-memory.ts'

export interface StepMemory {
  /** Made since the last quiet moment; parameters, gradients, state and workspaces do not grow with batch or sequence. */
  readonly scalingBytes: number
  /** What forward passes of modules made of it and keep, without what belongs to the loss: checkpointing drops at most so much. */
  readonly layerBytes: number
  readonly loss: LossMemory<HeldAllocation>
}

const steadyCategories: readonly string[] = ['parameter', 'gradient', 'optimizer_state', 'workspace']

/** Rounded bytes; null where there are too many allocations to look at each, or no moment to count from. */
export function stepMemoryOf(capture: CaptureMeasures | null): StepMemory | null {
  if (!capture || capture.held.length >= maxHeld || capture.quietEvent === null) return null
  const { quietEvent, held, stacks, request } = capture
  const forward = new Set(stacks.flatMap(({ stackId, role }) => (role === 'forward' ? [stackId] : [])))
  const made = held.filter(({ allocEvent }) => allocEvent !== null && allocEvent > quietEvent)
  const loss = lossMemoryOf({ held: made, stacks, request })
  const bytesOf = (allocations: readonly HeldAllocation[]): number => allocations.reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    scalingBytes: bytesOf(made.filter(({ category }) => !steadyCategories.includes(category))),
    layerBytes: bytesOf(made.filter((one) => one.category === 'activation' && forward.has(one.stackId) && !loss.allocations.has(one))),
    loss,
  }
}
