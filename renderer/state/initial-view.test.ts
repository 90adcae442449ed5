import { describe, expect, it } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { capture } from '../report/test-input.ts'
import { initialView } from './initial-view.ts'
import { showPlace } from './show-place.ts'
import { setView, viewOf } from './view-state.ts'

const [device] = capture.devices
const withFailures = (oomCount: number, change: Partial<CaptureSummary> = {}): CaptureSummary => ({
  ...capture,
  devices: device
    ? [
        { ...device, device: 0, oomCount: 0 },
        { ...device, device: 1, eventCount: 10, oomCount },
      ]
    : [],
  ...change,
})

describe('a capture that was just opened', () => {
  it('shows its diagnosis where a request failed on any device, else its timeline', () => {
    expect(initialView(withFailures(1)).view).toBe('diagnosis')
    expect(initialView(withFailures(0)).view).toBe('timeline')
  })
})

describe('the place of a number', () => {
  it('is shown with its view, device, event and filter', async () => {
    const opened = withFailures(1)
    setView(opened.captureId, initialView(opened))
    await showPlace(opened, { view: 'blocks', device: 1, event: 7, filter: 'category:activation' })
    expect(viewOf(opened.captureId)).toMatchObject({ view: 'blocks', device: 1, cursorEvent: 7, filter: { text: 'category:activation' } })
    await showPlace(opened, { view: 'flame', device: 1, event: -1, filter: '' })
    expect(viewOf(opened.captureId)).toMatchObject({ view: 'flame', cursorEvent: undefined, filter: { text: '' } })
  })
})
