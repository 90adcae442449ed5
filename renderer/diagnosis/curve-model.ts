// A curve of the metrics as points in a box, with what a text says of it. Pure.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'

export type MetricsCurve = NonNullable<DiagnosisPage['metrics']>['curves'][number]

export interface CurveShape {
  readonly points: string // of an SVG polyline, x and y from 0 to `width` and `height`
  readonly first: number
  readonly last: number
  readonly least: number
  readonly most: number
  readonly fromStep: number
  readonly toStep: number
}

export const [curveWidth, curveHeight] = [240, 56]

const flatShare = 0.5 // where a curve that never changes lies

/** undefined for a curve without points. Bytes begin at 0, so that a large share of growth looks large. */
export function shapeOf({ points, unit }: Pick<MetricsCurve, 'points' | 'unit'>): CurveShape | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return undefined
  const values = points.map(([, value]) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const floor = unit === 'bytes' ? Math.min(0, least) : least
  const xOf = (step: number) => (last[0] > first[0] ? ((step - first[0]) / (last[0] - first[0])) * curveWidth : 0)
  const yOf = (value: number) => curveHeight * (most > floor ? 1 - (value - floor) / (most - floor) : flatShare)
  return {
    points: points.map(([step, value]) => `${xOf(step).toFixed(1)},${yOf(value).toFixed(1)}`).join(' '),
    first: first[1],
    last: last[1],
    least,
    most,
    fromStep: first[0],
    toStep: last[0],
  }
}
