import { describe, expect, it } from 'vitest'
import { type CurveStroke, curveStrokes } from './step-curve.ts'

const f64 = (...values: number[]) => new Float64Array(values)
const scales = { visible: { x0: 0, x1: 8 }, y1: 64, plot: { xPx: 0, yPx: 0, widthPx: 8, heightPx: 64 } }
const level = f64(10, 30, 10, 10, 31, 32, 32, 32)

/** A curve over eight columns of one pixel with as many events each. */
function strokesOf(eventsAColumn: number): CurveStroke[] {
  const column = { min: level, max: level, rep: level }
  const firstEvent = level.map((_, index) => index * eventsAColumn)
  const data = {
    repEvent: firstEvent,
    firstEvent,
    lastEvent: firstEvent.map((event) => event + eventsAColumn),
    repTimeNs: level,
    allocated: column,
    active: column,
    reserved: column,
    requested: column,
  }
  return curveStrokes({ range: scales.visible, axis: 'event', device: 0, data }, level, scales)
}

/** Strengths of the tall verticals drawn. */
function verticals(strokes: readonly CurveStroke[]): number[] {
  return strokes.flatMap(({ points, alpha }) =>
    points.flatMap((x, index) => {
      const height = Math.abs((points[index + 1] ?? 0) - (points[index + 3] ?? Number.NaN))
      return index % 2 === 0 && x === points[index + 2] && height > 3 ? [alpha] : []
    }),
  )
}

describe('a curve', () => {
  it('is one line while columns hold few events', () => {
    expect(strokesOf(1)).toHaveLength(1)
    expect(verticals(strokesOf(1))).toEqual([1, 1, 1])
  })

  it('loses the verticals between far levels little by little as columns hold more', () => {
    const strengths = [2, 4, 6, 12, 16, 4000].map((events) => Math.max(0, ...verticals(strokesOf(events))))
    expect(strengths).toEqual([1, 0.75, 0.5, 0.25, 0, 0])
  })

  it('keeps short verticals and every level at any density', () => {
    const strokes = strokesOf(4000)
    const ys = new Set(strokes.flatMap(({ points }) => points.filter((_, index) => index % 2 === 1 && !Number.isNaN(points[index] ?? 0))))
    expect([...ys].sort((a, b) => a - b)).toEqual([32.5, 33.5, 34.5, 54.5])
    const joints = strokes.find(({ alpha }) => alpha === 1)?.points.filter((x, index, all) => index % 2 === 0 && x === all[index + 2])
    expect(joints).toHaveLength(1)
  })

  it('draws a lone level exactly over its column, without reaching into the next', () => {
    const loose = strokesOf(4000).find(({ alpha }) => alpha < 1)
    expect(loose?.points.slice(0, 6)).toEqual([0, 54.5, 1, 54.5, Number.NaN, Number.NaN])
  })
})
