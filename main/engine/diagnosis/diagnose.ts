// The diagnosis of one failure: every class looks for its mechanism, and the most confident gives the verdict.
import { adviceFor } from './advice.ts'
import { activationResidency } from './classes/activation-residency.ts'
import { contextLeak } from './classes/context-leak.ts'
import { fragmentation } from './classes/fragmentation.ts'
import { gradientBlowup } from './classes/gradient-blowup.ts'
import { kvCacheGrowth } from './classes/kv-cache-growth.ts'
import { metadataBloat } from './classes/metadata-bloat.ts'
import { optimizerState } from './classes/optimizer-state.ts'
import { singleHugeAllocation } from './classes/single-huge-allocation.ts'
import { steadyLeak } from './classes/steady-leak.ts'
import { weightsDuplicated } from './classes/weights-duplicated.ts'
import { type Sources, situationOf } from './situation.ts'
import type { Candidate, CauseRule, Diagnosis, Subject, Texts } from './types.ts'
import { say } from './words.ts'

const rules: readonly CauseRule[] = [
  fragmentation,
  activationResidency,
  gradientBlowup,
  metadataBloat,
  contextLeak,
  optimizerState,
  kvCacheGrowth,
  weightsDuplicated,
  singleHugeAllocation,
  steadyLeak,
]

const leastConfidence = 0.3
const leastCertain = 0.6

/** Diagnoses what the sources tell, any of which may be missing. */
export function diagnose(sources: Sources): Diagnosis {
  const situation = situationOf(sources)
  const subject: Subject = { ...sources, situation }
  if (!situation.isFailure) return sources.capture?.isCut ? unknown(subject) : healthy(subject)
  const candidates = rules.flatMap((rule) => rule(subject) ?? []).sort((a, b) => b.confidence - a.confidence)
  const [best] = candidates
  const label = best && best.confidence >= leastConfidence ? best.label : 'not_enough_evidence'
  const isUncertain = !best || best.confidence < leastCertain
  return {
    verdict: { label, confidence: best?.confidence ?? 0, isUncertain },
    candidates,
    situation,
    advice: adviceFor(label, subject),
    needs: isUncertain || !sources.capture ? needsOf(subject) : [],
  }
}

/** The file is cut, so that the failure may be in what is missing. */
function unknown({ situation }: Subject): Diagnosis {
  const verdict = { label: 'not_enough_evidence', confidence: 0, isUncertain: true } as const
  return { verdict, candidates: [], situation, advice: [], needs: [say('need_whole_file')] }
}

/** Nothing failed: how sure that is depends on how much of the run the sources show. */
function healthy(subject: Subject): Diagnosis {
  const { capture, metrics, situation } = subject
  const confidence = capture && capture.eventCount > 0 ? 0.9 : capture || metrics ? 0.6 : 0.3
  const candidates: Candidate[] = []
  return { verdict: { label: 'healthy', confidence, isUncertain: confidence < leastCertain }, candidates, situation, advice: [], needs: [] }
}

function needsOf({ capture, log }: Subject): Texts[] {
  if (!capture) return [say('need_snapshot')]
  return [
    ...(log ? [] : [say('need_error_text')]),
    ...(capture.hasStacks ? [] : [say('need_stacks')]),
    ...(capture.isHistoryShort ? [say('need_history')] : []),
  ]
}
