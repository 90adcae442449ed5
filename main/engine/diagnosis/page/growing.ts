// Stacks that hold more with every step, and the step at which memory would end.
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import { keptStacks, paceOf } from '../classes/kept.ts'
import { placeAt, stackTerm } from '../places.ts'
import type { Subject } from '../types.ts'
import { byTitle, sumOf } from './by-title.ts'

const maxStacks = 20
/** Of what is reserved: less may be chance. Where nothing failed, growth must be plainer, and longer, before anybody is told of it. */
const leastShare = { failed: 0.01, healthy: 0.05 } as const
const leastSteps = { failed: 3, healthy: 5 } as const
/** Of what a stack held at the peak, still held at the end of the history: less was given back. */
const leastKept = 0.9

/**
 * Largest growth first. Steps are left where the limit is known; at a failure none are. `atEnd`: bytes by stack after the last event; null where the
 * moment is the end of what matters, a failure.
 */
export function growingStacks(subject: Subject, atEnd: ReadonlyMap<number, number> | null): DiagnosisPage['growing'] {
  const { capture, situation } = subject
  if (!capture) return []
  const pace = paceOf(subject)
  const room = roomOf(subject)
  const outcome = situation.isFailure ? 'failed' : 'healthy'
  if (!pace || pace.steps < leastSteps[outcome]) return []
  const larger = capture.growth.filter(({ kind }) => kind === 'larger')
  const all = [...keptStacks(subject), ...larger].filter(
    ({ stackId, lastBytes }) => atEnd === null || (atEnd.get(stackId) ?? 0) >= leastKept * lastBytes,
  )
  return byTitle(all, ({ kind }) => kind)
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const { stackId, title, kind } = first
      const bytesPerStep = Math.round(sumOf(group, ({ bytesPerEvent }) => bytesPerEvent) * pace.eventsPerStep)
      const left = bytesPerStep > 0 && room !== null ? Math.floor(room / bytesPerStep) : null
      const place = placeAt(capture, 'timeline', stackTerm({ stackIds: group.map((stack) => stack.stackId), title }))
      const grownBytes = sumOf(group, (stack) => stack.grownBytes)
      return [{ stackId, title, kind, bytesPerStep, grownBytes, stepsLeft: situation.isFailure ? 0 : left, place }]
    })
    .filter(({ grownBytes }) => grownBytes >= leastShare[outcome] * capture.reserved)
    .sort((a, b) => b.grownBytes - a.grownBytes)
    .slice(0, maxStacks)
}

/** What the program could still allocate; null where its limit is not known. */
function roomOf({ situation, capture, metrics }: Subject): number | null {
  const { limitBytes, isLimitKnown, allowedBytes } = situation
  if (limitBytes === null || !isLimitKnown || !capture) return null
  // A cap counts this program's memory alone, a device all that lies on it.
  const outside = allowedBytes === null ? (metrics?.outside?.last ?? 0) : 0
  return Math.max(0, limitBytes - outside - capture.allocated)
}
