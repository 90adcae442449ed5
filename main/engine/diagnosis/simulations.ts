// What other settings of the allocator would have done about a failure: the recorded requests run again (native/WHATIF.md), at the capacity that the
// recording itself tells.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { WhatIf } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { whatIfRun } from '../queries/whatif.ts'
import type { CaptureMeasures } from './capture-measures.ts'
import type { LogFailure } from './log-text.ts'

/** As written in PYTORCH_CUDA_ALLOC_CONF. */
export const triedSettings = {
  expandable_segments: 'expandable_segments:True',
  max_split_size: 'max_split_size_mb:128',
  garbage_collection: 'garbage_collection_threshold:0.8',
  roundup_power2: 'roundup_power2_divisions:4',
} as const
export type TriedSetting = keyof typeof triedSettings

export interface SettingOutcome {
  readonly setting: TriedSetting
  readonly fails: boolean
  /** False: what else explains the recording would have had another outcome. */
  readonly isCertain: boolean
  /** What the failed request is taken to have asked for, where that alone decides; else null. */
  readonly decidingBytes: number | null
  /** How much less is reserved at the peak than as recorded; 0 where the run ended earlier. */
  readonly savedBytes: number
  readonly capacityBytes: number | null
}

/** What the recording, run again, tells. */
export interface Simulated {
  /** Under each setting that is not already in force; null where that cannot be told. */
  readonly outcomes: readonly SettingOutcome[] | null
  /** A cap that no source names lies from `leastBytes` to below `belowBytes`; null where the recording shows none. */
  readonly cap: { readonly leastBytes: number; readonly belowBytes: number } | null
}

const nothing: Simulated = { outcomes: null, cap: null }

/** Five runs of so many events take a few seconds. */
const maxEvents = 4_000_000

interface Question {
  readonly device: number
  readonly eventCount: number
  readonly isHistoryShort: boolean
}

/**
 * Runs a failed recording again. No outcomes where the history is too long, does not reach back to the start (what lies where was then decided before
 * it), or the simulator does not repeat the recorded failure. Errors: `query/cancelled`.
 */
export async function simulateSettings(capture: OpenCapture, question: Question): Promise<Result<Simulated>> {
  if (question.eventCount > maxEvents) return ok(nothing)
  const own = await run(capture, question.device, '')
  if (!own.ok) return orElse(own, nothing)
  const cap = capOf(own.value)
  if (!own.value.fails || question.isHistoryShort) return ok({ outcomes: null, cap })
  const outcomes: SettingOutcome[] = []
  for (const [setting, text] of Object.entries(triedSettings) as [TriedSetting, string][]) {
    const other = await run(capture, question.device, text)
    if (!other.ok) return orElse(other, { outcomes: null, cap })
    if (JSON.stringify(other.value.settings) !== JSON.stringify(own.value.settings))
      outcomes.push(outcomeOf(setting, own.value, other.value))
  }
  return ok({ outcomes, cap })
}

function capOf({ capacity: { source, leastBytes, mostBytes } }: WhatIf): Simulated['cap'] {
  return source === 'fraction' && leastBytes !== null && mostBytes !== null ? { leastBytes, belowBytes: mostBytes + 1 } : null
}

/** A cap that a text names: between these, both included. */
interface NamedCap {
  readonly leastBytes: number
  readonly mostBytes: number
}

/** The measures of a failure once its text is known: where that names the cap, what other settings would have done is told by it. Errors: `query/cancelled`. */
export async function underNamedCap(
  capture: OpenCapture,
  measures: CaptureMeasures | null,
  log: LogFailure | null,
): Promise<Result<CaptureMeasures | null>> {
  const allowed = log?.allowed ?? null
  if (!measures || !allowed) return ok(measures)
  const { mostReserved, refusedBytes } = measures.limits
  // What the history proves of it is finer than what the text rounds.
  const leastBytes = Math.max(allowed.bytes - allowed.precision, Math.min(mostReserved, allowed.bytes))
  const mostBytes = Math.min(allowed.bytes + allowed.precision, Math.max((refusedBytes ?? Number.POSITIVE_INFINITY) - 1, allowed.bytes))
  const outcomes = await outcomesUnder(capture, measures.device, { outcomes: measures.outcomes, cap: { leastBytes, mostBytes } })
  return outcomes.ok ? ok({ ...measures, outcomes: outcomes.value }) : outcomes
}

/**
 * The outcomes once a text names the cap: those that the recording alone left open are run again at both ends of what the text says. Errors:
 * `query/cancelled`.
 */
async function outcomesUnder(
  capture: OpenCapture,
  device: number,
  { outcomes, cap }: { readonly outcomes: readonly SettingOutcome[] | null; readonly cap: NamedCap },
): Promise<Result<readonly SettingOutcome[] | null>> {
  if (!outcomes?.some(({ isCertain }) => !isCertain)) return ok(outcomes)
  const known: SettingOutcome[] = []
  for (const outcome of outcomes) {
    const settled = outcome.isCertain ? ok(outcome) : await settledBy(capture, device, { outcome, cap })
    if (!settled.ok) return settled
    known.push(settled.value)
  }
  return ok(known)
}

async function settledBy(
  capture: OpenCapture,
  device: number,
  { outcome, cap }: { readonly outcome: SettingOutcome; readonly cap: NamedCap },
): Promise<Result<SettingOutcome>> {
  const text = triedSettings[outcome.setting]
  const least = await run(capture, device, text, cap.leastBytes)
  if (!least.ok) return orElse(least, outcome)
  const most = await run(capture, device, text, cap.mostBytes)
  if (!most.ok) return orElse(most, outcome)
  const [low, high] = [least.value, most.value]
  return ok({
    ...outcome,
    fails: low.fails,
    isCertain: low.fails === high.fails && low.isCertain && high.isCertain,
    decidingBytes: low.isCertain ? null : (low.failedRequest?.bytes ?? null),
    capacityBytes: low.capacity.bytes,
  })
}

const run = (capture: OpenCapture, device: number, settings: string, capacityBytes: number | null = null): Promise<Result<WhatIf>> =>
  whatIfRun(capture, { captureId: capture.summary.captureId, device, settings, capacityBytes })

/** A recording that the simulator refuses tells no more; a question that was withdrawn has no answer. */
const orElse = <T>(failed: Extract<Result<never>, { ok: false }>, rest: T): Result<T> =>
  failed.error.code === 'query/cancelled' ? failed : ok(rest)

function outcomeOf(setting: TriedSetting, own: WhatIf, other: WhatIf): SettingOutcome {
  const isAsLong = (other.lastEvent ?? -1) >= (own.lastEvent ?? -1)
  return {
    setting,
    fails: other.fails,
    isCertain: other.isCertain,
    decidingBytes: other.dependsOn.includes('capacity') || other.isCertain ? null : (other.failedRequest?.bytes ?? null),
    savedBytes: isAsLong ? Math.max(0, own.reservedPeakBytes - other.reservedPeakBytes) : 0,
    capacityBytes: other.capacity.bytes,
  }
}
