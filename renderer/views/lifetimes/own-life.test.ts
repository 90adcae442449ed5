import { describe, expect, it } from 'vitest'
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import { insideHistory } from './model-input.ts'
import { ownLife, ownLifeText } from './own-life.ts'
import { stretchWords } from './stretch-words.ts'

const device = { eventCount: 6969, firstTimeNs: 1000, lastTimeNs: 5000 } as DeviceSummary
const never = { allocEvent: 0, freeRequestedEvent: null, allocTimeNs: 1000, freeTimeNs: null }
const freed = { allocEvent: 10, freeRequestedEvent: 30, allocTimeNs: 1500, freeTimeNs: 2500 }

describe('a range inside the history', () => {
  it('loses the margin that is drawn around it, on both axes', () => {
    expect(insideHistory({ x0: -28, x1: 6996 }, { axis: 'event', device })).toEqual({ x0: 0, x1: 6969 })
    expect(insideHistory({ x0: 900, x1: 5100 }, { axis: 'time', device })).toEqual({ x0: 1000, x1: 5000 })
    expect(insideHistory({ x0: 100, x1: 200 }, { axis: 'event', device })).toEqual({ x0: 100, x1: 200 })
  })

  it('is never empty: what lies in the margin alone becomes its nearest event', () => {
    expect(insideHistory({ x0: -28, x1: -3 }, { axis: 'event', device })).toEqual({ x0: 0, x1: 1 })
    expect(insideHistory({ x0: 6980, x1: 6990 }, { axis: 'event', device })).toEqual({ x0: 6968, x1: 6969 })
  })
})

describe('the own life of an allocation', () => {
  it('goes from its allocation to its free, in events or nanoseconds', () => {
    expect(ownLife(freed, { axis: 'event', device })).toEqual({ life: 20, isOpen: false })
    expect(ownLife(freed, { axis: 'time', device })).toEqual({ life: 1000, isOpen: false })
  })

  it('ends with the history at the latest, and then says that it may be longer', () => {
    expect(ownLife(never, { axis: 'event', device })).toEqual({ life: 6969, isOpen: true })
    expect(ownLifeText(never, { axis: 'event', device })).toBe('≥\u00a06,969')
    expect(ownLife({ ...freed, allocEvent: null, allocTimeNs: null }, { axis: 'event', device })).toEqual({ life: 30, isOpen: true })
  })
})

describe('a part of the addresses in words', () => {
  const rows = [
    { y0: 0, y1: 1000, address: '0x7f0000000000', bytes: 1_048_576 },
    { y0: 1000, y1: 2000, address: '0x7f0010000000', bytes: 2_097_152 },
  ]
  const t = (_: string, values?: Readonly<Record<string, unknown>>) => Object.values(values ?? {}).join(' | ')

  it('is a start and a length in whole blocks', () => {
    expect(stretchWords(rows, { y0: 500.3, y1: 750 }, t)).toBe('0x7f00_0008_0000 + 256\u00a0KiB')
  })

  it('over several stretches adds up what is reserved and says how many there are', () => {
    expect(stretchWords(rows, { y0: 500, y1: 1500 }, t)).toBe('0x7f00_0008_0000 + 1.50\u00a0MiB | 2')
  })
})
