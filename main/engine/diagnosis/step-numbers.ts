// One way of numbering steps on a page: as the metrics number them, where there are any.
import type { MetricsGrowth } from './metrics.ts'

/** The number of the n-th step, n from 1; null where the metrics do not note every step, or there are none. */
export function stepNumber(metrics: MetricsGrowth | null, count: number): number | null {
  return metrics?.firstStep === null || metrics?.firstStep === undefined ? null : metrics.firstStep + count - 1
}

/** The number of the step at work, the n-th that the history shows; null where that is no neighbor of the last that the metrics noted. */
export function numberOfWork(metrics: MetricsGrowth | null, count: number): number | null {
  const number = stepNumber(metrics, count)
  const last = metrics ? stepNumber(metrics, metrics.steps) : null
  return number === null || last === null || number < last || number > last + 1 ? null : number
}
