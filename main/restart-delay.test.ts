import { expect, test } from 'vitest'
import { restartDelay } from './restart-delay.ts'

test('a failed engine is started again ever later, and after four failures in a row only when the user asks', () => {
  const delays = [1, 2, 3, 4].map(restartDelay)
  expect(delays).toEqual([...delays].sort((a, b) => Number(a) - Number(b)))
  expect(delays[0]).toBeLessThanOrEqual(100)
  expect(restartDelay(5)).toBeNull()
})
