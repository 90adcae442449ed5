// Whether metrics alone show that a run stayed clear of its limit. They end with the last whole step: a run that was close to it may have failed in the next.
import { formatCount } from '../../../preload/contract/format.ts'
import type { MetricsGrowth } from './metrics.ts'
import { bytesWord } from './score.ts'
import type { Point } from './trends.ts'
import type { Texts } from './types.ts'
import { say } from './words.ts'

/** Of the device: with less left than this, a step a little larger than usual ends it. */
const leastLeftShare = 0.03
/** After so many steps, or a tenth of those noted, at a level, or since the last retry, a run has shown that its steps fit. */
const [calmSteps, calmShare] = [20, 0.1]
/** Growth that would fill what is left within so many steps more, or a tenth of those noted. */
const [leastStepsLeft, leastStepsLeftShare] = [5, 0.1]
const leastOrder = 0.5

const isClose = (used: number, total: number): boolean => total - used < leastLeftShare * total

/** Steps at the end of which all had as little left. */
export function closeStepsOf(used: readonly Point[], total: number | null): number {
  const before = total === null ? -1 : used.findLastIndex(({ y }) => !isClose(y, total))
  return total === null ? 0 : used.length - 1 - before
}

/** What leaves open whether a run of which only metrics are known went well; none where they show that it did. */
export function pressureOf(metrics: MetricsGrowth): Texts[] {
  if (!metrics.hasMemory) return [say('metrics_no_memory')]
  const found = [...nearLimit(metrics), ...retried(metrics)]
  return found.length === 0 ? [] : [...found, say('metrics_need_end')]
}

function nearLimit({ deviceTotal, usedAtEnd, used, steps, closeSteps }: MetricsGrowth): Texts[] {
  if (deviceTotal === null || usedAtEnd === null) return []
  const left = Math.max(0, deviceTotal - usedAtEnd)
  const perStep = used && used.order > leastOrder && used.slope > 0 ? used.slope : 0
  const isCalm = closeSteps >= Math.max(calmSteps, calmShare * steps)
  const isFilling = perStep > 0 && left / perStep < Math.max(leastStepsLeft, leastStepsLeftShare * steps)
  if (!isFilling && (!isClose(usedAtEnd, deviceTotal) || isCalm)) return []
  const words = {
    used: bytesWord(usedAtEnd),
    total: bytesWord(deviceTotal),
    left: bytesWord(left),
    perStep: bytesWord(Math.round(perStep)),
  }
  return [say(perStep > 0 ? 'metrics_filling' : 'metrics_near', words)]
}

function retried({ retries, steps }: MetricsGrowth): Texts[] {
  if (!retries || retries.count === 0 || retries.stepsSince >= Math.max(calmSteps, calmShare * steps)) return []
  return [say('metrics_retried', { count: formatCount(retries.count), step: formatCount(retries.firstStep ?? 0) })]
}
