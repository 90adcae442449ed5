import { describe, expect, it } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { goTo, parseTarget, rangeAround, registerAddressFinder } from './go-to.ts'
import { setView, type ViewState } from './view-state.ts'

describe('parseTarget', () => {
  it.each([
    ['2480', { kind: 'event', event: 2480 }],
    [' 2,480 ', { kind: 'event', event: 2480 }],
    ['#7', { kind: 'find', text: '#7' }],
    ['1.5ms', { kind: 'time', timeNs: 1_500_000 }],
    ['3 µs', { kind: 'time', timeNs: 3000 }],
    ['2 min', { kind: 'time', timeNs: 120e9 }],
    ['0x7F06_4c00_0000', { kind: 'find', text: '0x7f064c000000' }],
    ['b7f064c000000_0', { kind: 'find', text: 'b7f064c000000_0' }],
    ['0x7f06_4c00_0000_3', { kind: 'find', text: '0x7f064c000000_3' }],
    ['0x7f064c000000_1234', { kind: 'find', text: '0x7f064c000000_1234' }],
    ['cross_entropy', undefined],
    ['  ', undefined],
  ])('%s', (text, target) => expect(parseTarget(text)).toEqual(target))
})

describe('rangeAround', () => {
  const full = { x0: 0, x1: 1000 }
  it('keeps the width, stays inside and does not move without need', () => {
    expect(rangeAround({ x0: 0, x1: 100 }, full, 50)).toEqual({ x0: 0, x1: 100 })
    expect(rangeAround({ x0: 0, x1: 100 }, full, 500)).toEqual({ x0: 450, x1: 550 })
    expect(rangeAround({ x0: 0, x1: 100 }, full, 999)).toEqual({ x0: 900, x1: 1000 })
    expect(rangeAround({ x0: 300, x1: 400 }, full, 10)).toEqual({ x0: 0, x1: 100 })
  })
})

it('lets the view of addresses in front find what lies at one, until it leaves', async () => {
  const asked: string[] = []
  const remove = registerAddressFinder(async (address) => asked.push(address) > 0)
  setView('c', { device: 0 } as ViewState)
  expect(await goTo({ captureId: 'c', devices: [] } as unknown as CaptureSummary, { kind: 'find', text: '0x7f06' })).toBe(true)
  expect(asked).toEqual(['0x7f06'])
  remove()
  const next = registerAddressFinder(async () => true)
  remove() // a view that leaves late takes nothing from its successor
  expect(await goTo({ captureId: 'c', devices: [] } as unknown as CaptureSummary, { kind: 'find', text: '0x1' })).toBe(true)
  next()
})
