import { expect, it, vi } from 'vitest'
import { anyLater, later } from './later.ts'

it('tells that work is pending until it is done or called off', () => {
  vi.useFakeTimers()
  const done: string[] = []
  later(100, () => done.push('a'))
  const callOff = later(100, () => done.push('b'))
  callOff()
  callOff()
  expect(anyLater()).toBe(true)
  vi.advanceTimersByTime(100)
  expect(done).toEqual(['a'])
  expect(anyLater()).toBe(false)
  vi.useRealTimers()
})
