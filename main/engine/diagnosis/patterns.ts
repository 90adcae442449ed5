// Failures that are alike: the same mechanism at the same place of the program.
import type { FailurePattern } from '../../../preload/contract/queries.ts'
import type { DiagnosedCase } from './cases.ts'
import { textOfFrames, titleOf } from './stack-roles.ts'

export interface Patterns {
  /** Most frequent first. */
  readonly patterns: readonly FailurePattern[]
  /** By case: the index of its pattern; null where nothing failed. */
  readonly patternOf: readonly (number | null)[]
}

type Judged = Pick<DiagnosedCase, 'diagnosis' | 'capture' | 'log'>

/** Groups the cases that failed. Shares are of those. */
export function patternsOf(cases: readonly Judged[]): Patterns {
  const keys = cases.map((one) => (one.diagnosis.situation.isFailure ? keyOf(one) : null))
  const groups = new Map<string, { readonly first: Judged; count: number }>()
  for (const [at, first] of cases.entries()) {
    const key = keys[at] ?? null
    if (key === null) continue
    const group = groups.get(key) ?? { first, count: 0 }
    group.count += 1
    groups.set(key, group)
  }
  const order = [...groups].sort(([, a], [, b]) => b.count - a.count)
  const indexes = new Map(order.map(([key], at) => [key, at]))
  const failed = order.reduce((sum, [, { count }]) => sum + count, 0)
  return {
    patterns: order.map(([, { first, count }]) => {
      const { verdict, situation } = first.diagnosis
      return { label: verdict.label, reason: situation.provedReason, place: placeOf(first), count, share: count / failed }
    }),
    patternOf: keys.map((key) => (key === null ? null : (indexes.get(key) ?? null))),
  }
}

const keyOf = (one: Judged): string => JSON.stringify([one.diagnosis.verdict.label, one.diagnosis.situation.provedReason, placeOf(one)])

/**
 * The line of the program that a failure is told by: of the request, by its stack or its traceback, else of what grew most; '' where none is known.
 * Requests of the backward pass have no line of their own.
 */
function placeOf({ capture, log }: Judged): string {
  const requested = capture?.request?.title ?? ''
  if (requested !== '') return requested
  const frames = log?.frames ?? []
  if (frames.length > 0) return titleOf(textOfFrames(frames))
  const [grown] = [...(capture?.growth ?? [])].sort((a, b) => b.grownBytes - a.grownBytes)
  return grown?.title ?? ''
}
