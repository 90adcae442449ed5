// Gradients: copies of them that are kept, gradients of single samples, or a graph of gradients (second order). All have the sizes of the parameters
// or multiples of them, and come from the backward pass or right after it.
import { formatPercent } from '../../../../preload/contract/format.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { type Copies, copiesOf, heldBy, parametersOf, type Sizes, sizesOf, totalBytes } from '../parameters.ts'
import { bytesWord, candidate, evidence, mostWeak, named, ramp, shareOf } from '../score.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'
import { keptStacks, modelCopies, setsHeld, singleSets, stackOfSets } from './kept.ts'
import { repeatedSizes } from './unnamed-sets.ts'

const leastMatched = 0.5
const leastCovered = 0.6
const leastEven = 0.5
const leastCopies = 2.5
const manySets = 6

/**
 * Allocations with the sizes of parameters, all of them alike: made by the backward pass or from it, many sets at once, or kept by
 * the program a set a step.
 */
export function gradientCopies(subject: Subject): Copies | null {
  const { capture } = subject
  if (!capture?.hasStacks) return null
  const parameters = sizesOf(parametersOf(capture))
  const of = (stacks: readonly { readonly stackId: number }[]): Sizes =>
    sizesOf(heldBy(capture, new Set(stacks.map(({ stackId }) => stackId))))
  const models = modelCopies(capture)
  const kept = keptStacks(subject).filter(({ role, stackId }) => (role === 'program' || role === 'backward') && !models.has(stackId))
  const passed = new Set([...parametersOf(capture), ...kept].map(({ stackId }) => stackId).concat([...models]))
  // A graph of gradients holds many sets at once, and so does what it updates; an optimizer needs no more than four.
  const made = capture.stacks.filter(({ role, stackId }) => (role === 'backward' || role === 'program') && !passed.has(stackId))
  const all = copiesOf(parameters, of(made))
  if (isLike(all) && all.copies >= manySets && capture.roleBytes.backward > 0) return all
  const copies = copiesOf(parameters, of(kept))
  const count = [...parameters.values()].reduce((sum, each) => sum + each, 0)
  const madeEachStep = kept.reduce((sum, { madeCount }) => sum + madeCount, 0) / Math.max(1, capture.steps ?? 1)
  // A single tensor of a parameter's size a step is another leak.
  return isLike(copies) && madeEachStep >= count / 2 ? copies : flattened(parameters, of(kept))
}

const isLike = ({ matched, covered, evenness, copies }: Copies): boolean =>
  matched >= leastMatched && covered >= leastCovered && evenness >= leastEven && copies >= leastCopies

/** All gradients of a step as one vector, several of them. */
function flattened(parameters: Sizes, others: Sizes): Copies | null {
  const whole = totalBytes(parameters)
  if (parameters.size < 2) return null
  for (const [bytes, count] of others) {
    const isWhole = [0.5, 1, 2].some((scale) => Math.abs(bytes - whole * scale) <= 0.01 * whole * scale)
    const matched = (bytes * count) / Math.max(1, totalBytes(others))
    if (isWhole && count >= 3 && matched >= leastMatched)
      return { copies: count, covered: 1, matched, evenness: 1, distinctSizes: parameters.size, bytes: bytes * count }
  }
  return null
}

export const gradientBlowup: CauseRule = (subject) => {
  const { capture, metrics } = subject
  const proofs: Evidence[] = []
  let confidence = 0
  if (capture) confidence = gradientsIn(subject, capture, proofs)
  const ratio = metrics?.gradientNormRatio ?? null
  if (ratio !== null && ratio >= 100) {
    proofs.push(Number.isFinite(ratio) ? evidence('gradient_norm', ratio, 'ratio') : evidence('gradient_norm_not_finite', 'NaN/∞', 'text'))
    // Gradients fill memory by being kept: where nothing grows, their norm says little.
    const isKept = !metrics?.allocated || metrics.allocated.order > 0.6
    confidence = Math.min(0.99, confidence + (capture ? 0.05 : isKept ? 0.45 : 0.2))
  }
  return (proofs.length === 0 ? null : candidate('gradient_blowup', confidence, proofs)) ?? weaker(capture)
}

