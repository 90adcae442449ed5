// The curves of metrics, thinned so that no lowest or highest value is lost.
import { formatBytes } from '../../../../preload/contract/format.ts'
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import { bytesPerUnit, type KnownField } from '../metric-names.ts'
import { amounts, fieldOf, type Metrics, numbersOf, seriesOf } from '../metrics.ts'
import { type Point, trendOf } from '../trends.ts'

type Shown = Pick<NonNullable<DiagnosisPage['metrics']>, 'curves' | 'others' | 'lastStep'>
type Curve = Shown['curves'][number]

const maxCurves = 16
const maxPoints = 500
const maxOthers = 40
const maxFields = 100 // that are looked at
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
const bytesName = /bytes|alloc(?!.*retr)|reserved|inactive|(?:^|_)active(?:_(?:peak|current))?$|memory|_mem(?:_|$)|rss/i
const countName = /^num_|_count$/i
const clockName = /(?:^|_)(?:time|times|timestamp|unix|wall|walltime|clock|elapsed|date)(?:_|$)/i
/** That these do not change is worth a curve. */
const alwaysCurves: readonly KnownField[] = ['allocated', 'allocatedPeak', 'reserved']

/**
 * At most 16 curves; values that are not finite, no amounts of memory or beyond all measure are left out, as are fields without numbers. Clocks, and what never changes, are no curves: their last
 * values are told beside.
 */
export function curvesOf(metrics: Metrics): Shown {
  const step = fieldOf(metrics, 'step')
  const namesOf = (fields: readonly KnownField[]) => new Set(fields.flatMap((field) => fieldOf(metrics, field) ?? []))
  const [bytes, always] = [namesOf(bytesFields), namesOf(alwaysCurves)]
  const fields = [...new Set([...namesOf(order), ...metrics.fields])].filter((field) => field !== step).slice(0, maxFields)
  const found = fields.flatMap((field) => {
    const isBytes = bytes.has(field) || (bytesName.test(field) && !countName.test(field))
    const unit: Curve['unit'] = isBytes ? 'bytes' : 'number'
    const numbers = numbersOf(metrics, field, isBytes ? bytesPerUnit(field) : 1)
    const points = isBytes ? amounts(numbers) : numbers.filter(({ y }) => Math.abs(y) <= largestNumber)
    return points.length === 0 ? [] : [{ field, points, unit }]
  })
  const isBeside = ({ field, points }: (typeof found)[number]): boolean =>
    clockName.test(field) || (isConstant(points) && !always.has(field))
  return {
    curves: found
      .filter((each) => !isBeside(each))
      .slice(0, maxCurves)
      .map(({ field, unit, points }) => curveOf(field, unit, points)),
    others: [
      ...textsOf(metrics),
      ...found
        .filter(isBeside)
        .map(({ field, unit, points }) => ({ field: field.slice(0, maxNameLength), value: valueText(points.at(-1)?.y ?? 0, unit) })),
    ].slice(0, maxOthers),
    lastStep: lastStepOf(metrics),
  }
}

const maxTexts = 10
const maxTextLength = 100

/** What the program noted in words: a device, a version, a model; with the last values. */
function textsOf({ rows, fields }: Metrics): Shown['others'] {
  return fields
    .slice(0, maxFields)
    .flatMap((field) => {
      const value = rows.findLast((row) => row.has(field))?.get(field)
      return typeof value === 'string' && value !== ''
        ? [{ field: field.slice(0, maxNameLength), value: value.slice(0, maxTextLength) }]
        : []
    })
    .slice(0, maxTexts)
}

/** The last step that was noted, with its size; null where no size is noted. */
function lastStepOf(metrics: Metrics): Shown['lastStep'] {
  const [batch, sequence] = [numbersIn(metrics, 'batchSize').at(-1), numbersIn(metrics, 'seqLen').at(-1)]
  const step = sequence?.x ?? batch?.x
  if (step === undefined) return null
  return { step, batchSize: batch?.y ?? null, sequenceLength: sequence?.y ?? null }
}

/** No size of a step is beyond all measure. */
const numbersIn = (metrics: Metrics, field: KnownField): Point[] => seriesOf(metrics, field).filter(({ y }) => y >= 0 && y <= largestNumber)

const valueText = (value: number, unit: Curve['unit']): string => (unit === 'bytes' ? formatBytes(value) : String(value))

const isConstant = (points: readonly Point[]): boolean => points.length > 1 && points.every(({ y }) => y === points[0]?.y)

function curveOf(field: string, unit: Curve['unit'], points: readonly Point[]): Curve {
  const trend = trendOf(points)
  return {
    field: field.slice(0, maxNameLength),
    unit,
    points: thinned(points).map(({ x, y }) => [x, y]),
    perStep: trend && Number.isFinite(trend.slope) ? trend.slope : null,
    isGrowing: trend !== null && trend.slope > 0 && trend.order > 0.6 && trend.points >= 5,
  }
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
