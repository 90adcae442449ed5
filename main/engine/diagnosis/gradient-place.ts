// Where copies of gradients are seen.
import type { EvidencePlace } from '../../../preload/contract/queries.ts'
import { keptStacks } from './classes/kept.ts'
import { categoryTerm, oneStackTerm, placeAt } from './places.ts'
import type { Subject } from './types.ts'

/** The stack that keeps most of them, where they are kept: what a program copies is no gradient by its category. */
export function gradientPlace(subject: Subject): EvidencePlace | null {
  const kept = keptStacks(subject).find(({ role }) => role === 'program' || role === 'backward')
  return kept ? placeAt(subject.capture, 'timeline', oneStackTerm(kept)) : placeAt(subject.capture, 'flame', categoryTerm('gradient'))
}
