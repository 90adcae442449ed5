// Weights twice: a second set of allocations with the sizes of the parameters, loaded beside the first.
import type { CaptureMeasures, HeldStack } from '../capture-measures.ts'
import { heldBy, parametersOf, repeatedAtEnd, type Sizes, sizesOf, totalBytes, twinsOf } from '../parameters.ts'
import { candidate, evidence, mostWeak, ramp, shareOf } from '../score.ts'
import type { Role } from '../stack-roles.ts'
import type { CauseRule } from '../types.ts'
import { setsHeld, stackOfSets } from './kept.ts'
import { repeatedSizes } from './unnamed-sets.ts'

/** Sizes in the same order, without the names of what made them. */
const mostUnnamed = 0.58

export const weightsDuplicated: CauseRule = ({ capture }) => {
  if (!capture) return null
  const [sizes, others] = sets(capture)
  const twins = twinsOf(sizes, others)
  const repeated = sizesOf(repeatedAtEnd(parametersOf(capture)))
  const copies = copiedModels(capture)
  const extra =
    Math.max(
      copies.bytes,
      twins.reduce((sum, { bytes }) => sum + bytes, 0),
    ) + totalBytes(repeated)
  if (extra === 0) return weaker(capture)
  const proofs = [
    evidence('weights_bytes', totalBytes(sizes), 'bytes'),
    ...twins.map(({ bytes, count, scale }) => evidence('weights_twin', bytes, 'bytes', { count, scale })),
    ...(twins.length === 0 && copies.bytes > 0 ? [evidence('weights_twin', copies.bytes, 'bytes', { count: copies.count, scale: 1 })] : []),
    ...(repeated.size > 0 ? [evidence('weights_repeated', totalBytes(repeated), 'bytes')] : []),
  ]
  // Once a model trains, one more set of its sizes may as well be gradients or an average that is wanted; several copies of a model are neither.
  const isLoading = capture.optimizerSteps === 0 && (capture.roleBytes.backward === 0 || !capture.hasStacks)
  const certainty = isLoading ? 0.98 : copies.bytes >= 1.5 * modelBytes(capture) ? 0.9 : 0.55
  return candidate('weights_duplicated', certainty * ramp(shareOf(extra, capture.reserved), 0.1, 0.3), proofs) ?? weaker(capture)
}

/** What Python copied as parameters. */
function copiedModels({ stacks }: CaptureMeasures): { bytes: number; count: number } {
  const copies = stacks.filter(({ isModelCopy }) => isModelCopy)
  return { bytes: copies.reduce((sum, { bytes }) => sum + bytes, 0), count: copies.reduce((sum, { count }) => sum + count, 0) }
}

const modelBytes = (capture: CaptureMeasures): number => Math.max(1, totalBytes(sizesOf(parametersOf(capture))))

/** Sets of the sizes of the parameters that may be gradients too, and without stacks a model that comes again in the same order. */
function weaker(capture: CaptureMeasures) {
  const many = stackOfSets(capture)
  if (many) return candidate('weights_duplicated', mostWeak * ramp(shareOf(many.stack.bytes, capture.reserved), 0, 0.3), [setsHeld(many)])
  const again = repeatedSizes(capture)
  if (again?.order !== 'same') return null
  const most = again.isInOneGo ? mostUnnamed : mostWeak
  return candidate('weights_duplicated', most * ramp(shareOf(again.bytes, capture.reserved), 0.1, 0.3), [
    evidence('sizes_repeated', again.times, 'count', { count: again.count }),
  ])
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
