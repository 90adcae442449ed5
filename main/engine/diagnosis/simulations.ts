// What other settings of the allocator would have done about a failure: the recorded requests run again (native/WHATIF.md), at the capacity that the
// recording itself tells.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { WhatIf } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { whatIfRun } from '../queries/whatif.ts'

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

/** Five runs of so many events take a few seconds. */
const maxEvents = 4_000_000

interface Question {
  readonly device: number
  readonly eventCount: number
  readonly isHistoryShort: boolean
}

/**
 * The outcome under each setting that is not already in force; null where that cannot be told: the history is too long, does not reach back to the
 * start (what lies where was then decided before it), or the simulator does not repeat the recorded failure. Errors: `query/cancelled`.
 */
export async function simulateSettings(capture: OpenCapture, question: Question): Promise<Result<readonly SettingOutcome[] | null>> {
  if (question.eventCount > maxEvents || question.isHistoryShort) return ok(null)
  const own = await run(capture, question.device, '')
  if (!own.ok) return orNothing(own)
  if (!own.value.fails) return ok(null)
  const outcomes: SettingOutcome[] = []
  for (const [setting, text] of Object.entries(triedSettings) as [TriedSetting, string][]) {
    const other = await run(capture, question.device, text)
    if (!other.ok) return orNothing(other)
    if (JSON.stringify(other.value.settings) !== JSON.stringify(own.value.settings))
      outcomes.push(outcomeOf(setting, own.value, other.value))
  }
  return ok(outcomes)
}

const run = (capture: OpenCapture, device: number, settings: string): Promise<Result<WhatIf>> =>
  whatIfRun(capture, { captureId: capture.summary.captureId, device, settings, capacityBytes: null })

/** A recording that the simulator refuses has no outcomes; a question that was withdrawn has no answer. */
const orNothing = (failed: Extract<Result<never>, { ok: false }>): Result<null> =>
  failed.error.code === 'query/cancelled' ? failed : ok(null)

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