/** Gradients are there, but nothing says that they are more than a pass needs, or that they are gradients. */
function weaker(capture: CaptureMeasures | null) {
  if (!capture) return null
  const proofs: Evidence[] = []
  const sets = stackOfSets(capture)
  if (sets) proofs.push(setsHeld(sets))
  const opposite = repeatedSizes(capture)
  if (opposite?.order === 'opposite') proofs.push(evidence('sizes_reversed', opposite.times, 'count', { count: opposite.count }))
  const backward = capture.hasStacks ? capture.roleBytes.backward : 0
  const share = shareOf(backward, capture.reserved)
  if (share >= 0.15) proofs.push(evidence('gradients_held', backward, 'bytes', { share: formatPercent(share) }))
  const held = Math.max(share, shareOf(sets?.stack.bytes ?? 0, capture.reserved), shareOf(opposite?.bytes ?? 0, capture.reserved))
  return proofs.length === 0 ? null : candidate('gradient_blowup', mostWeak * ramp(held, 0, 0.3), proofs)
}

function gradientsIn(subject: Subject, capture: CaptureMeasures, proofs: Evidence[]): number {
  const many = Math.max(copied(subject, capture, proofs), perSample(capture, proofs), graphOfGradients(capture, proofs))
  return proofs.length > 0 ? many : ofOnePass(capture, proofs)
}

/** The gradients of the first pass and copies of them do not fit beside the parameters; where an optimizer has state, that is more. */
function ofOnePass(capture: CaptureMeasures, proofs: Evidence[]): number {
  const sets = singleSets(capture)
  const bytes = sets.reduce((sum, set) => sum + set.bytes, 0)
  const share = shareOf(bytes, capture.reserved)
  // A pass whose optimizer is at work has fitted.
  const isPast = capture.request?.role === 'optimizer' || capture.request?.role === 'optimizer_state'
  if (capture.roleBytes.optimizer_state > 0 || share < 0.2 || !sets.some(({ role }) => role === 'backward')) return 0
  const copies = bytes / Math.max(1, totalBytes(sizesOf(parametersOf(capture))))
  proofs.push(evidence('gradient_copies', Math.round(copies * 10) / 10, 'count', { bytes: bytesWord(bytes) }))
  return (isPast ? mostWeak : 0.75) * ramp(share, 0.15, 0.4)
}

function copied(subject: Subject, capture: CaptureMeasures, proofs: Evidence[]): number {
  const copies = gradientCopies(subject)
  if (!copies) return 0
  proofs.push(evidence('gradient_copies', Math.round(copies.copies * 10) / 10, 'count', { bytes: bytesWord(copies.bytes) }))
  const [kept] = keptStacks(subject).filter(({ role }) => role === 'program' || role === 'backward')
  if (kept) proofs.push(evidence('gradient_kept', kept.grownBytes, 'bytes', { stack: named(kept.title) }))
  // One size alone may be shared by chance.
  const certainty = copies.distinctSizes > 1 ? 1 : 0.8
  return 0.98 * certainty * ramp(shareOf(copies.bytes, capture.reserved), 0.1, 0.45)
}

function perSample(capture: CaptureMeasures, proofs: Evidence[]): number {
  if (!capture.hasPerSampleGradients) return 0
  const asked = capture.request?.role === 'backward' ? capture.request.bytes : 0
  const bytes = capture.roleBytes.backward + asked
  const share = shareOf(bytes, capture.reserved + asked)
  if (share < 0.2) return 0
  proofs.push(evidence('per_sample', bytes, 'bytes', { share: formatPercent(share) }))
  return 0.97 * ramp(share, 0.2, 0.5)
}

function graphOfGradients(capture: CaptureMeasures, proofs: Evidence[]): number {
  const parameters = totalBytes(sizesOf(parametersOf(capture)))
  const bytes = capture.roleBytes.backward
  if (!capture.hasStacks || parameters === 0 || bytes < 3 * parameters) return 0
  const count = capture.stacks.filter(({ role }) => role === 'backward').reduce((sum, stack) => sum + stack.count, 0)
  // A few large ones are the gradients of activations on their way.
  if (count < parametersOf(capture).length * 2) return 0
  proofs.push(
    evidence('backward_bytes', bytes, 'bytes', { copies: (bytes / parameters).toPrecision(2), parameters: bytesWord(parameters) }),
  )
  return 0.85 * ramp(shareOf(bytes, capture.reserved), 0.1, 0.5)
}
