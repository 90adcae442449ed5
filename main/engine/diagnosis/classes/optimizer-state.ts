// Optimizer state: made in the first step of the optimizer, as large as the parameters or twice that, and kept.
import { formatPercent } from '../../../../preload/contract/format.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { heldBy, parametersOf, sizesOf, totalBytes } from '../parameters.ts'
import { candidate, evidence, named, ramp, shareOf } from '../score.ts'
import { roleOf } from '../stack-roles.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'

const smallSegmentBytes = 2 * 1024 ** 2

export const optimizerState: CauseRule = (subject) => {
  const { capture } = subject
  if (!capture) return fromText(subject)
  const byName = capture.roleBytes.optimizer_state
  const bytes = byName > 0 ? byName : unnamedState(capture)
  const share = shareOf(bytes, capture.reserved)
  const asks = capture.request?.role === 'optimizer'
  const isRequested = capture.request?.role === 'optimizer_state' || (asks && byName === 0 && (bytes > 0 || asksFirst(capture)))
  const isFirst = capture.isInOptimizerStep && capture.optimizerSteps === 1
  const proofs: Evidence[] = []
  if (bytes > 0) proofs.push(evidence('optimizer_state_bytes', bytes, 'bytes', { share: formatPercent(share) }))
  if (isRequested) proofs.push(evidence('optimizer_request', named(capture.request?.title ?? ''), 'text'))
  if (isFirst) proofs.push(evidence('optimizer_first_step', capture.optimizerSteps, 'count'))
  const fromShare = 0.75 * ramp(share, 0.25, 0.6)
  // What a step needs beside its state counts with it, where both hold much.
  const inStep = asks && bytes > 0 ? byName + capture.roleBytes.optimizer : 0
  const fromStep = 0.85 * ramp(shareOf(inStep, capture.reserved), 0.15, 0.45)
  const fromRequest = isRequested ? 0.6 + 0.36 * ramp(share, 0.05, 0.25) : 0
  return candidate('optimizer_state', Math.max(fromShare, fromStep, fromRequest, isFirst ? 0.7 : 0), proofs)
}

/**
 * State that no function of its own makes: it has the sizes of the parameters (the momentum of SGD is the first gradient, copied), or more of it is
 * kept with every step (the history of L-BFGS).
 */
function unnamedState(capture: CaptureMeasures): number {
  const kept = capture.growth.filter(({ kind, role }) => kind === 'kept' && role === 'optimizer')
  const history = kept.reduce((sum, { lastBytes }) => sum + lastBytes, 0)
  // Averages of weights have these sizes too, and are made by no step.
  if (capture.request?.role !== 'optimizer') return history
  const ofSteps = capture.stacks.filter(({ role }) => role === 'optimizer')
  const held = heldBy(capture, new Set(ofSteps.map(({ stackId }) => stackId)))
  const sizes = sizesOf(parametersOf(capture))
  const matched = held.reduce((sum, { requestedBytes }) => sum + (sizes.has(requestedBytes) ? requestedBytes : 0), 0)
  return Math.max(history, matched >= totalBytes(sizesOf(held)) / 2 ? capture.roleBytes.optimizer : 0)
}

/** The first that an optimizer asks for, in the size of a parameter. */
function asksFirst(capture: CaptureMeasures): boolean {
  const { request, roleBytes, optimizerSteps } = capture
  const isOfParameter = parametersOf(capture).some(({ requestedBytes }) => requestedBytes === request?.bytes)
  return optimizerSteps <= 1 && roleBytes.optimizer === 0 && isOfParameter
}

function fromText({ log }: Subject) {
  const frames = log?.frames ?? []
  const text = frames.map(({ name, file, line }) => `${name} (${file}:${line})`).join('\n')
  if (frames.length === 0 || roleOf(text) !== 'optimizer_state') return null
  // A small request fails when memory is full, whatever filled it.
  const isSmall = (log?.requested?.bytes ?? 0) <= smallSegmentBytes
  return candidate('optimizer_state', isSmall ? 0.4 : 0.65, [evidence('optimizer_request', frames[0]?.name ?? '', 'text')])
}
