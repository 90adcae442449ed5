// Activations: what forward passes make. Within a step it stays for the backward pass; from step to step something holds the graph.
import { formatPercent } from '../../../../preload/contract/format.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { candidate, evidence, mostWeak, named, ramp, shareOf } from '../score.ts'
import { roleOf } from '../stack-roles.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'
import { isOneResult, keptStacks, sumGrown } from './kept.ts'
import { keptPattern, repeatedSizes } from './unnamed-sets.ts'

/** A graph that is kept holds the results of many lines, one leak those of one. */
const manyStacks = 6
/** Of three steps, one order in three agrees or is the opposite by chance; of five, one in sixty. */
const leastSizedSteps = 5

export const activationResidency: CauseRule = (subject) => {
  const { capture } = subject
  if (!capture) return fromText(subject)
  const proofs: Evidence[] = []
  const confidence = Math.max(keptGraph(subject, capture, proofs), withinStep(subject, capture, proofs))
  return (proofs.length === 0 ? null : candidate('activation_residency', confidence, proofs)) ?? unnamed(capture)
}

/** Without stacks: what every step keeps has many sizes, as results of layers have, and not those of the parameters. */
function unnamed(capture: CaptureMeasures) {
  const pattern = repeatedSizes(capture) ? null : keptPattern(capture)
  if (!pattern) return null
  return candidate('activation_residency', mostWeak, [
    evidence('pattern_kept', pattern.bytes, 'bytes', { count: pattern.count, sizes: pattern.sizes }),
  ])
}

function keptGraph(subject: Subject, capture: CaptureMeasures, proofs: Evidence[]): number {
  const kept = keptStacks(subject)
  const made = kept.filter(({ role }) => role === 'forward')
  const own = kept.filter(({ role }) => role === 'program')
  const graph = own.length >= manyStacks ? [...made, ...own] : made
  const [largest] = graph
  if (!largest) return 0
  const grown = sumGrown(graph)
  proofs.push(
    evidence('kept_forward', grown, 'bytes', { count: new Set(graph.map(({ title }) => title)).size, stack: named(largest.title) }),
  )
  return 0.95 * ramp(shareOf(grown, capture.reserved), 0.1, 0.45) * (isOneResult(graph, capture) ? 0.8 : 1)
}

function withinStep(subject: Subject, capture: CaptureMeasures, proofs: Evidence[]): number {
  const { situation, metrics } = subject
  const [share, found] = passMemory(capture)
  if (share < 0.1) return 0
  proofs.push(...found)
  // Beside what was held, a few steps that agree by chance add nothing.
  const together = (metrics?.sizedSteps ?? 0) < leastSizedSteps ? null : (metrics?.peakWithSize ?? null)
  if (together !== null && together > 0.7) proofs.push(withSize(metrics, together))
  // Where what was free would have done, a step of this size was not the cause.
  const idle = (situation.freeBytes ?? 0) + situation.otherStreamBytes
  const isWhole = idle >= (situation.requestedBytes ?? 0)
  // A few percent of any cache lie in pieces: a step that fills all but those was too large.
  const pieces = ramp(shareOf(idle, capture.reserved), 0.02, 0.1)
  const fits = situation.reason !== 'no_contiguous_block' ? 1 : 1 - (isWhole ? 0.4 : 0.15) * pieces
  return fits * (0.75 * ramp(share, 0.1, 0.5) + (together !== null && together > 0.7 ? 0.1 : 0))
}

/** The rank correlation, with what of the size varied; of a size that only rose, that it did. */
function withSize(metrics: Subject['metrics'], together: number): Evidence {
  const count = metrics?.sizedSteps ?? 0
  const varying = metrics?.varying ?? 'both'
  if (count < leastSizedSteps) return evidence('peak_with_size', count, 'steps', {}, 'peak_with_size_few')
  if (metrics?.sizeOnlyRose) return evidence('peak_with_size', count, 'steps', {}, `peak_rose_with_${varying}`)
  return evidence('peak_with_size', together, 'correlation', { value: together.toFixed(2), count }, `peak_with_${varying}`)
}

/** The share of what forward passes made; where stacks do not tell, of what the step had made. */
function passMemory(capture: CaptureMeasures): [number, Evidence[]] {
  const { reserved, quietAllocated, roleBytes, growth } = capture
  const word = (share: number): string => formatPercent(share)
  const largest = capture.stacks.find(({ role }) => role === 'forward')
  if (largest) {
    // What is extended from step to step outlives the passes that extend it.
    const extended = growth.filter(({ role, kind }) => role === 'forward' && kind === 'larger')
    const bytes = Math.max(0, roleBytes.forward - extended.reduce((sum, { lastBytes }) => sum + lastBytes, 0))
    const share = shareOf(bytes, reserved)
    return [share, [evidence('forward_bytes', bytes, 'bytes', { share: word(share), stack: named(largest.title) })]]
  }
  if (!quietAllocated || (capture.steps ?? 0) < 2) return [0, []]
  const bytes = Math.max(0, capture.allocated - quietAllocated.last)
  const share = shareOf(bytes, reserved)
  // Unnamed, it is as likely to be something else.
  return [share * 0.8, [evidence('step_memory', bytes, 'bytes', { share: word(share) })]]
}

function fromText({ log, metrics, situation }: Subject) {
  const together = metrics?.peakWithSize ?? 0
  const frames = log?.frames ?? []
  const text = frames.map(({ name, file, line }) => `${name} (${file}:${line})`).join('\n')
  const isForward = frames.length > 0 && roleOf(text) === 'forward'
  if (!situation.isFailure || (!isForward && together <= 0.7)) return null
  const proofs = [
    ...(together > 0.7 ? [withSize(metrics, together)] : []),
    ...(isForward ? [evidence('traceback', frames[0]?.name ?? '', 'text')] : []),
  ]
  const fits = situation.reason === 'no_contiguous_block' ? 0.5 : 1
  return candidate('activation_residency', fits * ((together > 0.7 ? 0.5 : 0) + (isForward ? 0.25 : 0)), proofs)
}
