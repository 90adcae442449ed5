import { describe, expect, it } from 'vitest'
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import { shownEvent } from './moment.ts'

const device = { eventCount: 100, peakEvent: 40, ooms: [] as DeviceSummary['ooms'] } as DeviceSummary
const oom = (event: number) => ({ event, timeNs: null, sizeBytes: 1, deviceFreeBytes: null })

describe('the moment shown', () => {
  it('is the cursor', () => expect(shownEvent({ cursorEvent: 7 }, { ...device, ooms: [oom(50)] })).toBe(7))
  it('is the last failure without a cursor', () =>
    expect(shownEvent({ cursorEvent: undefined }, { ...device, ooms: [oom(50), oom(60)] })).toBe(60))
  it('is the peak without a failure', () => expect(shownEvent({ cursorEvent: undefined }, device)).toBe(40))
  it('is the state of the dump where nothing was recorded', () =>
    expect(shownEvent({ cursorEvent: undefined }, { ...device, eventCount: 0, peakEvent: 0 })).toBe(-1))
})
