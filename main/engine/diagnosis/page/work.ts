// When in the program it failed: the step, and the part of it.
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import { type Role, roleOf, textOfFrames } from '../stack-roles.ts'
import { numberOfWork } from '../step-numbers.ts'
import type { Subject } from '../types.ts'

type Work = DiagnosisPage['work']

/** Frames of the Python side of a backward pass: forward code below them makes activations again. */
const backwardFrame = /_engine_run_backward|\bunpack_hook\b|[/\\]torch[/\\]autograd[/\\](?:graph|__init__|function)\.py/
const phaseOfRole: Readonly<Partial<Record<Role, Work['phase']>>> = {
  forward: 'forward',
  backward: 'backward',
  optimizer: 'optimizer',
  optimizer_state: 'optimizer',
}

/** `frames`: of the request, innermost first. Null is what nothing tells, and both where nothing failed. */
export function workOf({ capture, log, metrics, situation }: Subject, frames: readonly string[]): Work {
  if (!situation.isFailure) return { step: null, stepNumber: null, phase: null }
  const step = capture?.stepAtWork ?? null
  return {
    step,
    stepNumber: step === null ? null : numberOfWork(metrics, step),
    phase: phaseOf(capture, frames.join('\n') || textOfFrames(log?.frames ?? [])),
  }
}

function phaseOf(capture: Subject['capture'], text: string): Work['phase'] {
  if (text !== '')
    return backwardFrame.test(text) ? 'backward' : (phaseOfRole[roleOf(text)] ?? (capture?.isInOptimizerStep ? 'optimizer' : null))
  if (capture?.isInOptimizerStep) return 'optimizer'
  // Only the threads of the autograd engine have no Python frames.
  return capture?.request && capture.hasStacks ? 'backward' : null
}
