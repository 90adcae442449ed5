// A steady leak: with every step something is kept that is never given back.
import { formatPercent } from '../../../../preload/contract/format.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { bytesWord, candidate, evidence, mostWeak, named, ramp, shareOf } from '../score.ts'
import { stepNumber } from '../step-numbers.ts'
import type { CauseRule, Evidence, Subject } from '../types.ts'
import { gradientCopies } from './gradient-blowup.ts'
import { holdingLine, isOneResult, joinedTensor, keptStacks, leastSteps, modelCopies, paceOf, sumGrown } from './kept.ts'
import { smallBlocks } from './metadata-bloat.ts'

export const steadyLeak: CauseRule = (subject) => {
  const { capture, situation } = subject
  if (!capture) return fromMetrics(subject)
  const kept = keptStacks(subject)
  const [largest] = kept
  if (!largest) return fromJoined(subject, capture) ?? withoutStacks(capture) ?? fromLine(subject, capture)
  const bytes = sumGrown(kept)
  const share = shareOf(bytes, capture.reserved)
  const pace = paceOf(subject)
  const perStep = kept.reduce((sum, { bytesPerEvent }) => sum + bytesPerEvent, 0) * (pace?.eventsPerStep ?? 0)
  const words = { bytes: bytesWord(bytes), share: formatPercent(share) }
  const proofs: Evidence[] = [
    pace ? evidence('leak_slope', perStep, 'bytes/step', words) : evidence('leak_bytes', bytes, 'bytes', words),
    evidence('leak_stack', named(largest.title), 'text'),
  ]
  const { limitBytes, isLimitKnown } = situation
  if (limitBytes !== null && isLimitKnown && perStep > 0 && pace?.isCounted) {
    const left = Math.max(0, limitBytes - capture.allocated)
    const count = pace.steps + Math.floor(left / perStep)
    const number = stepNumber(subject.metrics, count)
    const limit = { limit: bytesWord(limitBytes) }
    proofs.push(
      number === null ? evidence('leak_end', count, 'count', limit, 'leak_end_count') : evidence('leak_end', number, 'count', limit),
    )
  }
  return candidate('steady_leak', 0.97 * ramp(share, 0.1, 0.45) * (hasBetterName(subject, capture) ? 0.8 : 1), proofs)
}

/** Activations, gradients, copies of the model, small tensors or private pools that are kept leak too, but say more. */
function hasBetterName(subject: Subject, capture: CaptureMeasures): boolean {
  const kept = keptStacks(subject)
  const made = kept.filter(({ role }) => role === 'forward')
  const isGraph = (sumGrown(made) > sumGrown(kept) / 2 && !isOneResult(made, capture)) || kept.length >= 6
  const copies = modelCopies(capture)
  const isModel = sumGrown(kept.filter(({ stackId }) => copies.has(stackId))) > sumGrown(kept) / 2
  const { count, bytes } = smallBlocks(capture.pools)
  const isPrivate = (subject.situation.privateBytes ?? 0) > capture.reserved / 3
  return isPrivate || isGraph || isModel || gradientCopies(subject) !== null || (count > 5000 && bytes > capture.reserved / 2)
}

/** Results of all steps in one tensor: what is kept is one allocation, but it grows like a list of them. */
function fromJoined(subject: Subject, { reserved }: CaptureMeasures) {
  const joined = joinedTensor(subject)
  if (!joined) return null
  const words = { stack: named(joined.title), grown: bytesWord(joined.grownBytes) }
  return candidate('steady_leak', 0.85 * ramp(shareOf(joined.lastBytes, reserved), 0.1, 0.45), [
    evidence('larger_tensors', joined.lastBytes, 'bytes', words),
  ])
}

/** Without stacks only the sum is seen to grow. */
function withoutStacks({ hasStacks, quietAllocated: trend, reserved, steps }: CaptureMeasures) {
  if (hasStacks || !trend || trend.order < 0.6 || (steps !== null && steps < 3)) return null
  const share = shareOf(trend.last - trend.first, reserved)
  return candidate('steady_leak', 0.5 * ramp(share, 0.2, 0.5), [
    evidence('quiet_growth', trend.last, 'bytes', { first: bytesWord(trend.first) }),
  ])
}

/** A history too short to show a habit shows what one line holds; that it is kept from step to step, only metrics tell then. */
function fromLine({ metrics, situation }: Subject, capture: CaptureMeasures) {
  const line = holdingLine(capture)
  if (!line) return null
  const share = shareOf(line.bytes, capture.reserved)
  const proofs = [evidence('line_holds', line.bytes, 'bytes', { stack: named(line.title), count: line.count, share: formatPercent(share) })]
  const trend = metrics?.allocated
  const isGrowing = trend && trend.slope > 0 && trend.order >= 0.6 && trend.points >= 5 && trend.last - trend.first >= line.bytes / 2
  // A history of several steps, in which nothing was kept, shows a line that gives back what it takes.
  if (!isGrowing && capture.isHistoryShort && (capture.steps ?? 0) >= leastSteps) return null
  if (!isGrowing) return candidate('steady_leak', mostWeak * ramp(share, 0.2, 0.5), proofs)
  const words = { first: bytesWord(trend.first), last: bytesWord(trend.last) }
  // Where much lies free in pieces, what one line holds and replaces grows no further.
  const isInPieces = shareOf((situation.freeBytes ?? 0) + situation.otherStreamBytes, capture.reserved) > 0.05
  return candidate('steady_leak', (isInPieces ? mostWeak : 0.75) * ramp(share, 0.2, 0.5), [
    ...proofs,
    evidence('metrics_slope', trend.slope, 'bytes/step', words),
  ])
}

function fromMetrics({ metrics, situation }: Subject) {
  const trend = metrics?.allocated
  if (!trend || !situation.isFailure || trend.slope <= 0 || trend.order < 0.6 || trend.points < 5) return null
  const share = shareOf(trend.last - trend.first, situation.limitBytes ?? trend.last)
  return candidate('steady_leak', 0.55 * ramp(share, 0.1, 0.4), [
    evidence('metrics_slope', trend.slope, 'bytes/step', { first: bytesWord(trend.first), last: bytesWord(trend.last) }),
  ])
}
