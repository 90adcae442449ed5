import { describe, expect, it } from 'vitest'
import { eventInLife, rangeOnLife } from './show-in.ts'

const life = { allocEvent: 10, freeRequestedEvent: 20, allocTimeNs: 1000, freeTimeNs: 2000 }

describe('showing an allocation in a view of one moment', () => {
  it('keeps the moment while it is alive', () => expect(eventInLife(life, 19)).toBe(19))
  it('goes to its birth when it is not yet, or no longer, alive', () => {
    expect(eventInLife(life, 9)).toBe(10)
    expect(eventInLife(life, 20)).toBe(10)
  })
  it('takes unknown ends as outside the capture', () => {
    expect(eventInLife({ allocEvent: null, freeRequestedEvent: 20 }, -1)).toBe(-1)
    expect(eventInLife({ allocEvent: 10, freeRequestedEvent: null }, 99)).toBe(99)
  })
})

describe('showing an allocation in a view of a range', () => {
  const full = { x0: 0, x1: 100 }
  it('keeps the range that holds part of its life', () => {
    const visible = { x0: 15, x1: 16 }
    expect(rangeOnLife({ axis: 'event', visible, full }, life)).toBe(visible)
  })
  it('moves the range to its start, as wide as before', () => {
    const moved = rangeOnLife({ axis: 'event', visible: { x0: 50, x1: 60 }, full }, life)
    expect(moved).toEqual({ x0: 5, x1: 15 })
  })
  it('goes by time where the axis is time', () => {
    const visible = { x0: 1500, x1: 1600 }
    expect(rangeOnLife({ axis: 'time', visible, full: { x0: 0, x1: 9000 } }, life)).toBe(visible)
  })
})
