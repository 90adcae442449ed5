// A diagnosis as the command line and other programs read it.

import { snakeCase } from '../snake-case.ts'
import type { CaptureMeasures } from './capture-measures.ts'
import type { DiagnosedCase } from './cases.ts'
import { paceOf } from './classes/kept.ts'
import { factText } from './fact-states.ts'
import type { LogFailure } from './log-text.ts'
import type { Language } from './types.ts'

const maxStacks = 10

/** One entry of `tidemark diagnose --json`. Bytes are whole numbers; what is not known is null. */
export function reportOf({ file, diagnosis, capture, log, metrics }: DiagnosedCase, language: Language) {
  const { verdict, candidates, situation, advice, needs } = diagnosis
  const { facts, reason: _, provedReason, reach: __, isFailure, isLimitKnown, ...numbers } = situation
  const pace = paceOf({ capture, log, metrics, situation })
  return {
    file,
    verdict: { label: verdict.label, confidence: verdict.confidence, uncertain: verdict.isUncertain },
    candidates: candidates.map(({ label, confidence, evidence }) => ({
      label,
      confidence,
      evidence: evidence.map(({ measure, value, unit, text }) => ({ measure, value, unit, text: text[language] })),
    })),
    facts: {
      failure: isFailure,
      reason: provedReason,
      codes: facts,
      texts: facts.map((code) => factText(code, situation)[language]),
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [snakeCase(name), value])),
      limit_known: isLimitKnown,
      device: capture?.device ?? log?.gpu ?? null,
      event: capture?.isFailure ? capture.event : null,
      steps: pace?.isCounted ? pace.steps : (metrics?.steps ?? null),
      request_stack: capture?.request?.title ?? null,
      held: capture ? heldFacts(capture) : null,
      growing_stacks: (capture?.growth ?? []).slice(0, maxStacks).map((stack) => ({
        stack_id: stack.stackId,
        title: stack.title,
        kind: stack.kind,
        bytes_per_step: pace ? Math.round(stack.bytesPerEvent * pace.eventsPerStep) : null,
        grown_bytes: stack.grownBytes,
      })),
      error_text: log ? logFacts(log) : null,
    },
    advice: advice.map(({ id, text, gainBytes, isEnough }) => ({ id, text: text[language], gain_bytes: gainBytes, enough: isEnough })),
    needs: needs.map((text) => text[language]),
  }
}

/** What held memory at the moment: by role, the largest stacks, and by age. */
function heldFacts({ roleBytes, stacks, ages }: CaptureMeasures) {
  return {
    by_role: roleBytes,
    stacks: stacks.slice(0, maxStacks).map(({ stackId, title, role, bytes, count }) => ({ stack_id: stackId, title, role, bytes, count })),
    by_age: ages,
  }
}

/** What the text of the failure says, as exactly as it says it: `precision` is half of the last digit, in bytes. */
function logFacts(log: LogFailure) {
  const { kind, backend, exception, gpu, rank, time, line, repeats, advice, text } = log
  const { requested, total, free, process, allowed, allocated, unallocated, reserved, privatePools, others } = log
  return {
    ...{ kind, backend, exception, gpu, rank, time, line, repeats },
    ...{ requested, total, free, this_process: process, allowed, allocated, reserved_unallocated: unallocated, reserved },
    private_pools: privatePools,
    other_processes: others.map(({ pid, inUse }) => ({ pid, ...inUse })),
    advice,
    text,
  }
}
