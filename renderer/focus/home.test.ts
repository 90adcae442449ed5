import { expect, test } from 'vitest'
import { homeRange } from '../plot/scales.ts'
import { insideAll } from './home.ts'

const full = { x0: 0, x1: 110e6 }

test('with everything in sight the room at the ends does not count', () => {
  expect(insideAll(homeRange(full, false), full)).toEqual(full)
})

test('a part in sight is told as it is, and what reaches over an end up to there', () => {
  expect(insideAll({ x0: 20e6, x1: 30e6 }, full)).toEqual({ x0: 20e6, x1: 30e6 })
  expect(insideAll({ x0: 100e6, x1: 130e6 }, full)).toEqual({ x0: 100e6, x1: 110e6 })
})

test('where nothing lies inside, what is shown is told', () => {
  expect(insideAll({ x0: 120e6, x1: 130e6 }, full)).toEqual({ x0: 120e6, x1: 130e6 })
})
