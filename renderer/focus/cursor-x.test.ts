import { describe, expect, it } from 'vitest'
import type { EventState } from '../plot/placed.ts'
import { cursorX } from './cursor-x.ts'

const known = (event: number, timeNs: number) => ({ event, timeNs }) as EventState

describe('the x of the pinned cursor', () => {
  it('is its event on the event axis, whatever is known of it yet', () => {
    expect(cursorX({ axis: 'event', cursorEvent: 7 }, undefined)).toBe(7)
    expect(cursorX({ axis: 'event', cursorEvent: 7 }, known(3, 30))).toBe(7)
  })

  it('is its time on the time axis, once that is known for this very event', () => {
    expect(cursorX({ axis: 'time', cursorEvent: 7 }, known(7, 70))).toBe(70)
    expect(cursorX({ axis: 'time', cursorEvent: 7 }, known(3, 30))).toBeUndefined()
    expect(cursorX({ axis: 'time', cursorEvent: 7 }, known(7, Number.NaN))).toBeUndefined()
    expect(cursorX({ axis: 'time', cursorEvent: 7 }, undefined)).toBeUndefined()
    expect(cursorX({ axis: 'time', cursorEvent: undefined }, known(7, 70))).toBeUndefined()
  })
})
