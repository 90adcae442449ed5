// What a diagnosis is made of. Bytes are numbers below 2^53.
import type { z } from 'zod'
import type { bilingualSchema, Cause, DiagnosisAdvice, DiagnosisEvidence, VerdictLabel } from '../../../preload/contract/queries.ts'
import type { CaptureMeasures } from './capture-measures.ts'
import type { LogFailure } from './log-text.ts'
import type { MetricsGrowth } from './metrics.ts'
import type { Situation } from './situation.ts'

/** One sentence in the languages of the window. */
export type Texts = Readonly<z.infer<typeof bilingualSchema>>
export type Language = keyof Texts

export type Unit = DiagnosisEvidence['unit']

/** A number that speaks for a class, and the sentence that says so. */
export interface Evidence {
  readonly measure: string
  readonly value: number | string
  readonly unit: Unit
  readonly text: Texts
}

export interface Candidate {
  readonly label: Cause
  /** 0 to 1. */
  readonly confidence: number
  readonly evidence: readonly Evidence[]
}

export type Advice = Readonly<DiagnosisAdvice>

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
  readonly verdict: { readonly label: VerdictLabel; readonly confidence: number; readonly isUncertain: boolean }
  readonly candidates: readonly Candidate[]
  readonly situation: Situation
  readonly advice: readonly Advice[]
  /** What would make an uncertain verdict certain. */
  readonly needs: readonly Texts[]
}
