// What a diagnosis is made of. Bytes are numbers below 2^53.
import type { CaptureMeasures } from './capture-measures.ts'
import type { LogFailure } from './log-text.ts'
import type { MetricsGrowth } from './metrics.ts'
import type { Situation } from './situation.ts'

/** One sentence in the languages of the window. */
export interface Texts {
  readonly en: string
  readonly 'zh-CN': string
}

export type Language = keyof Texts

export type Unit = 'bytes' | 'bytes/step' | 'share' | 'count' | 'ratio' | 'steps' | 'text'

/** A number that speaks for a class, and the sentence that says so. */
export interface Evidence {
  readonly measure: string
  readonly value: number | string
  readonly unit: Unit
  readonly text: Texts
}

export const causes = [
  'fragmentation',
  'activation_residency',
  'gradient_blowup',
  'metadata_bloat',
  'context_leak',
  'optimizer_state',
  'kv_cache_growth',
  'weights_duplicated',
  'single_huge_allocation',
  'steady_leak',
] as const

/** What made memory grow or run out. */
export type Cause = (typeof causes)[number]

/** healthy: no failure is on record. not_enough_evidence: there is one, and nothing that explains it well enough. */
export type Label = Cause | 'healthy' | 'not_enough_evidence'

export interface Candidate {
  readonly label: Cause
  /** 0 to 1. */
  readonly confidence: number
  readonly evidence: readonly Evidence[]
}

export interface Advice {
  readonly id: string
  readonly text: Texts
  /** Bytes that it would free at the failure; null where that cannot be computed. */
  readonly gainBytes: number | null
}

/** All that is known of one failure. */
export interface Subject {
  readonly capture: CaptureMeasures | null
  readonly log: LogFailure | null
  readonly metrics: MetricsGrowth | null
  readonly situation: Situation
}

/** A class: looks for one mechanism; null where nothing speaks for it. */
export type CauseRule = (subject: Subject) => Candidate | null

export interface Diagnosis {
  readonly verdict: { readonly label: Label; readonly confidence: number; readonly isUncertain: boolean }
  readonly candidates: readonly Candidate[]
  readonly situation: Situation
  readonly advice: readonly Advice[]
  /** What would make an uncertain verdict certain. */
  readonly needs: readonly Texts[]
}
