// The diagnosis of one failure: every class looks for its mechanism, and the most confident gives the verdict.
import { formatCount } from '../../../preload/contract/format.ts'
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
import { checkedLog, gapsOf } from './consistency.ts'
import { pressureOf } from './pressure.ts'
import { bytesWord } from './score.ts'
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
/** A text that contradicts itself proves nothing alone. */
const mostDoubtful = 0.5
/** Of files that cannot be read. */
const mostNamed = 3

/** Diagnoses what the sources tell, any of which may be missing. */
export function diagnose(given: Sources): Diagnosis {
  const { log, doubts } = checkedLog(given.log)
  const sources: Sources = { ...given, log }
  const situation = situationOf(sources)
  const subject: Subject = { ...sources, situation }
  const notes = [...recoveryOf(subject), ...doubts, ...captureDoubts(subject), ...gapsOf(given.metrics)]
  const missing = situation.isFailure ? null : missingOf(given)
  if (missing) return unknown(subject, [missing])
  const pressure = situation.isFailure || given.capture || !given.metrics ? [] : pressureOf(given.metrics)
  if (pressure.length > 0) return unknown(subject, [...pressure, ...notes])
  if (!situation.isFailure) return healthy(subject, notes)
  const isDoubtful = doubts.length > 0 && !sources.capture
  const candidates = rules
    .flatMap((rule) => rule(subject) ?? [])
    .map((each) =>
      isDoubtful || isOfDoubtfulLayout(each, subject) ? { ...each, confidence: Math.min(each.confidence, mostDoubtful) } : each,
    )
    .sort((a, b) => b.confidence - a.confidence)
  const [best] = candidates
  const label = best && best.confidence >= leastConfidence ? best.label : 'not_enough_evidence'
  const isUncertain = !best || best.confidence < leastCertain
  return {
    verdict: { label, confidence: best?.confidence ?? 0, isUncertain },
    candidates,
    situation,
    advice: adviceFor(label, subject),
    needs: [...(isUncertain || !sources.capture ? needsOf(subject) : []), ...notes],
  }
}

/** What of the run is missing and may hold the failure. */
function missingOf({ capture, metrics, unread = [] }: Sources): Texts | null {
  if (capture?.isCut) return say('need_whole_file')
  if (unread.length > 0) return say('need_unread', { names: unread.slice(0, mostNamed).join(', '), count: unread.length })
  // A file that is neither a capture nor metrics, and tells of no failure, says nothing of the run.
  return capture || metrics ? null : say('need_failure_text')
}

/** What is free in segments that contradict their blocks proves nothing. */
const isOfDoubtfulLayout = ({ label }: Candidate, { capture }: Subject): boolean =>
  label === 'fragmentation' && capture?.isLayoutDoubtful === true

/** What of a capture cannot be believed. */
function captureDoubts({ capture, situation }: Subject): Texts[] {
  const given = capture?.request?.givenBytes ?? 1
  return [
    ...(given <= 0 ? [say('doubt_request', { bytes: formatCount(given) })] : []),
    ...(capture?.isLayoutDoubtful && situation.provedReason === 'no_contiguous_block' ? [say('doubt_layout')] : []),
  ]
}

function unknown({ situation }: Subject, needs: readonly Texts[]): Diagnosis {
  const verdict = { label: 'not_enough_evidence', confidence: 0, isUncertain: true } as const
  return { verdict, candidates: [], situation, advice: [], needs }
}

/** Nothing failed: how sure that is depends on how much of the run the sources show. */
function healthy(subject: Subject, needs: readonly Texts[]): Diagnosis {
  const { capture, situation } = subject
  const confidence = capture?.recovery ? 0.7 : capture && capture.eventCount > 0 ? 0.9 : 0.6
  const candidates: Candidate[] = []
  return { verdict: { label: 'healthy', confidence, isUncertain: confidence < leastCertain }, candidates, situation, advice: [], needs }
}

/** A failure that the program caught is no end of it, but worth a word. */
function recoveryOf({ capture }: Subject): Texts[] {
  if (!capture?.recovery) return []
  const { event, requestedBytes, madeAfter } = capture.recovery
  return [say('recovered', { request: bytesWord(requestedBytes), event, count: madeAfter })]
}

function needsOf({ capture, log }: Subject): Texts[] {
  if (!capture) return [say('need_snapshot')]
  return [
    ...(log ? [] : [say('need_error_text')]),
    ...(capture.hasStacks ? [] : [say('need_stacks')]),
    ...(capture.isHistoryShort ? [say('need_history')] : []),
  ]
}
