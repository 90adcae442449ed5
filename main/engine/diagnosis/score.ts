// How measures become a confidence, and candidates are made.
import { formatBytes, formatCount, formatPercent } from '../../../preload/contract/format.ts'
import type { Cause } from '../../../preload/contract/queries.ts'
import type { Candidate, Evidence, Unit } from './types.ts'
import { type SentenceId, say } from './words.ts'

/** 0 at `from` and below, 1 at `to` and above. */
export const ramp = (value: number, from: number, to: number): number => Math.min(1, Math.max(0, (value - from) / (to - from)))

export const shareOf = (part: number, whole: number | null): number => (whole === null || whole <= 0 ? 0 : part / whole)

/** Evidence of a mechanism that is too little for a verdict, but worth a line. */
export const mostWeak = 0.28

/** Null below the least confidence worth a line. */
export function candidate(label: Cause, confidence: number, evidence: readonly Evidence[]): Candidate | null {
  const rounded = Math.round(Math.min(0.99, confidence) * 100) / 100
  return rounded < 0.1 ? null : { label, confidence: rounded, evidence }
}

type Word = string | number

/**
 * A number with its sentence; the words fill the sentence's places, `value` that of the number as people read it. sentence: another wording of the
 * same measure.
 */
export function evidence(
  measure: SentenceId,
  value: number | string,
  unit: Unit,
  words: Readonly<Record<string, Word>> = {},
  sentence: SentenceId = measure,
): Evidence {
  return { measure, value, unit, text: say(sentence, { value: shown(value, unit), ...words }) }
}

function shown(value: number | string, unit: Unit): string {
  if (typeof value === 'string') return value
  if (unit === 'bytes') return formatBytes(value)
  if (unit === 'bytes/step') return formatBytes(Math.round(value))
  if (unit === 'share') return formatPercent(value)
  return Number.isInteger(value) ? formatCount(value) : Number.isFinite(value) ? value.toPrecision(3) : '∞'
}

export const bytesWord = (bytes: number | null): string => (bytes === null ? '—' : formatBytes(bytes))

/** A sentence in both languages with a name that is in none of them. */
export const named = (title: string): string => (title === '' ? '—' : title)
