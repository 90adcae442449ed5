import { describe, expect, test } from 'vitest'
import { ReadRate } from '../../main/engine/jobs.ts'

describe('the rate of reading', () => {
  test('is unknown at first, then bytes a second', () => {
    const rate = new ReadRate()
    expect(rate.add(0, 0)).toBeNull()
    expect(rate.add(50, 50)).toBe(1000)
  })

  test('follows the last second, not the whole load', () => {
    const rate = new ReadRate()
    let last: number | null = null
    for (let ms = 0; ms <= 5000; ms += 50) last = rate.add(ms * 10, ms)
    expect(last).toBe(10_000)
    for (let ms = 5050; ms <= 7000; ms += 50) last = rate.add(50_000, ms)
    expect(last).toBe(0)
  })

  test('does not divide by nothing', () => {
    const rate = new ReadRate()
    rate.add(0, 10)
    expect(rate.add(100, 10)).toBeNull()
  })
})
