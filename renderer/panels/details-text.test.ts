import { expect, test } from 'vitest'
import { lifeOf } from './details-text.ts'

const device = { eventCount: 100, lastTimeNs: 5000 }
const freed = { state: 'freed', allocEvent: 10, freeRequestedEvent: 30, allocTimeNs: 1000, freeTimeNs: 1700 } as const
const alive = { state: 'alive', allocEvent: 10, freeRequestedEvent: null, allocTimeNs: 1000, freeTimeNs: null } as const

test('a life lasts from the allocation to the free', () => {
  expect(lifeOf(freed, device)).toEqual({ events: 20, timeNs: 700 })
})

test('a life without its free lasts until the last event of the device', () => {
  expect(lifeOf(alive, device)).toEqual({ events: 89, timeNs: 4000 })
})

test('a life without times is counted in events', () => {
  expect(lifeOf({ ...freed, allocTimeNs: null, freeTimeNs: null }, device)).toEqual({ events: 20, timeNs: undefined })
  expect(lifeOf({ ...alive, allocTimeNs: null }, { ...device, lastTimeNs: null })).toEqual({ events: 89, timeNs: undefined })
})

test('a life whose beginning, or whose free, the capture does not tell is unknown', () => {
  expect(lifeOf({ ...freed, allocEvent: null }, device)).toBeUndefined()
  expect(lifeOf({ ...freed, state: 'pending_free', freeRequestedEvent: null }, device)).toBeUndefined()
})
