// Weights twice: a second set of allocations with the sizes of the parameters, loaded beside the first.
import type { CaptureMeasures, HeldStack } from '../capture-measures.ts'
import { heldBy, parametersOf, repeatedAtEnd, type Sizes, sizesOf, totalBytes, twinsOf } from '../parameters.ts'
import { candidate, evidence, ramp, shareOf } from '../score.ts'
import type { Role } from '../stack-roles.ts'
import type { CauseRule } from '../types.ts'

export const weightsDuplicated: CauseRule = ({ capture }) => {
  if (!capture) return null
  const [sizes, others] = sets(capture)
  const twins = twinsOf(sizes, others)
  const repeated = sizesOf(repeatedAtEnd(parametersOf(capture)))
  const extra = twins.reduce((sum, { bytes }) => sum + bytes, 0) + totalBytes(repeated)
  if (extra === 0) return null
  const proofs = [
    evidence('weights_bytes', totalBytes(sizes), 'bytes'),
    ...twins.map(({ bytes, count, scale }) => evidence('weights_twin', bytes, 'bytes', { count, scale })),
    ...(repeated.size > 0 ? [evidence('weights_repeated', totalBytes(repeated), 'bytes')] : []),
  ]
  // Once a model trains, one more set of its sizes may as well be gradients or an average that is wanted.
  const isLoading = capture.optimizerSteps === 0 && (capture.roleBytes.backward === 0 || !capture.hasStacks)
  return candidate('weights_duplicated', (isLoading ? 0.98 : 0.55) * ramp(shareOf(extra, capture.reserved), 0.1, 0.3), proofs)
}

/**
 * The parameters, and the sets that may repeat them: of other lines of the program, and of other lines that load. Without parameters by name, the
 * largest set stands for them.
 */
function sets(capture: CaptureMeasures): [Sizes, Sizes[]] {
  const setOf = ({ stackId }: HeldStack): Sizes => sizesOf(heldBy(capture, new Set([stackId])))
  const of = (...roles: readonly Role[]): HeldStack[] => capture.stacks.filter(({ role }) => roles.includes(role))
  // Averages of weights are made by modules of the optimizers.
  const bySize = of('program', 'optimizer').map(setOf)
  const loads = of('weights').sort((a, b) => b.bytes - a.bytes)
  const [model, ...others] = loads
  if (!model) {
    const [largest = new Map(), ...rest] = bySize
    return [largest, rest]
  }
  const again = others.map(setOf).filter((sizes) => twinsOf(setOf(model), [sizes]).length > 0)
  // What repeats the largest load is a copy, not part of the model.
  return again.length > 0 ? [setOf(model), [...again, ...bySize]] : [sizesOf(parametersOf(capture)), bySize]
}
