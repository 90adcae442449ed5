// The curves of metrics, thinned so that no lowest or highest value is lost.
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import { bytesPerUnit, type KnownField } from '../metric-names.ts'
import { amounts, fieldOf, type Metrics, numbersOf } from '../metrics.ts'
import { type Point, trendOf } from '../trends.ts'

type Curve = NonNullable<DiagnosisPage['metrics']>['curves'][number]

const maxCurves = 16
const maxPoints = 500
const maxNameLength = 100
/** Of larger ones differences and squares are infinite. NaN is not below it either. */
const largestNumber = 1e150

/** What a person looks for first; other fields follow in order of their first sight. */
const order: readonly KnownField[] = [
  'allocated',
  'allocatedPeak',
  'reserved',
  'inactiveSplit',
  'deviceUsed',
  'deviceTotal',
  'rss',
  'batchSize',
  'seqLen',
  'gradNorm',
  'retries',
]
const bytesFields: readonly KnownField[] = ['allocated', 'allocatedPeak', 'reserved', 'inactiveSplit', 'deviceUsed', 'deviceTotal', 'rss']
const bytesName = /bytes|alloc(?!.*retr)|reserved|inactive|memory|_mem(?:_|$)|rss/i

/** At most 16 curves; values that are not finite, no amounts of memory or beyond all measure are left out, as are fields without numbers. */
export function curvesOf(metrics: Metrics): Curve[] {
  const step = fieldOf(metrics, 'step')
  const known = order.flatMap((field) => fieldOf(metrics, field) ?? [])
  const bytes = new Set(bytesFields.flatMap((field) => fieldOf(metrics, field) ?? []))
  const fields = [...new Set([...known, ...metrics.fields])].filter((field) => field !== step)
  const curves: Curve[] = []
  for (const field of fields) {
    if (curves.length >= maxCurves) break
    const isBytes = bytes.has(field) || bytesName.test(field)
    const numbers = numbersOf(metrics, field, isBytes ? bytesPerUnit(field) : 1)
    const points = isBytes ? amounts(numbers) : numbers.filter(({ y }) => Math.abs(y) <= largestNumber)
    if (points.length === 0) continue
    const trend = trendOf(points)
    curves.push({
      field: field.slice(0, maxNameLength),
      unit: isBytes ? 'bytes' : 'number',
      points: thinned(points).map(({ x, y }) => [x, y]),
      perStep: trend && Number.isFinite(trend.slope) ? trend.slope : null,
      isGrowing: trend !== null && trend.slope > 0 && trend.order > 0.6 && trend.points >= 5,
    })
  }
  return curves
}

/** First, last, and of each of equal stretches between them the lowest and the highest, in order. */
function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= maxPoints) return points
  const inner = points.length - 2
  const stretches = maxPoints / 2 - 1
  const kept = new Set<number>([0, points.length - 1])
  for (let at = 0; at < stretches; at += 1) {
    const from = 1 + Math.floor((at * inner) / stretches)
    const to = 1 + Math.floor(((at + 1) * inner) / stretches)
    let [low, high] = [from, from]
    for (let place = from; place < to; place += 1) {
      const y = points[place]?.y ?? 0
      if (y < (points[low]?.y ?? 0)) low = place
      if (y > (points[high]?.y ?? 0)) high = place
    }
    kept.add(low).add(high)
  }
  return [...kept].sort((a, b) => a - b).flatMap((place) => points[place] ?? [])
}
