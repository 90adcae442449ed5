import { expect, it } from 'vitest'
import type { AxisInput } from './axis-input.ts'
import { nearestEnd, snapX } from './snap.ts'

const marks = [
  { x0: 100, x1: 400 },
  { x0: 400.2, x1: 900 },
]

it('a place sticks to the nearest end of a mark within reach', () => {
  expect(nearestEnd(marks, 97, 6)).toBe(100)
  expect(nearestEnd(marks, 400.15, 6)).toBe(400.2)
  expect(nearestEnd(marks, 250, 6)).toBeUndefined()
})

it('the end of a step comes before the events around it, unless sticking is off', () => {
  const input = {
    axis: 'event',
    visible: { x0: 0, x1: 1000 },
    layout: { plot: { xPx: 0, yPx: 0, widthPx: 500, heightPx: 100 } },
    spans: marks,
    curves: undefined,
  } as unknown as AxisInput
  expect(snapX(input, 105, false)).toBe(100)
  expect(snapX(input, 105.4, true)).toBe(105.4)
  expect(snapX(input, 250.3, false)).toBe(250)
})
