import { expect, it } from 'vitest'
import { lastStretch } from './last-stretch.ts'

const full = { x0: 0, x1: 1000 }

it('begins where the last annotation before the failure ended, such as the last whole training step', () => {
  expect(lastStretch([200, 700, 900, 1200], 1000, full)).toEqual({ x0: 898, x1: 1002 })
})

it('is the last tenth where no annotation ended a while before the failure, and no part of nothing', () => {
  const tenth = { x0: 898, x1: 1002 }
  expect(lastStretch([], 1000, full)).toEqual(tenth)
  expect(lastStretch([100, 999], 1000, full)).toEqual(tenth)
  expect(lastStretch([], 0, full)).toBeUndefined()
})
