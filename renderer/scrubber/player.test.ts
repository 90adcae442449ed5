import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { initialView } from '../state/initial-view.ts'
import { patchView, setView, viewOf } from '../state/view-state.ts'
import { advance, Player } from './player.ts'
import { scrubberData } from './scrubber-data.ts'

const capture = { captureId: 'c', devices: [{ device: 0, eventCount: 100, peakEvent: 40, ooms: [] }] } as unknown as CaptureSummary

describe('the player', () => {
  let frame: ((nowMs: number) => void) | undefined
  let nowMs = 0
  let isCalm = false
  let onHidden: (() => void) | undefined
  let player: Player
  const frames = (count: number, ms: number) => {
    for (let i = 0; i < count && frame; i++) {
      nowMs += ms
      const step = frame
      frame = undefined
      step(nowMs)
    }
  }
  const cursor = () => viewOf('c')?.cursorEvent
  const isPlaying = () => scrubberData('c').getState().isPlaying

  beforeEach(() => {
    frame = undefined
    nowMs = 0
    isCalm = false
    vi.stubGlobal('requestAnimationFrame', (step: (nowMs: number) => void) => {
      frame = step
      return 1
    })
    vi.stubGlobal('cancelAnimationFrame', () => {
      frame = undefined
    })
    vi.stubGlobal('window', { matchMedia: () => ({ matches: isCalm }) })
    vi.stubGlobal('document', { hidden: true, addEventListener: (_: string, listener: () => void) => (onHidden = listener) })
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    setView('c', initialView(capture))
    scrubberData('c').setState({ rate: 100, isPlaying: false })
    player = new Player(capture)
  })
  afterEach(() => {
    setView('c', undefined)
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('goes on from the event shown at its rate', () => {
    player.toggle()
    frames(10, 20)
    expect(cursor()).toBe(60)
  })

  it('pauses at the end and starts again from the first event', () => {
    patchView('c', { cursorEvent: 98 })
    player.toggle()
    frames(10, 20)
    expect([cursor(), isPlaying()]).toEqual([99, false])
    player.toggle()
    frames(1, 20)
    expect(cursor()).toBe(2)
  })

  it('goes on from where the user puts the cursor', () => {
    player.toggle()
    frames(1, 20)
    patchView('c', { cursorEvent: 10 })
    frames(1, 20)
    expect(cursor()).toBe(12)
  })

  it('pauses when the window is hidden', () => {
    player.toggle()
    onHidden?.()
    expect(isPlaying()).toBe(false)
  })

  it('shows two pictures a second where motion is to be reduced, at the same rate', () => {
    isCalm = true
    patchView('c', { cursorEvent: 0 })
    player.toggle()
    frames(24, 20)
    expect(cursor()).toBe(0)
    frames(1, 20)
    expect(cursor()).toBe(50)
  })
})

it('keeps fractions of an event and ends at the last', () => {
  expect(advance(0.5, 20, 10, 99)).toBeCloseTo(0.7)
  expect(advance(98, 1000, 10, 99)).toBe(99)
})
