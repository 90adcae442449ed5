// Optimizer state: made in the first step of the optimizer, as large as the parameters or twice that, and kept.
import type { CaptureMeasures } from '../capture-measures.ts'
import { copiesOf, heldBy, parametersOf, sizesOf } from '../parameters.ts'
import { candidate, evidence, named, ramp, shareOf } from '../score.ts'
import { roleOf } from '../stack-roles.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'

const smallSegmentBytes = 2 * 1024 ** 2

export const optimizerState: CauseRule = (subject) => {
  const { capture } = subject
  if (!capture) return fromText(subject)
  const bytes = capture.roleBytes.optimizer_state
  const share = shareOf(bytes, capture.reserved)
  const isRequested =
    capture.request?.role === 'optimizer_state' || (bytes === 0 && capture.request?.role === 'optimizer' && keepsSets(capture))
  const isFirst = capture.isInOptimizerStep && capture.optimizerSteps === 1
  const proofs: Evidence[] = []
  if (bytes > 0) proofs.push(evidence('optimizer_state_bytes', bytes, 'bytes', { share: `${Math.round(share * 100)}%` }))
  if (isRequested) proofs.push(evidence('optimizer_request', named(capture.request?.title ?? ''), 'text'))
  if (isFirst) proofs.push(evidence('optimizer_first_step', capture.optimizerSteps, 'count'))
  const fromShare = 0.75 * ramp(share, 0.25, 0.6)
  // What a step needs beside its state counts with it, where both hold much.
  const isInStep = capture.request?.role === 'optimizer' && bytes > 0
  const fromStep = isInStep ? 0.85 * ramp(shareOf(bytes + capture.roleBytes.optimizer, capture.reserved), 0.15, 0.45) : 0
  const fromRequest = isRequested ? 0.6 + 0.36 * ramp(share, 0.05, 0.25) : 0
  return candidate('optimizer_state', Math.max(fromShare, fromStep, fromRequest, isFirst ? 0.7 : 0), proofs)
}

/** State that no function of its own makes (the momentum of SGD is the first gradient, copied) has the sizes of the parameters all the same. */
function keepsSets(capture: CaptureMeasures): boolean {
  const steps = capture.stacks.filter(({ role }) => role === 'optimizer')
  const held = heldBy(capture, new Set(steps.map(({ stackId }) => stackId)))
  return copiesOf(sizesOf(parametersOf(capture)), sizesOf(held)).matched >= 0.5
}

function fromText({ log }: Subject) {
  const frames = log?.frames ?? []
  const text = frames.map(({ name, file, line }) => `${name} (${file}:${line})`).join('\n')
  if (frames.length === 0 || roleOf(text) !== 'optimizer_state') return null
  // A small request fails when memory is full, whatever filled it.
  const isSmall = (log?.requested?.bytes ?? 0) <= smallSegmentBytes
  return candidate('optimizer_state', isSmall ? 0.4 : 0.65, [evidence('optimizer_request', frames[0]?.name ?? '', 'text')])
}
